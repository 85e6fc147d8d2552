"""Every error ACR raises, named by the boundary that was crossed.

    AcrError
    ├── ConfigError          settings, names of operators or controllers: found at start
    ├── ConversationError    the client's messages cannot be read as a conversation
    ├── ControllerError      a controller raised or answered nonsense
    ├── OperatorError        an operator raised, or ran past its deadline
    ├── EditError            an operator proposed an edit that cannot be applied
    ├── InvariantError       an applied edit would have broken the conversation
    ├── UpstreamError        the model server could not be reached, or broke off
    ├── ModelError           the embedded model: registry, download, child process
    ├── StoreError           the store of traces cannot be opened, or is of another version
    ├── BenchmarkError       tasks, runs, reports
    └── TrainingError        tables of outcomes, weights, steps of training

Authors of operators and controllers raise plain Python errors; the engine wraps them with
`boundary` where it calls out. None of these ever reaches the proxy's client: a request that ACR
fails to improve goes on as it came.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class AcrError(Exception):
    """Base of all errors raised by ACR. The message is one sentence fit for the user."""


class ConfigError(AcrError):
    """A setting or a name is wrong. Says which, and what would be right."""


class ConversationError(AcrError):
    """The messages of a request do not form a conversation that ACR can read."""


class ControllerError(AcrError):
    """A controller raised, or returned something that is not a `Decision`."""


class OperatorError(AcrError):
    """An operator raised, or did not finish within the deadline."""


class EditError(AcrError):
    """A proposed edit names an unknown turn, or contradicts another edit."""


class InvariantError(AcrError):
    """Applying the proposed edits would lose or break something the model must see."""


class UpstreamError(AcrError):
    """The upstream could not be reached, or broke off before it answered."""


class ModelError(AcrError):
    """The embedded model cannot be found, fetched, verified, started or kept running."""


class StoreError(AcrError):
    """The store of traces cannot be opened, or its schema is another version's."""


class BenchmarkError(AcrError):
    """A task, a data file or a run directory of the benchmark is unusable."""


class TrainingError(AcrError):
    """States, outcomes, weights or arguments of a step of training are unusable."""


@contextmanager
def boundary(error: type[AcrError], what: str) -> Iterator[None]:
    """Turn whatever crosses this boundary into `error`, keeping the cause.

    Errors that are already ACR's pass through: the innermost boundary knows best.
    """
    try:
        yield
    except AcrError:
        raise
    except TimeoutError as cause:
        raise error(f"{what} did not finish in time") from cause
    except Exception as cause:
        raise error(f"{what} failed: {type(cause).__name__}: {cause}") from cause
