"""The archive of what engines compile: nothing that happens to it or to a worker gives a torn or foreign entry."""

from __future__ import annotations

import os
import random
from pathlib import Path
from zipfile import ZipFile

import pytest

from conformance.running import cache


def lent(archive: Path, folder: Path) -> dict[str, bytes]:
    """The files in a worker's folder."""
    cache.lend(archive, folder)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def kept(archive: Path, folder: Path, **entries: bytes) -> Path:
    """The archive, after a worker that began with it has added entries."""
    cache.lend(archive, folder)
    (folder / "engine-1").mkdir(exist_ok=True)
    for name, content in entries.items():
        (folder / "engine-1" / name).write_bytes(content)
    cache.keep(folder, archive)
    return archive


def test_a_worker_has_the_entries_of_earlier_workers(tmp_path: Path) -> None:
    archive = kept(tmp_path / "x.zip", tmp_path / "1", a=b"1" * 100)
    kept(archive, tmp_path / "2", b=b"2")
    assert lent(archive, tmp_path / "3") == {"engine-1/a": b"1" * 100, "engine-1/b": b"2"}


def test_two_workers_at_once_keep_what_both_have_added(tmp_path: Path) -> None:
    """The one that ends last began before the other had added anything."""
    archive = tmp_path / "x.zip"
    for name in "ab":
        cache.lend(archive, tmp_path / name)
        (tmp_path / name / name).write_bytes(b"1")
    for name in "ab":
        cache.keep(tmp_path / name, archive)
    assert lent(archive, tmp_path / "c") == {"a": b"1", "b": b"1"}


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_archive_lends_only_what_was_kept_and_is_made_anew(tmp_path: Path, seed: int) -> None:
    """Truncated, overwritten or garbage: an entry comes out as it went in, or not at all."""
    entries = {f"e{number}": random.Random(number).randbytes(400) for number in range(5)}
    archive = kept(tmp_path / "x.zip", tmp_path / "1", **entries)
    whole, chance = bytearray(archive.read_bytes()), random.Random(seed)
    if seed % 3 == 0:
        del whole[chance.randrange(len(whole)) :]
    elif seed % 3 == 1:
        # A single bit, which only a checksum can notice.
        whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
    else:
        whole[:] = chance.randbytes(len(whole))
    archive.write_bytes(whole)
    found = lent(archive, tmp_path / "2")
    assert set(found.values()) <= set(entries.values())
    kept(archive, tmp_path / "3", new=b"new")
    assert lent(archive, tmp_path / "4")["engine-1/new"] == b"new"


def test_an_archive_that_has_grown_too_large_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = kept(tmp_path / "x.zip", tmp_path / "1", old=b"1" * 100)
    monkeypatch.setattr(cache, "LARGEST", 50)
    assert lent(kept(archive, tmp_path / "2", new=b"2"), tmp_path / "3") == {"engine-1/new": b"2"}


# Missing, no folder, not to be written (not even by root), and below a file.
@pytest.mark.parametrize("where", ["no/folder/x.zip", "/dev/full/x.zip", "/proc/x.zip", "file/x.zip"])
def test_where_nothing_can_be_kept_a_worker_is_lent_nothing(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    archive = kept(tmp_path / where, tmp_path / "1", a=b"1")
    assert lent(archive, tmp_path / "2") == {}


def test_nothing_is_kept_from_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last entries may be torn, and no later run would replace them."""
    # More room than any disk has.
    monkeypatch.setattr(cache, "ROOM", 2**70)
    assert not kept(tmp_path / "x.zip", tmp_path / "1", a=b"1").exists()


def test_a_folder_that_a_cell_has_removed_changes_nothing(tmp_path: Path) -> None:
    archive = kept(tmp_path / "x.zip", tmp_path / "1", a=b"1")
    cache.keep(tmp_path / "gone", archive)
    assert lent(archive, tmp_path / "2") == {"engine-1/a": b"1"}


def test_the_archive_holds_no_path_above_the_workers_folder(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "x.zip", "w") as written:
        written.writestr("../outside", b"1")
    lent(tmp_path / "x.zip", tmp_path / "1")
    assert not (tmp_path / "outside").exists()


def test_the_users_cache_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.platformdirs, "user_cache_path", lambda *words, **options: tmp_path / "made")
    folder, reason = cache.cache_folder()
    assert folder is not None
    assert (folder.parent, reason) == (tmp_path / "made", "")
    assert os.name == "nt" or folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("where", ["~/.cache", "/dev/full/made", "/proc/made"])
def test_without_a_place_for_it_there_is_a_reason(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.setattr(cache.platformdirs, "user_cache_path", lambda *words, **options: Path(where))
    folder, reason = cache.cache_folder()
    assert folder is None
    assert where in reason
