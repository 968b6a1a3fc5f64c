"""The shuffle: its cases hold, it can be written again from its description, and it is fair."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, permutations
from typing import Final

import pytest

from service.game.cards import FULL_PACK, Mask, card_code, cards_of, parse_mask
from service.game.fairness import commitment, shuffle
from tests.support.conformance import Json, read_questions

# ── The cases ──────────────────────────────────────────────────────────────────────────────────────────────


SHUFFLES: Final = read_questions("shuffles", "shuffles")
DRAWS: Final = read_questions("shuffles", "draws")
COMMITMENTS: Final = read_questions("proofs", "commitments")

# ── The shuffle, written again from SHUFFLE.md alone ────────────────────────────────────────────

PLAIN_PACK: Final = [rank + suit for suit in "CDHS" for rank in "6789TJQKA"]


class PlainStream:
    """The stream of bytes made from a purpose and a seed."""

    def __init__(self, purpose: str, seed: str) -> None:
        self.name = f"catch-the-ten/{purpose}/{seed}/"
        self.used = 0

    def byte(self) -> int:
        block, place = divmod(self.used, 32)
        self.used += 1
        return sha256((self.name + str(block)).encode()).digest()[place]

    def below(self, limit: int) -> int:
        byte = self.byte()
        while byte >= 256 // limit * limit:
            byte = self.byte()
        return byte % limit

    def shuffled(self, cards: list[str]) -> list[str]:
        cards = list(cards)
        for i in reversed(range(1, len(cards))):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def plain_draw(players: int, seed: str) -> tuple[list[dict[int, str]], int]:
    stream = PlainStream("draw", seed)
    pack: list[str] = []
    rounds: list[dict[int, str]] = []
    left = list(range(players))
    while len(left) > 1:
        if len(pack) < len(left):
            pack = stream.shuffled(PLAIN_PACK)
        drawn = dict(zip(left, pack, strict=False))
        pack = pack[len(left) :]
        rounds.append(drawn)
        best = max("6789TJQKA".index(card[0]) for card in drawn.values())
        left = [seat for seat in left if drawn[seat][0] == "6789TJQKA"[best]]
    return rounds, left[0]


# ── Tests ────────────────────────────────────────────────────────────────────────────────────────────────────

STRIPS: Final = ("", "6C", "6S", "6C 6D 6H 6S")


def order_of(seed: str, left_out: Mask = 0) -> list[str]:
    return [card_code(card) for card in shuffle.shuffle(FULL_PACK & ~left_out, seed)]


def rounds_of(players: int, seed: str) -> tuple[list[dict[int, str]], int]:
    rounds, dealer = shuffle.draw(players, seed)
    return [{seat: card_code(card) for seat, card in drawn.items()} for drawn in rounds], dealer


@pytest.mark.parametrize("case", SHUFFLES)
def test_a_seed_gives_the_order_in_the_cases(case: Json) -> None:
    assert order_of(case["seed"], parse_mask(tuple(case["strip"]))) == case["pack"]


@pytest.mark.parametrize("case", COMMITMENTS)
def test_a_secret_gives_the_commitment_and_the_seed_in_the_cases(case: Json) -> None:
    assert commitment.commit(case["secret"]) == case["commitment"]
    assert commitment.seed_from(case["secret"], tuple(case["entropy"])) == case["seed"]


def test_the_cases_hold_a_draw_with_one_redraw_and_one_with_two() -> None:
    assert {len(case["rounds"]) for case in DRAWS} >= {1, 2, 3}


@pytest.mark.parametrize("strip", STRIPS)
def test_the_shuffle_is_the_one_described_in_plain_words(strip: str) -> None:
    left_out = sum(1 << PLAIN_PACK.index(code) for code in strip.split())
    cards = [code for code in PLAIN_PACK if code not in strip.split()]
    for seed in (f"plain-{number}" for number in range(250)):
        assert order_of(seed, left_out) == PlainStream("deal", seed).shuffled(cards)


@pytest.mark.parametrize("players", range(2, 9))
def test_the_draw_is_the_one_described_in_plain_words(players: int) -> None:
    for number in range(100):
        assert rounds_of(players, f"plain-{number}") == plain_draw(players, f"plain-{number}")


@pytest.mark.parametrize("size", [2, 3, 17, 32, 35, 36])
def test_a_shuffle_keeps_every_card(size: int) -> None:
    cards = cards_of((1 << size) - 1)
    for number in range(100):
        assert sorted(shuffle.shuffle((1 << size) - 1, f"keep-{number}")) == list(cards)


@pytest.mark.parametrize("limit", range(1, 37))
def test_every_number_below_a_limit_comes_from_equally_many_bytes(limit: int) -> None:
    used = range(shuffle.FAIR[limit - 1])
    counts = Counter(byte % limit for byte in used)
    passed_over = 256 - len(used)
    assert counts == dict.fromkeys(range(limit), 256 // limit)
    assert passed_over == 256 % limit


def test_every_order_of_three_cards_comes_from_equally_many_choices() -> None:
    def made(first: int, second: int) -> tuple[int, ...]:
        return tuple(shuffle.shuffle_by(0b111, iter([first, second])))

    assert Counter(made(first, second) for first in range(3) for second in range(2)) == Counter(permutations(range(3)))


def test_every_card_comes_to_every_place_about_equally_often() -> None:
    """Of 3,600 shuffles each card is expected 100 times at each place, give or take 10; the seeds are fixed."""
    counts = Counter(
        place_and_card
        for number in range(3600)
        for place_and_card in enumerate(shuffle.shuffle(FULL_PACK, f"fair-{number}"))
    )
    assert len(counts) == 36 * 36
    assert min(counts.values()) > 50
    assert max(counts.values()) < 150


def test_another_seed_gives_another_order() -> None:
    assert len({tuple(order_of(f"seed-{number}")) for number in range(1000)}) == 1000


def test_the_deal_and_the_draw_of_a_seed_share_no_chance() -> None:
    def stream(purpose: shuffle.Purpose) -> Iterator[int]:
        return shuffle.bytes_of(purpose, "same")

    deal, draw = stream("deal"), stream("draw")
    assert [next(deal) for _ in range(32)] != [next(draw) for _ in range(32)]


@pytest.mark.parametrize("players", range(2, 9))
def test_only_seats_that_tied_for_the_highest_card_draw_again(players: int) -> None:
    for number in range(300):
        rounds, dealer = shuffle.draw(players, f"tie-{number}")
        drawing = list(range(players))
        for drawn in rounds:
            assert list(drawn) == drawing
            highest = max(card % 9 for card in drawn.values())
            drawing = [seat for seat, card in drawn.items() if card % 9 == highest]
        assert drawing == [dealer]


def test_no_card_is_drawn_twice_while_the_pack_lasts() -> None:
    for number in range(300):
        rounds, _ = shuffle.draw(8, f"tie-{number}")
        assert not any(set(one.values()) & set(other.values()) for one, other in combinations(rounds, 2))


def test_a_pack_too_short_for_another_draw_is_gathered_and_shuffled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards of one rank tie; with a pack of those two only, the second round needs the pack again."""
    packs = iter([[8, 17], [0, 1]])

    def next_pack(cards: Mask, stream: Iterator[int]) -> list[int]:
        return next(packs)

    monkeypatch.setattr(shuffle, "shuffle_by", next_pack)
    assert shuffle.draw(2, "any") == ([{0: 8, 1: 17}, {0: 0, 1: 1}], 1)


def test_every_seat_deals_about_equally_often() -> None:
    dealers = Counter(shuffle.draw(4, f"dealer-{number}")[1] for number in range(2000))
    assert all(400 < dealers[seat] < 600 for seat in range(4))
