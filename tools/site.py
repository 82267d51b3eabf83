"""A hook of MkDocs: adds pages from outside docs/, rewrites links for the site, and keeps old addresses working.

Links in the files are relative to their place in the repository. On the site, a link to a file that is a page leads to
that page, and a link to any other file leads to the file in the repository. A link to a missing file is a warning,
which `mkdocs build --strict` turns into an error.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).resolve().parents[1]

# The target of a Markdown link or image, if it is neither a URL nor an anchor of the same page.
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)#\s]+)")


def sources() -> dict[str, str]:
    """Pages of the site that are not in docs/, each with its file in the repository."""
    files = {"README.md": "index.md"}
    files |= {name: name.lower() for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")}
    papers = PROJECT / "packages" / "tamis-papers"
    pages = {path.parent.name: path for path in papers.glob("src/tamis_papers/*/README.md")}
    pages |= {path.stem: path for path in papers.glob("docs/*.md")}
    files |= {pages[name].relative_to(PROJECT).as_posix(): f"papers/{name}.md" for name in sorted(pages)}
    return {page: file for file, page in files.items()}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add every paper that has a page to the navigation."""
    research = next(part["Research"] for part in config.nav or () if "Research" in part)
    next(part for part in research if "Papers" in part)["Papers"] = [p for p in sources() if p.startswith("papers/")]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for page, file in sources().items():
        files.append(File.generated(config, page, content=(PROJECT / file).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite the links of a page for the site."""
    home = sources().get(page.file.src_uri, f"docs/{page.file.src_uri}")
    pages = {file: name for name, file in sources().items()}

    def moved(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(home), match[1]))
        on_site = pages.get(target, target.removeprefix("docs/") if target.startswith("docs/") else "")
        if on_site and files.get_file_from_path(on_site):
            return posixpath.relpath(on_site, posixpath.dirname(page.file.src_uri) or ".")
        if (PROJECT / target).exists():
            return f"{config.extra['repository']}/blob/main/{target}"
        return match[1]  # MkDocs warns about it

    # Code is not changed: every second part is a fenced block.
    parts = re.split(r"(^```.*?^```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(moved, part) for part in parts)


# A page was once at the top of the site. The server's errors link to /server/#KIND, so the fragment is kept.
_REDIRECT = """<!doctype html>
<meta charset="utf-8">
<title>Moved</title>
<script>location.replace("{target}" + location.hash)</script>
<p>This page moved to <a href="{target}">{target}</a>.
"""


def on_post_build(config: MkDocsConfig) -> None:
    """Redirect /PAGE/ to /FOLDER/PAGE/ for each page in a folder of docs/."""
    for page in sorted(Path(config.docs_dir).glob("*/*.md")):  # how-to before research
        old = Path(config.site_dir) / page.stem / "index.html"
        if not old.exists():
            old.parent.mkdir(exist_ok=True)
            old.write_text(_REDIRECT.format(target=f"../{page.parent.name}/{page.stem}/"), encoding="utf-8")
