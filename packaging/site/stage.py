"""Stages the pages of the site: docs/ and the pages in the root of the repository, with links that fit the site.

    stage.py FOLDER VERSION

A link to another file of the repository leads to the repository, at the revision VERSION, or main if that is no release.
"""

import posixpath
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPOSITORY = "https://github.com/pingmill/pingmill"

# Pages that are in the root of the repository.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}

FENCE = re.compile(r"(?ms)^ *```.*?^ *```$")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")


def staged(path):
    """The name on the site of a file of the repository, None if it is not part of the site."""
    return PAGES.get(path) or (path[5:] if path.startswith("docs/") else None)


def links(text, source, revision):
    """The text of a page with its links as they are on the site."""

    def link(match):
        target, anchor = match[1], match[2] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if "://" in target or target.startswith("mailto:") or not (ROOT / path).exists():
            return match[0]  # the generator reports a page that does not exist
        if staged(path) and not path.endswith(".json"):
            to = posixpath.relpath(staged(path), posixpath.dirname(staged(source)) or ".")
        else:
            kind = "tree" if (ROOT / path).is_dir() else "blob"
            to = f"{REPOSITORY}/{kind}/{revision}/{path}"
        return f"]({to}{anchor})"

    out, end = [], 0
    for fence in FENCE.finditer(text):
        out += [LINK.sub(link, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join(out) + LINK.sub(link, text[end:])


def main(folder, version):
    folder = Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.json"))
    for name in ("site.css", "site.js"):
        shutil.copy(ROOT / "packaging/site" / name, folder)
    app = ROOT / "serve/web/app"
    shutil.copy(app / "public/icon.svg", folder)
    (folder / "fonts").mkdir()
    for font in ("sans-latin-400", "sans-latin-600", "mono-latin-400"):
        kind = font.split("-")[0]
        shutil.copy(app / f"node_modules/@fontsource/ibm-plex-{kind}/files/ibm-plex-{font}-normal.woff2", folder / "fonts")
    shutil.copy(app / "node_modules/iframe-worker/shim/index.js", folder / "iframe-worker.js")
    revision = version if re.match(r"v\d", version) else "main"
    for source in [*PAGES, *(str(p.relative_to(ROOT)) for p in sorted((ROOT / "docs").rglob("*.md")))]:
        (folder / staged(source)).write_text(links((ROOT / source).read_text(), source, revision))


main(*sys.argv[1:])
