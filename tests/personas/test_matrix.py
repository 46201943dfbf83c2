from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.errors import InvalidOptionError, UnknownNameError
from mempa_gym.personas import PreferenceMatrix, Relabelling
from mempa_gym.taxonomy import Cell, attribute, attributes, cells

matrices = st.tuples(*(st.sampled_from(attribute(cell.attribute).labels) for cell in cells())).map(
    lambda labels: PreferenceMatrix(dict(zip(cells(), labels, strict=True)))
)
seeds = st.integers(min_value=0, max_value=2**32 - 1)


def first() -> PreferenceMatrix:
    return PreferenceMatrix({cell: attribute(cell.attribute).labels[0] for cell in cells()})


def test_it_behaves_as_a_mapping_over_all_cells() -> None:
    matrix = first()
    assert len(matrix) == 28
    assert tuple(matrix) == matrix.keys() == cells()
    assert dict(matrix) == dict(matrix.items()) == dict(zip(cells(), matrix.values(), strict=True))
    assert (
        matrix[Cell("work", "verbosity")] == matrix["work", "verbosity"] == matrix.get("work", "verbosity") == "Terse"
    )
    assert Cell("work", "verbosity") in matrix
    assert ("work", "mood") not in matrix


def test_unknown_cells_are_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown context 'wrok'. Did you mean 'work'"):
        first().get("wrok", "verbosity")
    with pytest.raises(UnknownNameError, match="unknown attribute 'verbose'. Did you mean 'verbosity'"):
        first()["work", "verbose"]


def test_a_matrix_is_complete_and_holds_known_labels() -> None:
    settings = dict(first())
    del settings[Cell("personal", "verbosity")]
    with pytest.raises(InvalidOptionError, match="personal/verbosity"):
        PreferenceMatrix(settings)
    with pytest.raises(UnknownNameError, match="unknown setting of verbosity 'Short'"):
        PreferenceMatrix({**first(), Cell("work", "verbosity"): "Short"})
    with pytest.raises(UnknownNameError, match="unknown attribute 'mood'"):
        PreferenceMatrix({**first(), Cell("work", "mood"): "Good"})


@given(matrices, st.sampled_from(cells()), st.data())
def test_replace_changes_one_cell_of_a_copy(matrix: PreferenceMatrix, cell: Cell, data: st.DataObject) -> None:
    label = data.draw(st.sampled_from(attribute(cell.attribute).labels))
    before = dict(matrix)
    assert dict(matrix.replace(cell, label)) == {**before, cell: label}
    assert dict(matrix) == before


def test_replace_checks_its_arguments() -> None:
    with pytest.raises(UnknownNameError, match="unknown setting of verbosity"):
        first().replace(Cell("work", "verbosity"), "Casual")
    with pytest.raises(UnknownNameError, match="unknown attribute"):
        first().replace(Cell("work", "mood"), "Terse")


@given(matrices)
def test_forms_go_there_and_back(matrix: PreferenceMatrix) -> None:
    assert PreferenceMatrix.from_contexts(json.loads(json.dumps(matrix.as_contexts()))) == matrix
    assert pickle.loads(pickle.dumps(matrix)) == matrix
    assert hash(PreferenceMatrix(dict(matrix))) == hash(matrix)


@given(matrices)
def test_differing_pairs(matrix: PreferenceMatrix) -> None:
    pairs = matrix.differing()
    assert [work.attribute for work, _ in pairs] == [
        entry.id for entry in attributes() if matrix.get("work", entry.id) != matrix.get("personal", entry.id)
    ]
    assert all((work.context, personal.context) == ("work", "personal") for work, personal in pairs)
    assert all(work.attribute == personal.attribute for work, personal in pairs)


@given(matrices, seeds)
def test_a_permutation_keeps_which_pairs_differ(matrix: PreferenceMatrix, seed: int) -> None:
    permuted = matrix.permuted(np.random.default_rng(seed))
    assert permuted.differing() == matrix.differing()
    assert permuted == matrix.permuted(np.random.default_rng(seed))


@given(seeds)
def test_a_drawn_relabelling_is_a_bijection_of_each_attribute(seed: int) -> None:
    relabelling = Relabelling.drawn(np.random.default_rng(seed))
    for entry in attributes():
        assert sorted(relabelling(entry.id, label) for label in entry.labels) == sorted(entry.labels)


def test_permutations_reach_every_setting_about_equally_often() -> None:
    rng = np.random.default_rng(5)
    draws = 1200
    seen = [dict(first().permuted(rng)) for _ in range(draws)]
    for entry in attributes():
        for label in entry.labels:
            share = sum(matrix[Cell("work", entry.id)] == label for matrix in seen) / draws
            # Five standard errors: wide enough for a fixed seed, narrow enough to see a skewed draw.
            assert abs(share - 1 / len(entry.labels)) < 5 * (0.25 / draws) ** 0.5


def test_a_relabelling_must_use_every_label_once() -> None:
    with pytest.raises(InvalidOptionError, match="relabelling of verbosity"):
        Relabelling({"verbosity": {"Terse": "Terse", "Detailed": "Terse"}})
    with pytest.raises(InvalidOptionError, match="relabelling of verbosity"):
        Relabelling({"verbosity": {"Terse": "Detailed"}})
    swap = Relabelling({"verbosity": {"Terse": "Detailed", "Detailed": "Terse"}})
    assert swap("verbosity", "Terse") == "Detailed"
    assert swap("tone_formality", "Casual") == "Casual"
    assert first().relabelled(swap) == first().replace(Cell("work", "verbosity"), "Detailed").replace(
        Cell("personal", "verbosity"), "Detailed"
    )


def test_matrices_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="replace"):
        first()._labels = ()
    with pytest.raises(TypeError):
        first()["work", "verbosity"] = "Terse"  # type: ignore[index]
