import pytest

from mergequeue.plan.batches import next_batch


@pytest.mark.parametrize(
    ("pending", "size", "batch"),
    [("abc", 1, ("a",)), ("abc", 2, ("a", "b")), ("abc", 8, ("a", "b", "c")), ("", 3, ())],
)
def test_a_batch_is_the_front_of_the_line(pending: str, size: int, batch: tuple[str, ...]) -> None:
    assert next_batch(pending, size) == batch
