import subprocess
import sys

import acr


def test_the_public_names_are_complete_sorted_and_real() -> None:
    assert acr.__all__ == sorted(acr.__all__)
    for name in acr.__all__:
        assert getattr(acr, name) is not None
    assert set(acr.__all__) - {"__version__"} == set(acr._HOME)


def test_importing_acr_and_deciding_loads_nothing_heavy() -> None:
    """The start path of the proxy: neither model libraries nor langgraph nor the openai client."""
    code = (
        "import sys, asyncio, acr\n"
        "from acr import registry\n"
        "from acr.testing import talk\n"
        "engine = acr.Engine(registry.controller('rules'), registry.operators())\n"
        "asyncio.run(engine.run(talk('a', 'b', 'c')))\n"
        "print(*sorted(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded.isdisjoint(
        {"torch", "transformers", "trl", "langgraph", "langchain_core", "openai", "httpx"}
    )
