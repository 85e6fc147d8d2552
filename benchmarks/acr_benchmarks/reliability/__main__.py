"""`python -m acr_benchmarks.reliability NAME`: runs one of the measurements and writes its report."""

import argparse
import asyncio
import json
from importlib import import_module
from pathlib import Path

MEASUREMENTS = ("views", "store")
OUT = Path(__file__).parents[2] / "reports" / "reliability"


def main() -> None:
    """Measure with the module's own plan; print and write what was seen as JSON."""
    parser = argparse.ArgumentParser(prog="python -m acr_benchmarks.reliability", description=__doc__)
    parser.add_argument("name", choices=MEASUREMENTS)
    parser.add_argument("--seconds", type=float, help="length of each state")
    parser.add_argument("--rate", type=float, help="requests a second")
    parser.add_argument("--out", type=Path, default=OUT, help="folder of the report")
    given = parser.parse_args()
    module = import_module(f"acr_benchmarks.reliability.{given.name}")
    wanted = {name: getattr(given, name) for name in ("seconds", "rate") if getattr(given, name) is not None}
    text = json.dumps(asyncio.run(module.measure(module.Plan(**wanted))), indent=1)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / f"{given.name}.json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
