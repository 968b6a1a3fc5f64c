"""Equivalent mutants are excused by lines that stand in the service, and by kind where no rule changes."""

import pytest

from tests.programs.mutation import EQUIVALENT, ROOT, leave_rule


def test_the_line_of_each_equivalent_mutant_stands_in_its_file() -> None:
    sources = {
        each.file: " ".join((ROOT / "service" / f"{each.file}.py").read_text(encoding="utf-8").split())
        for each in EQUIVALENT
    }
    assert [each.right for each in EQUIVALENT if each.right not in sources[each.file]] == []


@pytest.mark.parametrize(
    ("right", "wrong", "is_excused"),
    [
        ('detail = f"{one} of two."', 'detail = f"XX{one} of two.XX"', True),
        ("zip(one, other, strict=True)", "zip(one, other, )", True),
        ('Fault("too_long", 1, "A text.")', 'Fault("TOO_LONG", 1, "A text.")', False),
        ('Fault("too_long", 1, "A text.")', 'Fault("too_long", 2, "A text.")', False),
        ("zip(one, other, strict=True)", "zip(one, strict=True)", False),
    ],
)
def test_a_mutant_is_excused_by_kind_if_it_changes_a_text_for_people(right: str, wrong: str, is_excused: bool) -> None:
    assert (leave_rule(right) == leave_rule(wrong)) == is_excused
