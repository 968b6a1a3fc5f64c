"""Questions over HTTP: beside the floor, beside frameworks as they come, refused beside answered, without metrics."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from textwrap import fill
from typing import Final

from tests.programs.bench.plan import Plan
from tests.programs.bench.report import Section, at_least, at_most, table
from tests.programs.bench.rounds import Contestant, Taken, asked, side_by_side, take_turns
from tests.programs.bench.targets import (
    COMPILED,
    FASTAPI,
    FLOOR,
    LITESTAR,
    QUIET,
    SERVICE,
    UNMEASURED,
    Target,
    check_alike,
    check_strict,
    started,
)
from tests.programs.bench.workloads import Workload

PEERED: Final = ("legal_moves", "next_states")
"""The questions that the frameworks answer, too."""
REFUSED: Final = ("legal_play", "illegal_play")
_HEAD: Final = ("question", "target", "bytes", "questions/s", "ratio", "CPU µs", "p50 µs", "p99 µs", "spread")
_AT_ONCE: Final = "All are asked at once and share the core, so that a slow moment of the machine hits them alike."

Seen = Mapping[str, Taken]


def compare(plan: Plan) -> Iterator[Section]:
    """Compare all that is asked for."""
    if workloads := plan.named(*PEERED):
        yield _beside_peers(workloads, plan)
    if workloads := [each for each in plan.workloads if each.name not in {*PEERED, *REFUSED}]:
        yield _beside_floor(workloads, plan)
    if len(workloads := plan.named(*REFUSED)) == len(REFUSED):
        yield _refused(workloads, plan)
    if workloads := plan.named("legal_moves"):
        yield _unmeasured(workloads, plan)
        yield _unlogged(workloads, plan)


def _ask_all(
    targets: tuple[Target, ...],
    workloads: Sequence[Workload],
    plan: Plan,
    measure: Callable[[Sequence[Contestant], int, str], Seen] = take_turns,
) -> list[tuple[Workload, Seen]]:
    """Ask each workload of every target; the answers must be the same."""
    seen: list[tuple[Workload, Seen]] = []
    with started(targets, plan.serving) as servers:
        for workload in workloads:
            check_alike(servers, workload)
            contestants = [asked(server, workload, plan) for server in servers]
            seen.append((workload, measure(contestants, plan.rounds, workload.name)))
    return seen


def _beside_peers(workloads: Sequence[Workload], plan: Plan) -> Section:
    with started((FASTAPI,), plan.serving) as servers:
        check_strict(servers[0], workloads[0])
    targets = SERVICE, COMPILED, LITESTAR, FASTAPI, FLOOR
    alone, at_once = (_ask_all(targets, workloads, plan, measure) for measure in (take_turns, side_by_side))
    figures = [
        figure
        for workload, taken in at_once
        for figure in (
            at_least(f"{workload.name}, of the raw ASGI floor", 0.78, taken["service"].cpu_ratio(taken[FLOOR.name])),
            at_least(
                f"{workload.name}, compiled, of the floor", 0.85, taken[COMPILED.name].cpu_ratio(taken[FLOOR.name])
            ),
            at_least(
                f"{workload.name}, compiled, beside {FASTAPI.name}",
                2.7,
                taken[COMPILED.name].cpu_ratio(taken[FASTAPI.name]),
                " ×",
            ),
        )
    ]
    about = (
        "All five answer the same bodies with the same JSON, by the same rules; one of them has what the image serves,"
        " compiled, and all others, the floor among them, have it as it is written. Litestar reads and writes the"
        " service's own types, FastAPI models of pydantic with the same bounds and the same strictness; Litestar as"
        ' it comes is not strict: it takes "3" for 3. Each is asked alone, in turn. Ratio: to the floor.'
    )
    text = _written("The service beside frameworks as they come", about, alone, FLOOR.name)
    about = f"The summary is of these. {_AT_ONCE} Ratio: to the floor, in CPU time."
    shared = _written("… all asked at once", about, at_once, FLOOR.name, Taken.cpu_ratio)
    return Section(f"{text}\n\n{shared}", tuple(figures))


def _beside_floor(workloads: Sequence[Workload], plan: Plan) -> Section:
    seen = _ask_all((SERVICE, FLOOR), workloads, plan)
    return Section(_written("The service beside the floor", "Ratio: to the floor.", seen, FLOOR.name), ())


def _refused(workloads: Sequence[Workload], plan: Plan) -> Section:
    legal, illegal = workloads
    with started((SERVICE,), plan.serving) as servers:
        for workload in workloads:
            check_alike(servers, workload)
        contestants = [asked(servers[0], workload, plan, workload.name) for workload in workloads]
        taken = take_turns(contestants, plan.rounds, "a refusal")
    rows = [
        _HEAD,
        *(_row(each, "service", taken[each.name], taken[each.name].ratio(taken[legal.name])) for each in workloads),
    ]
    figure = at_least("an illegal play, of the legal play", 0.9, taken[illegal.name].ratio(taken[legal.name]))
    about = "The same states; one card is refused with its problem document, the other is played. Ratio: to the latter."
    return Section(f"## An illegal play beside a legal one\n\n{about}\n\n{table(rows, 2)}", (figure,))


def _unmeasured(workloads: Sequence[Workload], plan: Plan) -> Section:
    return _cost("metrics", 3, UNMEASURED, workloads, plan)


def _unlogged(workloads: Sequence[Workload], plan: Plan) -> Section:
    return _cost("the log", 5, QUIET, workloads, plan)


def _cost(what: str, at_most_percent: int, without: Target, workloads: Sequence[Workload], plan: Plan) -> Section:
    """Return what a part of the service costs; so little is lost in the noise where contestants are asked in turn."""
    seen = _ask_all((SERVICE, without), workloads, plan, side_by_side)
    cost = 1 - median(taken["service"].cpu_ratio(taken[without.name]) for _, taken in seen)
    about = f"{_AT_ONCE} Ratio: to the service {without.name}, in CPU time."
    text = _written(f"The cost of {what}", about, seen, without.name, Taken.cpu_ratio)
    return Section(text, (at_most(f"cost of {what}", at_most_percent, 100 * cost, " %"),))


def _written(
    title: str,
    about: str,
    seen: Sequence[tuple[Workload, Seen]],
    base: str,
    ratio: Callable[[Taken, Taken], float] = Taken.ratio,
) -> str:
    rows = [
        _row(workload, name, each, ratio(each, taken[base])) for workload, taken in seen for name, each in taken.items()
    ]
    return f"## {title}\n\n{fill(about, 118)}\n\n{table([_HEAD, *rows], 2)}"


def _row(workload: Workload, name: str, taken: Taken, ratio: float) -> tuple[str, ...]:
    return (
        workload.name,
        name,
        f"{median(map(len, workload.bodies)):,.0f}",
        f"{taken.rate * workload.questions:,.0f}",
        f"{ratio:.2f}",
        f"{1e6 * taken.cpu_each / workload.questions:.1f}",
        f"{taken.middle(lambda sample: sample.p50):,.0f}",
        f"{taken.middle(lambda sample: sample.p99):,.0f}",
        f"{taken.spread:.0%}",
    )
