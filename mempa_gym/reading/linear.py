"""Softmax regression on sparse features: fitting it, storing it, asking it.

Small on purpose: a few thousand features and a handful of classes need no library. Fitting works in the space of
examples (there are fewer of them than features) with accelerated gradient steps, in double precision and without
randomness, so that building twice gives the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mempa_gym.reading.features import Features

__all__ = ["Linear", "Standardised", "fit", "standardise"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Linear:
    """A fitted model.

    Attributes:
        rows: feature number to row.
        idf: weight of each feature before the text is scaled to length one.
        weights: features by classes.
        bias: one number a class.
    """

    rows: dict[int, int]
    idf: Array
    weights: Array
    bias: Array

    def logits(self, features: Features) -> Array:
        """Returns one number a class; their softmax is the model's probability."""
        rows = self.rows
        found = [(row, value) for number, value in features.items() if (row := rows.get(number)) is not None]
        if not found:
            return self.bias.copy()
        index = [row for row, _ in found]
        values = np.array([value for _, value in found]) * self.idf[index]
        size = float(np.sqrt(values @ values))
        if size < 1e-9:
            return self.bias.copy()
        scores: Array = (values / size) @ self.weights[index] + self.bias
        return scores


@dataclass(frozen=True, slots=True)
class Standardised:
    """Examples as unit vectors over the features that occur often enough."""

    numbers: tuple[int, ...]
    idf: Array
    matrix: Array


def standardise(examples: Sequence[Features], least: int, telling: int | None = None) -> Standardised:
    """Returns examples as rows of a matrix.

    Args:
        examples: the examples.
        least: features of fewer examples than this are left out.
        telling: how many of the examples, from the first, decide on that; all of them when left out.
    """
    counts: dict[int, int] = {}
    for example in examples[:telling]:
        for number in example:
            counts[number] = counts.get(number, 0) + 1
    numbers = tuple(sorted(number for number, count in counts.items() if count >= least))
    place = {number: column for column, number in enumerate(numbers)}
    total = len(examples)
    idf = np.array([np.log((1 + total) / (1 + counts[number])) + 1 for number in numbers])
    matrix = np.zeros((total, len(numbers)))
    for row, example in enumerate(examples):
        for number, value in example.items():
            column = place.get(number)
            if column is not None:
                matrix[row, column] = value * idf[column]
    sizes = np.sqrt((matrix * matrix).sum(axis=1, keepdims=True))
    matrix /= np.maximum(sizes, 1e-9)
    return Standardised(numbers, idf, matrix)


def fit(data: Standardised, classes: Sequence[int], count: int, penalty: float, steps: int) -> Linear:
    """Returns softmax regression fitted to examples.

    Args:
        data: the examples.
        classes: class of each example, from 0.
        count: number of classes.
        penalty: strength of the quadratic penalty on weights.
        steps: number of accelerated gradient steps.
    """
    kernel = data.matrix @ data.matrix.T
    total = len(classes)
    target = np.eye(count)[np.asarray(classes)]
    step = 1.0 / (0.5 * _largest(kernel) + penalty)
    alpha = np.zeros((total, count))
    bias = np.zeros(count)
    ahead, ahead_bias, pace = alpha.copy(), bias.copy(), 1.0
    for _ in range(steps):
        scores = kernel @ ahead + ahead_bias
        scores -= scores.max(axis=1, keepdims=True)
        share = np.exp(scores)
        share /= share.sum(axis=1, keepdims=True)
        slope = share - target
        new_alpha = ahead - step * (slope + penalty * ahead)
        new_bias = ahead_bias - slope.sum(axis=0) / total
        new_pace = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / new_pace
        ahead = new_alpha + push * (new_alpha - alpha)
        ahead_bias = new_bias + push * (new_bias - bias)
        alpha, bias, pace = new_alpha, new_bias, new_pace
    return Linear({number: row for row, number in enumerate(data.numbers)}, data.idf, data.matrix.T @ alpha, bias)


def _largest(kernel: Array) -> float:
    # Power iteration: the largest eigenvalue of a kernel matrix, which bounds the curvature.
    vector = np.ones(len(kernel)) / np.sqrt(len(kernel))
    value = 1.0
    for _ in range(60):
        image = kernel @ vector
        value = float(np.sqrt(image @ image))
        vector = image / max(value, 1e-12)
    return value * 1.01
