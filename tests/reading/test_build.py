"""The shipped weights belong to the shipped bank, and fitting them again gives the same reader."""

from __future__ import annotations

import numpy as np
import pytest

from mempa_gym.errors import DataError
from mempa_gym.reading.build import build
from mempa_gym.reading.model import WEIGHTS_FILE, load, reader_hash, source_hash
from mempa_gym.resources import data_path


def test_the_weights_were_fitted_from_the_bank_as_it_is() -> None:
    _, source = load(data_path(WEIGHTS_FILE).read_bytes())
    assert source == source_hash(), "run: python -m mempa_gym.reading.build"


def test_fitting_again_gives_the_same_reader() -> None:
    shipped, _ = load(data_path(WEIGHTS_FILE).read_bytes())
    again, _ = load(build())
    assert again.attitude.rows == shipped.attitude.rows
    # Half precision: the last digit may differ between linear algebra libraries.
    np.testing.assert_allclose(again.attitude.weights, shipped.attitude.weights, atol=5e-3)
    np.testing.assert_allclose(again.aspects, shipped.aspects, atol=1e-3)
    for name, linear in shipped.wanted.items():
        assert again.wanted[name].rows == linear.rows
        np.testing.assert_allclose(again.wanted[name].weights, linear.weights, atol=5e-3)


def test_the_reader_has_a_hash_that_freezes_it() -> None:
    assert len(reader_hash()) == 64
    assert reader_hash() == reader_hash()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_bytes_that_hold_no_model_are_refused(content: bytes) -> None:
    with pytest.raises(DataError, match=r"mempa_gym\.reading\.build"):
        load(content)
