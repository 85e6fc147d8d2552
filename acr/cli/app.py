"""Puts the commands together: the built-in ones, and those of other packages under `acr.commands`."""

from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated, Any

import typer

from acr.cli import demo, doctor, explain, init, model, operators, replay, serve, tokens, traces

COMMANDS = "acr.commands"
"""Entry points of Typer apps that are mounted under their name; this is how `acr bench` gets here."""

KNOWN = {
    "bench": "Measure: sharded tasks, a simulated user, policies compared, a report.",
    "shard": "Cut your own instructions into pieces for the benchmark: with a model, then by your review.",
    "train": "Make a controller from outcomes: collect, label, train, evaluate, evolve.",
}

NEEDS = {"train": "learn", "bench": "bench"}
"""The extra that a command needs most."""

app = typer.Typer(
    name="acr",
    help="Keep multi-turn conversations with language models from getting lost.",
    epilog="Start with: acr serve, or see it work: acr demo",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"acr {version('adaptive-context-refactoring')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take the options that stand before the command."""


app.command("serve")(serve.serve)
app.command("init")(init.init)
app.command("demo")(demo.demo)
app.command("explain")(explain.explain)
app.command("replay")(replay.replay)
app.command("operators")(operators.operators)
app.add_typer(traces.app, name="traces")
app.add_typer(model.app, name="model")
app.command("tokens")(tokens.tokens)
app.command("doctor")(doctor.doctor)


def mount(entry: EntryPoint) -> None:
    """Add a command that imports its package only when it is called."""

    def command(context: typer.Context) -> None:
        from acr.errors import ConfigError, boundary

        with boundary(ConfigError, f"loading 'acr {entry.name}' from {entry.value}"):
            try:
                target: Any = entry.load()
            except ModuleNotFoundError as missing:
                if entry.name not in NEEDS:
                    raise
                raise ConfigError(
                    f"'acr {entry.name}' needs {missing.name}, which is not installed: "
                    f"pip install 'adaptive-context-refactoring[{NEEDS[entry.name]}]'"
                ) from missing
        typer.main.get_command(target)(args=context.args, prog_name=f"acr {entry.name}")

    origin = entry.dist.name if entry.dist else entry.value
    app.command(
        entry.name,
        help=KNOWN.get(entry.name, f"Added by {origin}."),
        add_help_option=False,
        context_settings={
            "ignore_unknown_options": True,
            "allow_extra_args": True,
            "allow_interspersed_args": False,
        },
    )(command)


for entry in sorted(entry_points(group=COMMANDS), key=lambda entry: entry.name):
    mount(entry)
