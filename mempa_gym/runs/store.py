"""A run on disk: one SQLite file in a directory, one transaction a slot.

SQLite in WAL mode survives a kill at any instant: a slot is either all there or not at all. The file holds the run's
identity, so that a directory describes itself and is never continued by a command that means another run. Who plays a
run holds its lock, which the system lets go of whenever that process ends, however it ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from mempa_gym.errors import RunError
from mempa_gym.runs.codec import canonical

__all__ = ["FILE", "Row", "RunStore", "is_free"]

FILE = "run.sqlite"
_LOCK = "run.lock"
# A run is made under another name and takes its own when it is whole; what a kill leaves of that is nobody's run.
_UNFINISHED = "run.sqlite.new"
_FORMAT = 2
_NO_ACCESS = (sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE slots (
    position INTEGER PRIMARY KEY,
    record TEXT NOT NULL,
    actions TEXT NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE spent (position INTEGER PRIMARY KEY, seconds REAL NOT NULL, usage TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One stored slot as it stands in the file.

    Attributes:
        position: its place, from 0.
        record: the slot's record as JSON text.
        actions: the PA's actions as JSON text.
        sound: whether both are what was written.
        digest: what their digest was when they were written.
    """

    position: int
    record: str
    actions: str
    sound: bool
    digest: str

    def fits(self, record: str) -> bool:
        """Returns whether this record, with the stored actions, is what was written."""
        return _digest(record, self.actions) == self.digest


def is_free(directory: Path) -> bool:
    """Returns whether a new run can be made in a directory: it is absent or empty.

    Raises:
        RunError: the directory cannot be looked into.
    """
    try:
        if not directory.exists():
            return True
        return directory.is_dir() and all(_is_nothing(entry) for entry in directory.iterdir())
    except OSError as error:
        raise _unreadable(directory, error) from None


def _is_nothing(entry: Path) -> bool:
    return entry.name.startswith(_UNFINISHED) or entry.name == _LOCK


class RunStore:
    """An open run.

    Args:
        directory: the run's directory.
        connection: the open database; made by ``create`` or ``open``.
    """

    def __init__(self, directory: Path, connection: sqlite3.Connection) -> None:
        self.directory = directory
        self._db = connection
        self._lock: FileLock | None = None

    @classmethod
    def create(cls, directory: Path, identity: Mapping[str, Any], places: int) -> RunStore:
        """Makes a new run in an empty or absent directory.

        Raises:
            RunError: the directory holds something else or cannot be written, or another process makes a run there.
        """
        if not is_free(directory):
            raise RunError(
                "the place for the run is taken by something that is no run",
                where=str(directory),
                remedy="Choose another --out, or remove what is there yourself",
            )
        try:
            directory.mkdir(parents=True, exist_ok=True)
            unfinished = directory / f"{_UNFINISHED}.{os.getpid()}"
            unfinished.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(
                f"no run can be made here: {error.strerror}",
                where=str(directory),
                remedy="Choose another --out, in a directory that can be written",
            ) from None
        try:
            with closing(sqlite3.connect(unfinished, isolation_level=None)) as db, db:
                db.execute("BEGIN IMMEDIATE")
                for statement in _SCHEMA.strip().split(";"):
                    if statement.strip():
                        db.execute(statement)
                rows = {"format": str(_FORMAT), "identity": canonical(identity), "places": str(places)}
                rows["digest"] = _digest(rows["identity"], rows["places"])
                db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(rows.items()))
            # A link, unlike a renaming, never takes the place of a run that another process has made meanwhile.
            os.link(unfinished, directory / FILE)
        except (sqlite3.Error, OSError) as error:
            unfinished.unlink(missing_ok=True)
            raise _busy(directory, error) from None
        for left_over in directory.glob(f"{_UNFINISHED}*"):
            left_over.unlink(missing_ok=True)
        return cls(directory, _connect(directory / FILE))

    @classmethod
    def open(cls, directory: Path) -> RunStore:
        """Opens an existing run and checks that it is sound; nothing is changed.

        Raises:
            RunError: no run there, or a damaged one; the message says what is wrong.
        """
        path = directory / FILE
        try:
            found = path.is_file()
        except OSError as error:
            raise _unreadable(directory, error) from None
        if not found:
            raise RunError(
                "there is no run here",
                where=str(directory),
                remedy="Give the directory of a run; a new run needs one that is absent or empty",
            )
        fixed = _is_fixed(path)
        try:
            # Looked at without a single write first; only a sound run is opened for more.
            with closing(_look_at(path, fixed)) as db:
                problem = db.execute("PRAGMA quick_check").fetchone()[0]
                if problem != "ok":
                    raise _damaged(directory, f"the database is corrupt: {problem}")
                meta = dict(db.execute("SELECT key, value FROM meta"))
                if meta.get("format") == str(_FORMAT):
                    db.execute("SELECT record, actions, digest FROM slots LIMIT 0")
                    db.execute("SELECT seconds, usage FROM spent LIMIT 0")
                positions = [row[0] for row in db.execute("SELECT position FROM slots ORDER BY position")]
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _NO_ACCESS:
                raise _unreadable(directory, error) from None
            raise _damaged(directory, f"the database cannot be read: {error}") from None
        if meta.get("format") != str(_FORMAT):
            raise _damaged(directory, f"its format is {meta.get('format')!r}, this version reads {_FORMAT}")
        if positions != list(range(len(positions))):
            raise _damaged(directory, "slots are missing between recorded ones")
        try:
            json.loads(meta["identity"])["config"]["persona"]
            int(meta["places"])
            sound = meta["digest"] == _digest(meta["identity"], meta["places"])
        except (KeyError, ValueError, TypeError):
            raise _damaged(directory, "its identity cannot be read") from None
        if not sound:
            raise _damaged(directory, "its identity was changed after it was written")
        return cls(directory, _look_at(path, fixed) if fixed else _connect(path))

    def claim(self) -> None:
        """Makes this process the one that plays the run, until it closes it or ends.

        Raises:
            RunError: another process plays it.
        """
        lock = FileLock(self.directory / _LOCK, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise RunError(
                "another process is playing this run",
                where=str(self.directory),
                remedy="Let it finish or stop it, then start again; or choose another --out",
            ) from None
        except OSError as error:
            raise _busy(self.directory, error) from None
        self._lock = lock

    def _meta(self, key: str) -> str:
        value: str = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
        return value

    @property
    def identity(self) -> dict[str, Any]:
        """Configuration, version and data hash of the run."""
        found: dict[str, Any] = json.loads(self._meta("identity"))
        return found

    @property
    def places(self) -> int:
        """How many slots the run has when it is complete."""
        return int(self._meta("places"))

    def __len__(self) -> int:
        count: int = self._db.execute("SELECT count(*) FROM slots").fetchone()[0]
        return count

    @property
    def complete(self) -> bool:
        """Whether every slot is recorded."""
        return len(self) == self.places

    def append(
        self,
        position: int,
        record: Mapping[str, Any],
        actions: Sequence[Mapping[str, Any]],
        *,
        seconds: float = 0.0,
        usage: Mapping[str, int] | None = None,
    ) -> None:
        """Stores one finished slot all at once; a kill of the process right after takes nothing back.

        Args:
            position: the slot's place, from 0.
            record: what happened in it.
            actions: what the PA did.
            seconds: how long it took by the clock on the wall; no part of the record.
            usage: what it used (tokens, calls); no part of the record.

        Raises:
            RunError: another process writes to this run.
        """
        text, done = canonical(record), canonical(actions)
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("INSERT INTO slots VALUES (?, ?, ?, ?)", (position, text, done, _digest(text, done)))
                self._db.execute("INSERT INTO spent VALUES (?, ?, ?)", (position, seconds, canonical(usage or {})))
        except (sqlite3.IntegrityError, sqlite3.OperationalError) as error:
            raise _busy(self.directory, error) from None

    def records(self) -> Iterator[dict[str, Any]]:
        """Yields the slots' records in playing order.

        Raises:
            RunError: a record does not match its digest.
        """
        for row in self.sound_rows():
            yield json.loads(row.record)

    def sound_rows(self) -> Iterator[Row]:
        """Yields the slots as they stand in the file.

        Raises:
            RunError: one of them is not what was written.
        """
        for row in self.rows():
            if not row.sound:
                raise _damaged(
                    self.directory,
                    f"the record of slot {row.position} was changed after it was written; "
                    "`mempa-gym replay --check` says where",
                )
            yield row

    def rows(self) -> Iterator[Row]:
        """Yields the slots as they stand in the file, sound or not."""
        query = "SELECT position, record, actions, digest FROM slots ORDER BY position"
        for position, record, actions, digest in self._db.execute(query):
            yield Row(position, record, actions, _digest(record, actions) == digest, digest)

    def spent(self) -> tuple[float, dict[str, int]]:
        """Returns the seconds that were played in all, and what was used."""
        seconds, used = 0.0, dict[str, int]()
        for took, usage in self._db.execute("SELECT seconds, usage FROM spent ORDER BY position"):
            seconds += took
            for name, amount in json.loads(usage).items():
                used[name] = used.get(name, 0) + amount
        return seconds, used

    def actions(self) -> Iterator[list[dict[str, Any]]]:
        """Yields the PA's actions of each slot, in playing order."""
        for (actions,) in self._db.execute("SELECT actions FROM slots ORDER BY position"):
            yield json.loads(actions)

    def close(self) -> None:
        """Closes the database and lets go of the run."""
        self._db.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _is_fixed(path: Path) -> bool:
    """Returns whether nobody can be writing to a run: its directory is read-only, and all of it is in the one file."""
    return not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()


def _look_at(path: Path, fixed: bool) -> sqlite3.Connection:
    # Reading a file in WAL mode puts two others beside it, unless SQLite is told that it cannot change meanwhile.
    address = f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if fixed else ''}"
    db = sqlite3.connect(address, uri=True, timeout=10.0)
    db.text_factory = _text
    return db


def _text(stored: bytes) -> str:
    # What is no text any more reads as another text, which no digest fits.
    return stored.decode(errors="replace")


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=10.0)
    db.text_factory = _text
    try:
        with closing(db.cursor()) as cursor:
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.OperationalError as error:
        db.close()
        raise _busy(path.parent, error) from None
    return db


def _digest(record: str, actions: str) -> str:
    return hashlib.sha256(f"{len(record)}\0{record}{actions}".encode()).hexdigest()[:32]


def _damaged(directory: Path, reason: str) -> RunError:
    return RunError(
        f"the run directory is damaged: {reason}",
        where=str(directory),
        remedy="It was left as it is; restore it from a copy, or start a new run elsewhere",
    )


def _unreadable(directory: Path, error: Exception) -> RunError:
    reason = error.strerror if isinstance(error, OSError) else error
    return RunError(
        f"the run directory cannot be read: {reason}",
        where=str(directory),
        remedy="See that you may read it, and write to it while its run is not complete",
    )


def _busy(directory: Path, error: Exception) -> RunError:
    return RunError(
        f"the run cannot be written to: {error}",
        where=str(directory),
        remedy="Let the other process that plays this run finish, see that the disk can be written, and start again",
    )
