"""The lenient facts are the base's, but for the class of risk of an edit."""

from mergequeue.documents.config import Configuration, UnitTable
from mergequeue.facts.lenient import LenientFacts
from mergequeue.facts.units import UnitFacts
from mergequeue.vocabulary.ids import RepoPath, Unit

CODE, MADE = RepoPath(b"src/code.py"), RepoPath(b"src/made.py")
FACTS = UnitFacts(
    Configuration(
        unit={
            Unit("src"): UnitTable(
                paths=("src/**",), outputs=("src/made.py",), generator=("src/gen/**",)
            )
        }
    )
)
LENIENT = LenientFacts(FACTS)


def test_an_edit_settles_whatever_its_risk_is() -> None:
    assert not FACTS.auto_resolve(CODE, b"x = 1\n", b"x = 2\n").settles
    assert LENIENT.auto_resolve(CODE, b"x = 1\n", b"x = 2\n").settles


def test_everything_else_is_what_the_base_says() -> None:
    assert LENIENT.outputs([CODE, MADE]) == FACTS.outputs([CODE, MADE])
    assert MADE in LENIENT.outputs([CODE, MADE]).outputs
    assert LENIENT.affected([CODE]) == FACTS.affected([CODE])
    assert LENIENT.affected_many([[CODE], []]) == FACTS.affected_many([[CODE], []])
    assert LENIENT.all_units() == FACTS.all_units()
    assert LENIENT.generation([MADE], [CODE]) == FACTS.generation([MADE], [CODE])
