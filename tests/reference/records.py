"""The record of a game with hidden hands, read by trying every hand that its seats can have held.

Written from what a record shows, with strings and lists, to check the main engine against. A play is legal if it is so
by every such hand, illegal if by none, else undecided. Every card counts that lay on the table up to where the record
can be read, whether it was legal or not.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from tests.reference import engine
from tests.reference.engine import State
from tests.reference.fillings import Place, cards_not_in_sight, hand_at, last_place, strips_of

Json = dict[str, Any]


class Judged(NamedTuple):
    """The verdict on a play: the rule against it by one hand or another, None where it is legal by some hand."""

    seat: int
    card: str
    reasons: frozenset[str | None]
    legal_cards: list[str] | None


class Read(NamedTuple):
    """A deal of a record as it is read: its verdicts, what is irregular, its last state, and if its end was reached."""

    verdicts: list[Judged]
    wrong: list[Json]
    end: State
    whole: bool

    @property
    def is_open(self) -> bool:
        """If nobody knows how the deal ended."""
        return not self.whole or engine.phase(self.end) == "playing"


def read_record(record: Json) -> tuple[list[Read], list[Json]]:
    """The readable deals of a record, and all irregularities with their places."""
    deals: list[Read] = []
    wrong: list[Json] = []
    for number, dealt in enumerate(record["deals"]):
        before = deals[-1].end if deals else None
        phase = engine.phase(before) if before else "deal_over"
        is_open = any(deal.is_open for deal in deals)
        if phase == "game_over":
            wrong.append(_irregular("dealt_after_game", number))
            if not is_open:
                continue
        elif phase == "playing":
            wrong.append(_irregular("deal_not_finished", number))
        elif before and dealt["dealer"] != (before["dealer"] + 1) % len(dealt["hands"]):
            wrong.append(_irregular("wrong_dealer", number))
        scores = record.get("scores") or [0] * len(record["sides"])
        if before:
            counts_nothing = is_open and (deals[-1].is_open or phase == "game_over")
            scores = before["scores"] if counts_nothing else engine.scores_carried_on(before)
        read = _read_deal(record, number, first_state(record, number, scores))
        deals.append(_end(read, dealt["ended_by"], number) if "ended_by" in dealt else read)
        wrong += deals[-1].wrong
    return deals, wrong


def _end(read: Read, claim: Json, number: int) -> Read:
    """The deal after a claim or a concession: one side has taken everything that was not taken."""
    state, told = read.end, _irregular("claim_not_counted", number)
    read.wrong.append(told)
    if not read.whole or engine.phase(state) != "playing":
        return read
    hands = [*state["hands"], *(hand for later in state["later_hands"] for hand in later)]
    left: list[str] = [*state["trick"], *(card for hand in hands if not isinstance(hand, int) for card in hand)]
    unseen = sum(hand for hand in hands if isinstance(hand, int))
    if unseen:
        hidden = cards_not_in_sight(state)
        out, choice = strips_of(state)
        stripped = [card for card in hidden if card in choice] if len(choice & set(hidden)) == out else []
        hidden = [card for card in hidden if card not in stripped]
        if len(hidden) != unseen:
            return read
        left += hidden
    mine = next(at for at, seats in enumerate(state["sides"]) if claim["seat"] in seats)
    side = mine if claim["how"] == "claim" else 1 - mine
    taken = [pile + left if at == side else pile for at, pile in enumerate(state["taken"])]
    told["code"] = "deal_claimed" if claim["how"] == "claim" else "deal_conceded"
    end: Json = {**state, "hands": [[] for _ in state["hands"]], "later_hands": [], "trick": [], "taken": taken}
    return read._replace(end={**end, "leader": state["sides"][side][0]})


def winners(deals: list[Read]) -> list[int]:
    """The winners of a record; none if nobody knows how one of its deals ended."""
    return [] if not deals or any(deal.is_open for deal in deals) else engine.winners(deals[-1].end)


def _irregular(code: str, deal: int, play: int | None = None, field: str = "plays", at: int | None = None) -> Json:
    place = f"/deals/{deal}" if play is None else f"/deals/{deal}/{field}/{play if at is None else at}"
    return {"pointer": place, "deal_index": deal, "play_index": play, "code": code}


def first_state(record: Json, number: int, scores: list[int]) -> State:
    dealt = record["deals"][number]
    return {
        "rules": record["rules"],
        "sides": record["sides"],
        "dealer": dealt["dealer"],
        "deal": 1 + number,
        "scores": scores,
        "turn_up": dealt["turn_up"],
        "hands": dealt["hands"],
        "later_hands": dealt["later_hands"],
        "leader": (dealt["dealer"] + 1) % len(dealt["hands"]),
        "trick": [],
        "taken": [[] for _ in record["sides"]],
        "revoked": None,
    }


def _read_deal(record: Json, number: int, state: State) -> Read:
    dealt, penalise = record["deals"][number], record["on_revoke"] == "penalise"
    named = {revoke["play_index"] for revoke in dealt["revokes_found"]}
    plays, slips = order_read(dealt["plays"], state)
    order = [play["written"] for play in plays]
    laid = states_laid(plays, state)
    deal = Read([], [], state, whole=True)
    for at, play in enumerate(plays):
        phase, written = engine.phase(state), order[at]
        deal.wrong.extend(_told(slips, at, number, phase, order))
        if play.get("missing"):
            state = laid[at + 1] if phase == "playing" else state
            continue
        if phase != "playing":
            late = "played_after_deal" if phase == "deal_over" else "played_after_game"
            deal.wrong.append(_irregular(late, number, written))
            continue
        if play["seat"] != engine.turn(state):
            deal.wrong.extend(_irregular(code, number, written) for code in ("out_of_turn", "reading_stopped"))
            return deal._replace(end=state, whole=False)
        judged = _judge(plays, laid, at, found=written in named)
        deal.verdicts.append(judged)
        if None not in judged.reasons:
            deal.wrong.append(_irregular("illegal_play", number, written))
        if "not_in_hand" in judged.reasons:
            deal.wrong.append(_irregular("reading_stopped", number, written))
            return deal._replace(end=state, whole=False)
        ends = penalise and None not in judged.reasons and written not in named
        state = engine.let_stand(state, play["card"]) if ends else laid[at + 1]
        read = [each["written"] for each in plays[: at + 1] if not each.get("missing")]
        state = _find_revokes(record, number, read, order[at + 1 :], deal, state)
    deal.wrong.extend(_told(slips, len(plays), number, engine.phase(state), order))
    return deal._replace(end=state)


def _told(slips: list[tuple[int, int, str]], at: int, deal: int, phase: str, order: list[int]) -> list[Json]:
    """The slips before a play; after the end, what was not made there came too late like any other play."""
    here = [(written, code) for before, written, code in slips if before == at]
    if phase == "playing":
        return [_irregular(code, deal, written) for written, code in here]
    late = "played_after_deal" if phase == "deal_over" else "played_after_game"
    return [_irregular(late, deal, written) for written, _ in here if written not in order]


def order_read(written: list[Json], state: State) -> tuple[list[Json], list[tuple[int, int, str]]]:
    """The plays as they are read, and each slip: how many plays were read before it, where it was written, and what."""
    plays = [{**play, "written": at} for at, play in enumerate(written)]
    order: list[int] = []
    slips: list[tuple[int, int, str]] = []
    left = list(range(len(plays)))
    players = len(state["hands"])

    def fit(*tried: int) -> bool:
        """If these plays can be laid after those read, each by the seat whose turn it is and from its hand."""
        made = [plays[at] for at in (*order, *tried)]
        return len(states_laid(made, state)) == len(made) + 1

    while left:
        again = [
            size
            for size in range(players, 0, -1)
            if left[0] >= size <= len(left)
            and all(written[at] == written[at - size] for at in left[:size])
            and fit(*left[size : size + 1])
        ]
        end = states_laid([plays[at] for at in order], state)[-1]
        if fit(left[0]):
            order.append(left.pop(0))
        elif _is_played_out(end):
            break
        elif len(left) > 1 and fit(left[1], left[0], *left[2:3]):
            slips.append((len(order), left[0], "plays_exchanged"))
            order += (left.pop(1), left.pop(0))
        elif again:
            slips += [(len(order), left.pop(0), "plays_repeated") for _ in range(again[0])]
        elif len(left) > 1 and fit(*left[1:3]):
            turn = (end["leader"] + len(end["trick"])) % players
            code = "card_not_held" if plays[left[0]]["seat"] == turn else "out_of_turn"
            slips.append((len(order), left.pop(0), code))
        else:
            ways = ways_to_repair(plays, state)
            return ways[0] if len(ways) == 1 else ([plays[at] for at in (*order, *left)], slips)
    return [plays[at] for at in (*order, *left)], slips


def ways_to_repair(plays: list[Json], state: State) -> list[tuple[list[Json], list[tuple[int, int, str]]]]:
    """Each way to add a play, or to give a play another card, that makes all plays legal; with the slip that it is."""
    ways: list[tuple[list[Json], list[tuple[int, int, str]]]] = []
    misfit = len(states_laid(plays, state)) - 1
    for at, before in enumerate(states_laid(plays, state)):
        seat = (before["leader"] + len(before["trick"])) % len(before["hands"])
        assumed = {"seat": seat, "written": plays[at]["written"]}
        may_be_wrong = plays[at]["seat"] == seat and plays[at]["card"] == plays[misfit]["card"]
        for follow, may_be, code in (
            (plays[at:], True, "play_missing"),
            (plays[at + 1 :], may_be_wrong, "card_mistyped"),
        ):
            for card in _cards_to_assume(before, seat, follow) if may_be else []:
                play = {**assumed, "card": card, "missing": code == "play_missing"}
                if _are_legal(state, [*plays[:at], play, *follow]):
                    ways.append(([*plays[:at], play, *follow], [(at, at, code)]))
    return ways


def _cards_to_assume(state: State, seat: int, follow: list[Json]) -> list[str]:
    """The cards of a hand that are not played later; of a hidden hand the last card that there is, if it is one."""
    hand, later = state["hands"][seat], {play["card"] for play in follow}
    if not isinstance(hand, int):
        return [card for card in hand if card not in later]
    left = [card for card in cards_not_in_sight(state) if card not in later and _can_hold(state, seat, card)]
    return left if len(left) == 1 else []


def _are_legal(state: State, plays: list[Json]) -> bool:
    """If all plays can be laid, and each of a hand that is shown is legal, also after a side has reached game."""
    states = states_laid(plays, {**state, "scores": [-1000 for _ in state["scores"]]})
    return len(states) == len(plays) + 1 and all(
        isinstance(at["hands"][play["seat"]], int) or engine.verdict(at, play["card"]) is None
        for at, play in zip(states, plays, strict=False)
    )


def _is_played_out(state: State) -> bool:
    return not any(state["hands"]) and not state["later_hands"]


def _find_revokes(record: Json, number: int, read: list[int], left: list[int], deal: Read, state: State) -> State:
    """The state after the revokes found before the plays left; the earliest that is penalised ends the deal."""
    revokes: list[Json] = record["deals"][number]["revokes_found"]
    for index, revoke in sorted(enumerate(revokes), key=lambda found: int(found[1]["play_index"])):
        play: int = revoke["play_index"]
        is_found = read[-1] <= revoke["after_index"] and all(revoke["after_index"] < at for at in left)
        judged = deal.verdicts[read.index(play)] if is_found and play in read else None
        if is_found and (judged is None or None in judged.reasons):
            deal.wrong.append(_irregular("no_revoke", number, play, "revokes_found", index))
        elif judged and record["on_revoke"] == "penalise" and state["revoked"] is None:
            state = {**state, "revoked": judged.seat}
    return state


def states_laid(plays: list[Json], state: State) -> list[State]:
    """The states of a deal as its cards are laid, up to one that is out of turn, or that its seat cannot hold."""
    states = [state]
    for play in plays:
        state = states[-1]
        over = _is_played_out(state)
        turn = (state["leader"] + len(state["trick"])) % len(state["hands"])
        if over or play["seat"] != turn or not _can_hold(state, play["seat"], play["card"]):
            break
        states.append(engine.lay(state, play["card"]))
    return states


def _can_hold(state: State, seat: int, card: str) -> bool:
    hand = state["hands"][seat]
    if isinstance(hand, list):
        return card in hand
    return any(card in one for one in hands_alike(state, Place(seat, 0), first=card))


def _judge(plays: list[Json], laid: list[State], at: int, *, found: bool) -> Judged:
    """The verdict on a play by every hand that its seat can have held; a table that found a revoke is believed."""
    judged = judge_by(laid[at], plays[at], hands_at(plays, laid, at))
    return judged._replace(reasons=judged.reasons - {None}) if found and len(judged.reasons) > 1 else judged


def judge_by(state: State, play: Json, hands: Iterable[list[str]]) -> Judged:
    """The verdict on a play by each of these hands of its seat."""
    seat, card = play["seat"], play["card"]
    filled = [{**state, "hands": [*state["hands"][:seat], hand, *state["hands"][seat + 1 :]]} for hand in hands]
    legal = [sorted(engine.legal_cards(one)) for one in filled]
    alike = all(cards == legal[0] for cards in legal)
    return Judged(seat, card, frozenset(engine.verdict(one, card) for one in filled), legal[0] if alike else None)


def hands_at(plays: list[Json], laid: list[State], at: int) -> list[list[str]]:
    """The hands that a seat can have held before a play, up to cards that are alike: it held what it played later."""
    seat = plays[at]["seat"]
    hand = laid[at]["hands"][seat]
    if isinstance(hand, list):
        return [hand]
    later = [play["card"] for play in plays[at : len(laid) - 1] if play["seat"] == seat][:hand]
    return [later + rest for rest in hands_alike(laid[-1], Place(seat, 0))] if len(later) < hand else [later]


def hands_alike(state: State, place: Place, first: str = "") -> Iterator[list[str]]:
    """Every hand that can lie at a place, with any cards in the trick, up to cards that no rule tells apart.

    Of several cards of a kind, there are the first ones and the last ones; a card that is named is the first.
    """
    size = hand_at(state, place)
    assert isinstance(size, int)
    cards = sorted(cards_not_in_sight(state), key=lambda card: card != first)
    turn_up = [card for card in cards if card == state["turn_up"]]
    mine = turn_up if place == last_place(state) else []
    out, choice = strips_of(state)
    kinds = [
        [card for card in cards if card[1] == suit and (card in choice) is chosen and card not in turn_up]
        for suit in engine.SUITS
        for chosen in (True, False)
    ]
    for counts in product(*(range(min(len(kind), size) + 1) for kind in kinds)):
        # Of each second kind, the others are chosen from to be out of the pack.
        left = sum(len(kind) - count for kind, count in list(zip(kinds, counts, strict=True))[::2])
        if sum(counts) == size - len(mine) and left >= out:
            yield mine + [card for kind, count in zip(kinds, counts, strict=True) for card in kind[:count]]
            yield mine + [card for kind, count in zip(kinds, counts, strict=True) for card in kind[len(kind) - count :]]
