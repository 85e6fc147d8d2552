"""`acr init`: a commented settings file."""

import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from acr.cli.settings_text import Setting

HEAD = """\
# Settings of `acr serve`. Each stands here with its default, or an example where there is none.
# Take the `#` away to set one. The command line wins over ACR_… variables, and those over this file.
"""


def init(
    file: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("acr.toml"),
    given: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set one; may be given more than once."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write an acr.toml that explains every setting.

    Nothing is set in it but what --set names. Only its owner can read it, as it may come to hold keys.
    """
    from acr.cli import output
    from acr.errors import ConfigError

    text = render(chosen(given or []))
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        with os.fdopen(os.open(file, flags, 0o600), "w", encoding="utf-8") as written:
            file.chmod(0o600)  # a file that was there keeps its mode otherwise
            written.write(text)
    except FileExistsError:
        raise ConfigError(f"{file} is there already; --force writes over it") from None
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from None
    output.err().print(
        f"wrote {file}; start with: acr serve" + ("" if is_default(file) else f" --config {file}")
    )


def is_default(file: Path) -> bool:
    """Whether `acr serve` finds the file without being told."""
    from acr.settings import FILE

    return file == Path(FILE)


def chosen(given: list[str]) -> dict[str, Any]:
    """What `--set` names, as checked values. Raises `ConfigError`, also for what does not fit together."""
    from acr.cli.settings_text import settings
    from acr.errors import ConfigError
    from acr.settings import Settings

    values: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise ConfigError(f"--set {each!r}: it is NAME=VALUE")
        values[name.strip()] = value.strip()
    checked = Settings.load(
        Path(os.devnull), **values
    )  # the file that is there may be what is to be replaced
    plain = checked.model_dump(mode="python")
    known = [setting.name for setting in settings() if setting.name in values]
    return {name: _plain(plain[name]) for name in known}


def render(values: dict[str, Any]) -> str:
    """The whole file, with these settings set."""
    from acr.cli.settings_text import settings

    return HEAD + "".join(_entry(setting, values) for setting in settings())


def _entry(setting: "Setting", values: dict[str, Any]) -> str:
    from acr.cli.settings_text import toml

    about = textwrap.wrap(setting.about, 100, initial_indent="# ", subsequent_indent="# ")
    if setting.name in values:
        line = f"{setting.name} = {toml(values[setting.name])}"
    else:
        line = f"#{setting.name} = {toml(setting.shown)}"
        line += "  # an example; not set by default" if setting.default is None else ""
    return "\n" + "\n".join([*about, line]) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.get_secret_value() if hasattr(value, "get_secret_value") else value
