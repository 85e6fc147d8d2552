"""The command line: `acr`.

Each command is one file and imports what it needs when it runs, so that `acr --help` is instant.
"""


def main() -> None:
    """Run the command line. An error of ACR's own becomes one line on standard error and exit code 2."""
    import sys

    from acr.cli.app import app
    from acr.errors import AcrError

    try:
        app()
    except AcrError as error:
        print(f"acr: {error}", file=sys.stderr)
        sys.exit(2)
