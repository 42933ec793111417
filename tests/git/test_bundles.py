"""A candidate travels as a bundle, and one that anybody wrote harms nothing (facts 3.6)."""

import struct
import subprocess
import tempfile
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1, sha256
from pathlib import Path

import pytest

from mergequeue.git.bundle_form import BundleFormError, parse_bundle
from mergequeue.git.packs import format_pack
from mergequeue.git.workshop import Workshop, open_workshop
from mergequeue.ports import Bundle
from mergequeue.vocabulary.identity import QUEUE
from mergequeue.vocabulary.ids import BranchName, CommitId, RepoPath, TreeId
from mergequeue.vocabulary.limits import REGENERATED_BYTES
from tests.support.repositories import EXECUTABLE, FILE, Content, Playground

DATE = datetime(2024, 1, 1, tzinfo=UTC)
SIGNED = (QUEUE, DATE)


@dataclass
class Ends:
    """Two workshops on one origin: where a bundle is packed, and where it is loaded."""

    playground: Playground
    packing: Workshop
    loading: Workshop
    merge: CommitId

    def bundle(self, files: dict[str, Content]) -> tuple[bytes, CommitId]:
        """Return the bundle of a commit on the merge, and that commit."""
        commit = self.playground.commit(files, parents=self.merge, message="Files\n")
        return self.packed(commit), commit

    def packed(self, commit: CommitId, *beneath: str) -> bytes:
        words = [f"^{one}" for one in beneath or (self.merge,)]
        self.playground.branch("bundled", commit)
        raw = self.playground.run("bundle", "create", "-", "refs/heads/bundled", *words)
        self.playground.delete_branch("bundled")
        return raw

    @contextmanager
    def loaded(self, raw: bytes, commit: CommitId) -> Iterator[Bundle | str]:
        with self.loading.bundles.load(raw, commit, self.merge) as found:
            yield found

    def problem(self, raw: bytes, commit: CommitId) -> str:
        with self.loaded(raw, commit) as found:
            assert isinstance(found, str), "it loaded"
            return found

    def objects(self) -> set[str]:
        """Return the files that the loading store holds."""
        return {
            str(path.relative_to(self.loading.objects))
            for path in self.loading.objects.rglob("*")
            if path.is_file()
        }


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ends]:
    playground = Playground(tmp_path_factory.mktemp("bundles"))
    files: dict[str | bytes, Content] = {
        "a": "1\n",
        "gen/x": "".join(f"line {number}\n" for number in range(2000)),
        "gen/run": (EXECUTABLE, "2\n"),
    }
    head = playground.branch("main", playground.commit(files))
    clones = [playground.clone("packing"), playground.clone("loading")]
    with open_workshop(clones[0], "origin") as packing, open_workshop(clones[1], "origin") as other:
        merges = set()
        for shop in (packing, other):
            shop.reads.fetch_branch(BranchName("main"))
            tree = shop.reads.tree_of(head)
            merges.add(
                shop.builds.write_commit(tree, [head], "Merge\n", author=SIGNED, committer=SIGNED)
            )
        (merge,) = merges
        # The attacker's own repository has it too.
        raw = packing.repository[merge].read_raw()
        assert playground.write(1, raw) == merge
        yield Ends(playground, packing, other, merge)


def test_a_packed_candidate_loads_and_gives_its_very_tree(ends: Ends) -> None:
    files: dict[str, Content] = {"gen/x": "new\n", "gen/run": None, "gen/y": (EXECUTABLE, "3\n")}
    tree = TreeId(ends.playground.tree(files, start=ends.merge))
    # Written again in the packing workshop, as a regeneration would.
    pack = ends.playground.run("pack-objects", "--revs", "--stdout", stdin=f"{tree}\n".encode())
    subprocess.run(
        ["git", "-C", str(ends.packing.objects.parent), "unpack-objects", "-q"],
        input=pack,
        check=True,
    )
    commit = ends.packing.builds.write_commit(
        tree, [ends.merge], "Files\n", author=SIGNED, committer=SIGNED
    )
    raw = ends.packing.bundles.pack(commit, ends.merge)
    assert raw.startswith(b"# v2 git bundle\n-" + ends.merge.encode())
    with ends.loaded(raw, commit) as found:
        assert not isinstance(found, str), found
        assert found.parents == (ends.merge,)
        assert [(each.path, each.old_mode, each.new_mode) for each in found.differences] == [
            (b"gen/run", EXECUTABLE, 0),
            (b"gen/x", FILE, FILE),
            (b"gen/y", 0, EXECUTABLE),
        ]
        assert found.take() == tree
    assert ends.loading.reads.read_file(tree, RepoPath(b"gen/x")) == b"new\n"
    assert list(ends.packing.repository.references) == []


def test_nothing_of_a_bundle_is_in_the_store_before_it_is_taken_nor_anything_else_after(
    ends: Ends,
) -> None:
    raw, commit = ends.bundle({"gen/x": "taken\n"})
    before = ends.objects()
    with ends.loaded(raw, commit) as found:
        assert not isinstance(found, str), found
        assert ends.objects() == before
        found.take()
    # A file and two folders; neither the commit nor a pack.
    assert len(ends.objects() - before) == 3
    assert not [name for name in ends.objects() if name.startswith("pack/")]
    assert not [
        path for path in ends.loading.objects.parent.parent.iterdir() if path.name[0] == "q"
    ]


def test_small_edits_travel_as_deltas(ends: Ends) -> None:
    content = "".join(f"line {number}\n" for number in range(2001))
    raw, commit = ends.bundle({"gen/x": content})
    assert len(raw) < 1000
    with ends.loaded(raw, commit) as found:
        assert not isinstance(found, str), found
        assert ends.loading.reads.read_file(found.take(), RepoPath(b"gen/x")) == content.encode()


def changed(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        assert old in raw
        return raw.replace(old, new, 1)

    return change


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "it is no git bundle"),
    "another version": (changed(b"# v2", b"# v3"), "it is no git bundle"),
    "a capability": (changed(b"bundle\n", b"bundle\n@filter=blob:none\n"), "its header names"),
    "a header alone": (lambda raw: raw.partition(b"\n\n")[0], "its header does not end"),
    "many heads": (changed(b"bundle\n", b"bundle\n" + b"-" + b"0" * 40 + b"\n" * 1), "alone"),
    "a long header": (changed(b"bundle\n", b"bundle\n" + b"0\n" * 200), "its header does not end"),
    "no pack": (lambda raw: raw.partition(b"\n\n")[0] + b"\n\n", "it holds no pack"),
    "a cut pack": (lambda raw: raw[: raw.index(b"PACK") + 40], "an object in it"),
    "a pack without its sum": (lambda raw: raw[:-20], "git does not take it"),
    "a wrong sum": (lambda raw: raw[:-1] + bytes([raw[-1] ^ 1]), "git does not take it"),
    "many objects": (
        lambda raw: raw[: raw.index(b"PACK") + 8] + b"\xff" * 4 + raw[raw.index(b"PACK") + 12 :],
        "it holds more objects",
    ),
}


@pytest.mark.parametrize(("broken", "problem"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_bundle_is_not_loaded(
    ends: Ends, broken: Callable[[bytes], bytes], problem: str
) -> None:
    raw, commit = ends.bundle({"gen/x": "broken\n"})
    before = ends.objects()
    assert problem in ends.problem(broken(raw), commit)
    assert ends.objects() == before


def test_one_that_lacks_the_commit_is_not_loaded(ends: Ends) -> None:
    raw, _ = ends.bundle({"gen/x": "one\n"})
    _, other = ends.bundle({"gen/x": "other\n"})
    assert ends.problem(raw, other) == f"it lacks the commit {other[:12]}"


def test_one_that_says_it_holds_the_commit_and_does_not_is_not_loaded(ends: Ends) -> None:
    raw, commit = ends.bundle({"gen/x": "one\n"})
    _, other = ends.bundle({"gen/x": "never packed\n"})
    lying = raw.replace(commit.encode(), other.encode())
    assert ends.problem(lying, other) == f"the object {other} is missing"


def test_one_on_another_commit_is_not_loaded(ends: Ends) -> None:
    other = ends.playground.commit({"a": "2\n"}, parents=ends.merge)
    commit = ends.playground.commit({"gen/x": "x\n"}, parents=other)
    assert "alone" in ends.problem(ends.packed(commit, other), commit)
    # With that commit in it as well, it loads, and says what it stands on.
    with ends.loaded(ends.packed(commit), commit) as found:
        assert not isinstance(found, str), found
        assert found.parents == (other,)


def packed(ends: Ends, *objects: tuple[int, bytes], head: str = "") -> tuple[bytes, CommitId]:
    """Return a bundle of objects as they stand, the last of which is the commit."""
    ids = {}
    for kind, content in objects:
        name = {1: b"commit", 2: b"tree", 3: b"blob"}[kind]
        ids[sha1(b"%s %d\0%s" % (name, len(content), content)).digest()] = (kind, content)  # noqa: S324 (git's)
    commit = head or list(ids)[-1].hex()
    pack, _ = format_pack(ids)
    header = f"# v2 git bundle\n-{ends.merge}\n{commit} refs/heads/x\n\n"
    return header.encode() + pack, CommitId(commit)


def commit_of(ends: Ends, tree: bytes) -> bytes:
    id_ = sha1(b"tree %d\0%s" % (len(tree), tree)).hexdigest()  # noqa: S324 (git's)
    who = "a <b@c> 1700000000 +0000"
    return f"tree {id_}\nparent {ends.merge}\nauthor {who}\ncommitter {who}\n\nm\n".encode()


@pytest.mark.parametrize(
    "entry",
    [b"100644 .git\0", b"100644 ..\0", b"100644 a/b\0", b"40000 .GIT\0", b"100644 \0"],
    ids=repr,
)
def test_a_tree_that_git_would_never_write_is_not_loaded(ends: Ends, entry: bytes) -> None:
    blob = b"x"
    id_ = sha1(b"blob 1\0x").digest()  # noqa: S324 (git's)
    tree = entry + id_
    raw, commit = packed(ends, (3, blob), (2, tree), (1, commit_of(ends, tree)))
    assert "git does not take it" in ends.problem(raw, commit)


def test_a_tree_whose_files_are_missing_is_not_loaded(ends: Ends) -> None:
    tree = b"100644 a\0" + bytes(range(20))
    raw, commit = packed(ends, (2, tree), (1, commit_of(ends, tree)))
    assert ends.problem(raw, commit)


def test_a_link_to_the_modules_of_submodules_is_not_loaded(ends: Ends) -> None:
    target = b"/etc/passwd"
    id_ = sha1(b"blob %d\0%s" % (len(target), target)).digest()  # noqa: S324 (git's)
    tree = b"120000 .gitmodules\0" + id_
    raw, commit = packed(ends, (3, target), (2, tree), (1, commit_of(ends, tree)))
    assert "gitmodules" in ends.problem(raw, commit)


# --- what unpacks to more than it is ---------------------------------------------------------


def bomb(ends: Ends, kind: int, says: int, content: bytes, after_header: bytes = b"") -> bytes:
    """Return a bundle of one object that says how large it is."""
    size = says
    header = bytearray()
    byte, size = (kind << 4) | (size & 15), size >> 4
    while size:
        header.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    header.append(byte)
    body = (
        b"PACK" + struct.pack(">II", 2, 1) + bytes(header) + after_header + zlib.compress(content)
    )
    pack = body + sha1(body).digest()  # noqa: S324 (git's)
    return f"# v2 git bundle\n-{ends.merge}\n{'1' * 40} refs/heads/x\n\n".encode() + pack


def form_problem(raw: bytes) -> str:
    with pytest.raises(BundleFormError) as refused:
        parse_bundle(raw)
    return str(refused.value)


def test_a_file_that_unpacks_to_too_much_is_refused_unpacked_no_further(ends: Ends) -> None:
    zeros = bytes(2 * REGENERATED_BYTES + 1)
    raw = bomb(ends, 3, len(zeros), zeros)
    assert len(raw) < len(zeros) // 500
    assert form_problem(raw) == "it unpacks to more than a regeneration may write"
    # What it says is enough, whatever it is.
    assert form_problem(bomb(ends, 3, 1 << 50, b"x")) == (
        "it unpacks to more than a regeneration may write"
    )
    # And one that says it is small.
    assert "not as large as it says" in form_problem(bomb(ends, 3, 10, zeros))
    assert "not as large as it says" in form_problem(bomb(ends, 3, 10, b"nine byte"))


def number(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def test_a_delta_that_makes_too_much_is_refused_before_git_sees_it(ends: Ends) -> None:
    made = 2 * REGENERATED_BYTES + 1
    delta = number(1) + number(made) + b"\x91\x00\x01"
    raw = bomb(ends, 7, len(delta), delta, after_header=bytes.fromhex("2" * 40))
    assert form_problem(raw) == "it unpacks to more than a regeneration may write"
    assert "its pack ends" in form_problem(bomb(ends, 7, 0, b"", after_header=b"\0" * 20))


@pytest.mark.parametrize("cut", [12, 13, 14, 20])
def test_a_pack_that_ends_too_soon_is_refused(ends: Ends, cut: int) -> None:
    raw, _ = ends.bundle({"gen/x": "cut\n"})
    start = raw.index(b"PACK")
    assert form_problem(raw[: start + cut])


@pytest.mark.parametrize("start", [b"\xb5", b"\x61"], ids=["a size", "an offset"])
def test_a_number_without_an_end_is_read_no_further(start: bytes) -> None:
    header = b"# v2 git bundle\n-" + b"a" * 40 + b"\n" + b"b" * 40 + b" refs/x\n\n"
    pack = b"PACK" + struct.pack(">II", 2, 1) + start + b"\xff" * 1000
    assert form_problem(header + pack) == "a number in it has no end"


def test_what_follows_an_object_is_not_copied_with_it(ends: Ends) -> None:
    large = b"".join(sha256(struct.pack(">I", each)).digest() for each in range(60_000))
    raw, _ = packed(ends, (3, b"x"), (3, large))
    tracemalloc.start()
    parse_bundle(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The pack itself is there twice: without the first line, and without the header.
    assert peak < 2.6 * len(raw)


def test_what_does_not_unpack_is_refused(ends: Ends) -> None:
    raw, _ = ends.bundle({"gen/x": "garbled\n"})
    start = raw.index(b"PACK") + 14
    assert form_problem(raw[:start] + b"\xff" * 30 + raw[start + 30 :])


def test_a_folder_for_what_was_loaded_is_gone_afterwards(ends: Ends) -> None:
    raw, commit = ends.bundle({"gen/x": "gone\n"})
    home = ends.loading.objects.parent.parent
    with ends.loaded(raw, commit):
        assert [path for path in home.iterdir() if path.name.startswith("q")]
    assert not [path for path in home.iterdir() if path.name.startswith("q")]


def test_a_bundle_loads_wherever_the_temporary_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A longer one than some is passed over for a shorter.
    odd = tempfile.TemporaryDirectory(prefix='a:"b', dir="/tmp")
    monkeypatch.setattr(tempfile, "tempdir", odd.name)
    playground = Playground(tmp_path / "project")
    base = playground.branch("main", playground.commit({"gen/x": "1\n" * 500}))
    commit = playground.commit({"gen/x": "1\n" * 501}, parents=base)
    playground.branch("bundled", commit)
    raw = playground.run("bundle", "create", "-", "refs/heads/bundled", f"^{base}")
    with (
        odd,
        open_workshop(playground.clone(), "origin") as shop,
        shop.bundles.load(raw, commit, base) as found,
    ):
        assert str(shop.objects).startswith(odd.name)
        assert not isinstance(found, str), found
