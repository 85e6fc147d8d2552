"""`acr bench`: run the benchmark and report on it. Importing a file here adds its commands."""

from acr_benchmarks.cli import check, exchange, overhead, report, run, shard, view
from acr_benchmarks.cli.base import app

__all__ = ["app", "check", "exchange", "overhead", "report", "run", "shard", "view"]
