"""What mkdocs needs to know beside mkdocs.yml: pages that lie beside the code, and links as GitHub has them.

In the repository a page links to files by their place. In the site, a link to a page goes to that page, and a
link to any other file of the repository becomes its text: the site stands alone. A link to what is not there
stays as it is, and the strict build fails at it.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
ELSEWHERE = {
    "examples/README.md": "examples.md",
    "operators/README.md": "operator-library.md",
    "benchmarks/README.md": "benchmark.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages outside of docs/, and their names in the site."""
HOME = {site: repository for repository, site in ELSEWHERE.items()}
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
FENCED = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Take in the pages that lie elsewhere."""
    for repository, site in ELSEWHERE.items():
        files.append(File.generated(config, site, abs_src_path=str(ROOT / repository)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links by place in the repository into links of the site."""
    home = HOME.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return relinked(markdown, posixpath.dirname(home))


def relinked(markdown: str, folder: str) -> str:
    """The text of a page of that folder of the repository. Blocks of code are left alone."""
    blocks = FENCED.split(markdown)
    return "".join(block if number % 2 else _links(block, folder) for number, block in enumerate(blocks))


def _links(text: str, folder: str) -> str:
    def link(found: re.Match[str]) -> str:
        picture, shown, target, anchor = found[1], found[2], found[3], found[4] or ""
        place = posixpath.normpath(posixpath.join(folder, target))
        if place in ELSEWHERE:
            return f"{picture}[{shown}]({ELSEWHERE[place]}{anchor})"
        if place.startswith("docs/"):
            return f"{picture}[{shown}]({place.removeprefix('docs/')}{anchor})"
        return shown if (ROOT / place).exists() else found[0]

    return LINK.sub(link, text)
