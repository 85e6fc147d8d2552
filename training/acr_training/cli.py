"""`acr train`: from outcomes to a controller. Each step is one command and one module of the same name."""

import typer

from acr_training.commands import choose, collect, learn, lm, rounds

app = typer.Typer(
    no_args_is_help=True,
    help="Make a controller from outcomes: collect, label, select, learn, calibrate, evaluate, export.",
    pretty_exceptions_enable=False,
)

app.command("collect")(collect.collect)
app.command("items")(collect.items)
app.command("label")(learn.label)
app.command("select")(choose.choose)
app.command("signals")(learn.signals)
app.command("calibrate")(learn.calibrate)
app.command("evaluate")(learn.evaluate)
app.command("card")(learn.card)
app.command("evolve")(rounds.evolve)
app.command("quickstart")(rounds.quickstart)
app.command("sft")(lm.sft)
app.command("dpo")(lm.dpo)
app.command("grpo")(lm.grpo)
app.command("curves")(lm.draw)
app.command("export")(lm.export)
