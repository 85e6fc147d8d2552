"""`python -m acr_benchmarks`: the same as `acr bench`."""

from acr_benchmarks.cli import app

if __name__ == "__main__":
    app(prog_name="acr bench")
