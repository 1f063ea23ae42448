"""Lists the versions of the site in FOLDER, which has a folder for each, and makes the page that leads to the newest one.

    versions.py FOLDER
"""

import json
import re
import sys
from pathlib import Path


def order(version):
    """Releases by their numbers, before any other name."""
    found = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)(.*)", version)
    return (1, *map(int, found.groups()[:3]), found[4] == "", found[4]) if found else (0,)


def main(folder):
    folder = Path(folder)
    for page in folder.glob("*/404.html"):
        page.unlink()  # it needs to know where on a server the site is
    versions = sorted((p.name for p in folder.iterdir() if (p / "index.html").exists()), key=order, reverse=True)
    listed = [{"version": v, "title": v, "aliases": []} for v in versions]
    (folder / "versions.json").write_text(json.dumps(listed) + "\n")
    newest = versions[0] + "/index.html"
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>pingmill</title>'
        f'<meta http-equiv="refresh" content="0; url={newest}"><a href="{newest}">pingmill</a></html>\n'
    )


main(*sys.argv[1:])
