"""The process that runs the model: `python -m acr.embedded.child --model FILE`. Started by `server`.

It tells its address, as one JSON line, on standard output, and ends when its parent does: standard input is
a pipe that nobody writes to, so its end means that the parent is gone; on Linux the kernel also sends a
signal, which works even while the model is being loaded. What the runtime prints goes to standard error.
"""

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run until the parent is gone or a signal comes."""
    options = parse(arguments)
    report = os.dup(1)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when streams have ended
    follow(options.parent)
    watch = threading.Thread(target=end_with_input)
    watch.start()
    try:
        server = run(options)
    except Exception as error:
        tell(report, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)  # the watching thread still blocks on standard input
    tell(report, {"address": server.listening_address})  # type: ignore[attr-defined]
    watch.join()


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m acr.embedded.child", description=__doc__)
    parser.add_argument("--model", required=True, help="GGUF file")
    parser.add_argument("--name", required=True, help="model id that clients see")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--slots", type=int, default=2, help="requests answered at once")
    parser.add_argument("--context", type=int, default=8192, help="tokens of context of each slot")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--parent", type=int, default=None, help="process id to end with")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> object:
    """Start the runtime's HTTP server in threads of its own; returns when the model is loaded."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.model_alias = {options.name}
    params.hostnames = [options.host]
    params.port = options.port
    params.n_parallel = options.slots
    params.n_ctx = options.context * options.slots
    params.kv_unified = False  # each slot keeps its own share: no request can starve another
    params.cont_batching = True
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.threads
    params.cache_ram_mib = 256  # the default of 8 GiB would fill a small machine
    params.fit_params = False  # what does not fit shall fail, not shrink the context in silence
    params.ui = False
    params.endpoint_slots = False  # it would show other clients' prompts
    params.cors_origins = f"http://{options.host}"  # the default lets any web page in
    return xllamacpp.Server(params)


def follow(parent: int | None) -> None:
    """Ask the kernel to end this process with the thread that started it (Linux)."""
    if parent is None or not sys.platform.startswith("linux"):
        return
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the call
        os._exit(0)


def end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)


def tell(report: int, what: dict[str, str]) -> None:
    os.write(report, json.dumps(what).encode() + b"\n")
    os.close(report)


if __name__ == "__main__":
    main()
