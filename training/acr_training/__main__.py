"""`python -m acr_training` is `acr train`."""

import sys

from acr.errors import AcrError
from acr_training.cli import app

if __name__ == "__main__":
    try:
        app(prog_name="acr train")
    except AcrError as error:
        sys.exit(f"acr: {error}")
