"""The reader's weights: what they are, how they are fitted from the train bank, how they are stored.

Three parts are learned from the bank (see ``build``): an attitude model shared by all attributes (does the message
accept, correct, state a rule, or say nothing about manner), one model per attribute over the setting that is
wanted, and seven numbers, shared by all attributes, that weigh how a message speaks of each setting's behaviour. A
last model tells work from private life. The fitted weights are shipped, because fitting takes seconds and reading
must not.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mempa_gym.errors import DataError
from mempa_gym.frozen import FrozenDict
from mempa_gym.reading.bank import BANK_FILE, Example, TrainBank
from mempa_gym.reading.features import ASPECT_FEATURES, Features, add, aspects_of, key, plain, signed
from mempa_gym.reading.lexicon import LEXICON_FILE, lexicon
from mempa_gym.reading.linear import Linear, fit, standardise
from mempa_gym.reading.speech import Sentence, sentences
from mempa_gym.resources import data_path, read_text
from mempa_gym.taxonomy import CONTEXTS, attribute_ids
from mempa_gym.taxonomy import attribute as get_attribute

__all__ = [
    "ACCEPT",
    "CORRECT",
    "NEUTRAL",
    "STATED",
    "WEIGHTS_FILE",
    "Model",
    "Parsed",
    "attitude",
    "context_features",
    "dump",
    "fit_model",
    "load",
    "model",
    "parse",
    "reader_hash",
    "softmax",
    "source_hash",
    "wanted",
]

WEIGHTS_FILE = "banks/reader.npz"
VERSION = 1  # raised when features or fitting change

ACCEPT, CORRECT, STATED, NEUTRAL = range(4)
_ATTITUDES = {"accept": ACCEPT, "correct": CORRECT, "answer": STATED, "rule": STATED}

# Chosen by cross-validation on the train bank.
ATTITUDE_LEAST, ATTITUDE_PENALTY = 3, 0.1
WANTED_LEAST, WANTED_PENALTY = 2, 0.05
CONTEXT_LEAST, CONTEXT_PENALTY = 1, 0.1
SHARPNESS = 1.5
STEPS = 120
FOLDS = 4
_FAINT = 0.02
# A reaction comes first in a message and the task after it: each sentence beyond the second counts less.
_LATER_SENTENCES = 0.6

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A message with the features that do not depend on an attribute, sentence by sentence."""

    sentences: tuple[Sentence, ...]
    said: tuple[Features, ...]
    built: tuple[Features, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """All fitted weights.

    Attributes:
        attitude: accept, correct, stated, neutral.
        wanted: attribute id to the model over its settings.
        aspects: weights of the aspect features, shared by all attributes.
        context: work against personal, in the order of `CONTEXTS`.
        about: over all attributes in published order and, last, none of them.
    """

    attitude: Linear
    wanted: Mapping[str, Linear]
    aspects: Array
    context: Linear
    about: Linear


def softmax(logits: Array) -> Array:
    """Returns probabilities."""
    share: Array = np.exp(logits - logits.max())
    share /= share.sum()
    return share


def parse(text: str) -> Parsed:
    """Returns a message taken apart and featurised."""
    parts = sentences(text)
    rows = [plain(part) for part in parts]
    return Parsed(parts, tuple(row[0] for row in rows), tuple(row[1] for row in rows))


def attitude(linear: Linear, message: Parsed) -> tuple[Array, tuple[float, ...]]:
    """Returns the attitude of a message and how much each of its sentences counts.

    A sentence counts as much as it is not neutral, so that the task part of a message does not drown the remark
    before it.
    """
    weights = []
    for place, (said, built) in enumerate(zip(message.said, message.built, strict=True)):
        if len(message.said) == 1:
            weights.append(1.0)
            break
        both = dict(said)
        add(both, built, 1.0)
        silent = float(softmax(linear.logits(both))[NEUTRAL])
        weights.append(max(_FAINT, 1.0 - silent) * _LATER_SENTENCES ** max(0, place - 1))
    return softmax(linear.logits(_mixed(message, weights))), tuple(weights)


def _mixed(message: Parsed, weights: Sequence[float]) -> Features:
    mixed: Features = {}
    for said, built, weight in zip(message.said, message.built, weights, strict=True):
        add(mixed, said, weight)
        add(mixed, built, weight)
    return mixed


def polarity(shares: Array) -> float:
    """Returns the sign of plain statements: 1 in an acceptance, -1 in a correction."""
    return float(np.clip((shares[ACCEPT] - shares[CORRECT]) * SHARPNESS, -1.0, 1.0))


def wanted_features(message: Parsed, weights: Sequence[float], sign: float) -> Features:
    """Returns the features of the models over settings."""
    mixed: Features = {}
    for part, said, weight in zip(message.sentences, message.said, weights, strict=True):
        add(mixed, said, weight)
        add(mixed, signed(part.clauses, sign), weight)
    return mixed


def aspect_rows(message: Parsed, weights: Sequence[float], attribute: str, sign: float) -> Array:
    """Returns the aspect features, settings by features, squeezed so that repetition counts little."""
    labels = get_attribute(attribute).labels
    total = np.zeros((len(labels), ASPECT_FEATURES))
    for part, weight in zip(message.sentences, weights, strict=True):
        total += weight * np.array(aspects_of(part.clauses, attribute, labels, sign))
    squeezed: Array = np.tanh(total * 0.7)
    return squeezed


def wanted(fitted: Model, attribute: str, message: Parsed, weights: Sequence[float], sign: float) -> Array:
    """Returns the log-probability of each setting being wanted, from the words alone."""
    learned = np.log(softmax(fitted.wanted[attribute].logits(wanted_features(message, weights, sign))) + 1e-9)
    spoken = np.log(softmax(aspect_rows(message, weights, attribute, sign) @ fitted.aspects) + 1e-9)
    both: Array = np.log(softmax(learned + spoken) + 1e-9)
    return both


def context_features(text: str) -> Features:
    """Returns the features of the context model: folded words, pairs, and how many words belong to each context."""
    known = lexicon().contexts
    found: Features = {}
    for part in sentences(text):
        said: dict[str, float] = {}
        for clause in part.clauses:
            for folded in clause.stems:
                said[f"c {folded}"] = 1.0
                for context in known.get(folded, ()):
                    name = f"cg {context}"
                    said[name] = said.get(name, 0.0) + 1.0
            for left, right in pairwise(clause.stems):
                said[f"cb {left} {right}"] = 0.5
        add(found, _numbered(said), 1.0)
    return found


def _numbered(said: Mapping[str, float]) -> Features:
    return {key(name): value for name, value in said.items()}


# -- fitting -----------------------------------------------------------------------------------------------------------


def fit_model(bank: TrainBank, examples: Sequence[Example], neutral: Sequence[str]) -> Model:
    """Returns a model fitted to labelled reactions and neutral messages; ``bank`` gives the rest."""
    messages = [parse(example.text) for example in examples]
    silent = [parse(text) for text in neutral]
    plain = [(parse(text), _ATTITUDES[kind]) for kind, texts in bank.plain.items() for text in texts]
    rows = [_whole(message) for message in (*messages, *silent, *(message for message, _ in plain))]
    classes = [_ATTITUDES[example.kind] for example in examples] + [NEUTRAL] * len(silent)
    classes += [kind for _, kind in plain]
    attitudes = _fit_attitude(rows, classes)
    # A model's opinion of what it was fitted to is too sure: each message is signed by a model that has not seen it.
    signs = [0.0] * len(examples)
    for fold in range(FOLDS):
        inside = [i for i in range(len(rows)) if i % FOLDS != fold]
        other = _fit_attitude([rows[i] for i in inside], [classes[i] for i in inside])
        for i in range(fold, len(examples), FOLDS):
            signs[i] = polarity(softmax(other.logits(rows[i])))
    wanted_by = {}
    for attribute in attribute_ids():
        labels = get_attribute(attribute).labels
        mine = [i for i, example in enumerate(examples) if example.attribute == attribute]
        features = [wanted_features(messages[i], _even(messages[i]), signs[i]) for i in mine]
        targets = [labels.index(examples[i].target) for i in mine]
        for label in labels:
            # What an assistant did under a setting reads like praise of it.
            for text in bank.manners[attribute][label].did:
                message = parse(text)
                features.append(wanted_features(message, _even(message), 1.0))
                targets.append(labels.index(label))
        telling = len(features)
        for message, kind in plain:
            # Praise and complaint alone speak for no setting: said of each, they cancel out.
            for place in range(len(labels)):
                features.append(wanted_features(message, _even(message), 1.0 if kind == ACCEPT else -1.0))
                targets.append(place)
        wanted_by[attribute] = fit(
            standardise(features, WANTED_LEAST, telling), targets, len(labels), WANTED_PENALTY, STEPS
        )
    aspects = _fit_aspects(
        [
            (
                aspect_rows(messages[i], _even(messages[i]), example.attribute, signs[i]),
                get_attribute(example.attribute).index(example.target),
            )
            for i, example in enumerate(examples)
        ]
    )
    openings = [(text, index) for index, context in enumerate(CONTEXTS) for text in bank.openings[context]]
    context = fit(
        standardise([context_features(text) for text, _ in openings], CONTEXT_LEAST),
        [index for _, index in openings],
        len(CONTEXTS),
        CONTEXT_PENALTY,
        STEPS,
    )
    ids = attribute_ids()
    about = fit(
        standardise([_words_of(message) for message in (*messages, *silent)], ATTITUDE_LEAST),
        [ids.index(example.attribute) for example in examples] + [len(ids)] * len(silent),
        len(ids) + 1,
        ATTITUDE_PENALTY,
        STEPS,
    )
    return Model(attitudes, FrozenDict(wanted_by), aspects, context, about)


def _fit_attitude(rows: Sequence[Features], classes: Sequence[int]) -> Linear:
    return fit(standardise(rows, ATTITUDE_LEAST), classes, 4, ATTITUDE_PENALTY, STEPS)


def _even(message: Parsed) -> tuple[float, ...]:
    return (1.0,) * len(message.sentences)


def _whole(message: Parsed) -> Features:
    return _mixed(message, _even(message))


def _words_of(message: Parsed) -> Features:
    mixed: Features = {}
    for said in message.said:
        add(mixed, said, 1.0)
    return mixed


def _fit_aspects(rows: Sequence[tuple[Array, int]]) -> Array:
    weights = np.zeros(ASPECT_FEATURES)
    for _ in range(300):
        slope = 0.02 * weights
        for row, target in rows:
            share = softmax(row @ weights)
            slope = slope + (share @ row - row[target]) / len(rows)
        weights = weights - 2.0 * slope
    return weights


# -- storing -----------------------------------------------------------------------------------------------------------


def source_hash() -> str:
    """Returns the hash of everything the weights are fitted from: bank, lexicon and the version of the code."""
    digest = hashlib.sha256(str(VERSION).encode())
    for file in (BANK_FILE, LEXICON_FILE):
        digest.update(read_text(file).encode())
    return digest.hexdigest()


def dump(fitted: Model, source: str) -> bytes:
    """Returns a model as the bytes of its file."""
    arrays: dict[str, NDArray[Any]] = {"source": np.frombuffer(source.encode(), dtype=np.uint8)}
    linears = {
        "attitude": fitted.attitude,
        "context": fitted.context,
        "about": fitted.about,
        **{f"wanted.{attribute}": linear for attribute, linear in fitted.wanted.items()},
    }
    for name, linear in linears.items():
        arrays[f"{name}.numbers"] = np.fromiter(linear.rows, dtype=np.uint32, count=len(linear.rows))
        arrays[f"{name}.idf"] = linear.idf.astype(np.float16)
        arrays[f"{name}.weights"] = linear.weights.astype(np.float16)
        arrays[f"{name}.bias"] = linear.bias.astype(np.float32)
    arrays["aspects"] = fitted.aspects.astype(np.float32)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def load(content: bytes) -> tuple[Model, str]:
    """Returns the model in a file's bytes and the hash of the sources it was fitted from.

    Raises:
        DataError: The bytes hold no model.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:

            def linear(name: str) -> Linear:
                numbers = arrays[f"{name}.numbers"].tolist()
                return Linear(
                    {number: row for row, number in enumerate(numbers)},
                    arrays[f"{name}.idf"].astype(np.float64),
                    arrays[f"{name}.weights"].astype(np.float64),
                    arrays[f"{name}.bias"].astype(np.float64),
                )

            wanted_by = {attribute: linear(f"wanted.{attribute}") for attribute in attribute_ids()}
            source = arrays["source"].tobytes().decode()
            fitted = Model(
                linear("attitude"),
                FrozenDict(wanted_by),
                arrays["aspects"].astype(np.float64),
                linear("context"),
                linear("about"),
            )
            return fitted, source
    except (KeyError, ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise DataError(f"data/{WEIGHTS_FILE}", "", f"not a reader's weights: {error}", _REBUILD) from None


_REBUILD = "Run: python -m mempa_gym.reading.build"


@cache
def model() -> Model:
    """Returns the packaged model.

    Raises:
        DataError: The file is missing or damaged.
    """
    return load(_content())[0]


def reader_hash() -> str:
    """Returns the hash that freezes the packaged reader: of its weights and of the lexicon its features are made of."""
    digest = hashlib.sha256(_content())
    digest.update(read_text(LEXICON_FILE).encode())
    return digest.hexdigest()


def _content() -> bytes:
    try:
        return data_path(WEIGHTS_FILE).read_bytes()
    except FileNotFoundError:
        raise DataError(f"data/{WEIGHTS_FILE}", "", "the file is missing", _REBUILD) from None
