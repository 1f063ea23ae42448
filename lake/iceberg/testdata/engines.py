"""Reads Iceberg tables with pyiceberg, Spark or Trino. CATALOG is a file of SQLite, or the URL of a REST catalog.

engines.py sums FOLDER                        prints checksums of each column of FOLDER/TABLE.arrow
engines.py ENGINE CATALOG same FILE           compares every table with these, column by column
engines.py ENGINE CATALOG loop TABLE FOLDER   reads a table until FOLDER/stop exists: a line of JSON for each answer or error
"""

import atexit, datetime, decimal, hashlib, json, os, pathlib, socket, sys, tempfile, zlib


class PyIceberg:
    form = "no nulls"  # of lists and maps of structs it reads null as empty: ArrowProjectionVisitor makes them anew from their offsets

    def __init__(self, path):
        from pyiceberg.catalog.rest import RestCatalog
        from pyiceberg.catalog.sql import SqlCatalog

        rest = path.startswith("http")
        self.catalog = RestCatalog("pingmill", uri=path) if rest else SqlCatalog("pingmill", uri="sqlite:///" + path)

    def tables(self):
        return [t for ns in self.catalog.list_namespaces() for t in self.catalog.list_tables(ns)]

    def rows(self, table):
        t = self.catalog.load_table(table).scan().to_arrow()
        return t.column_names, ([r[c] for c in t.column_names] for r in t.to_pylist())

    def answer(self, table):
        ids = self.catalog.load_table(table).scan(selected_fields=("document_id",)).to_arrow()["document_id"].to_pylist()
        return len(ids), sum(zlib.crc32(i.encode()) for i in ids)


class Spark:
    form = "exact"

    def __init__(self, path):
        from pyspark.sql import SparkSession

        b = SparkSession.builder.master("local[1]").config("spark.jars", os.environ["ICEBERG_JARS"])
        rest = path.startswith("http")
        for k, v in {
            "spark.sql.catalog.pingmill": "org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.pingmill.type": "rest" if rest else "jdbc",
            "spark.sql.catalog.pingmill.uri": path if rest else "jdbc:sqlite:" + path, "spark.sql.catalog.pingmill.warehouse": "file:///tmp",
            "spark.sql.catalog.pingmill.jdbc.schema-version": "V1", "spark.sql.catalog.pingmill.cache-enabled": "false",
            "spark.ui.enabled": "false", "spark.driver.memory": "4g", "spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": "2",
        }.items():
            b = b.config(k, v)
        self.spark = b.getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")

    def tables(self):
        spaces = [r[0] for r in self.spark.sql("SHOW NAMESPACES IN pingmill").collect()]
        return [(ns, r.tableName) for ns in spaces for r in self.spark.sql("SHOW TABLES IN pingmill." + ns).collect()]

    def rows(self, table):
        df = self.spark.table("pingmill.%s.%s" % tuple(table))
        return df.columns, (list(r) for r in df.collect())

    def answer(self, table):
        r = self.spark.sql("SELECT count(*), sum(crc32(document_id)) FROM pingmill.%s.%s" % tuple(table)).collect()[0]
        return r[0], r[1]


class Trino:
    form = "lower case"  # Trino has no other names
    too_wide = ["firefox_desktop_metrics"]  # 8 GB of heap are not enough, and 4 GB not for count(*)

    def __init__(self, uri):
        sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "packaging" / "engines"))
        import trino

        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        catalog = f"connector.name=iceberg\niceberg.catalog.type=rest\niceberg.rest-catalog.uri={uri}\nfs.hadoop.enabled=true\niceberg.metadata-cache.enabled=false\n"
        home = pathlib.Path(os.environ["TRINO"])
        self.server = trino.Trino(home, trino.java_home(24), port, tempfile.mkdtemp(), {"pingmill": catalog})
        self.server.__enter__()
        atexit.register(self.server.__exit__)

    def tables(self):
        _, spaces = self.server.ask("SHOW SCHEMAS FROM pingmill")
        return [(ns, t) for [ns] in spaces if ns.startswith("pingmill") for [t] in self.server.ask(f"SHOW TABLES FROM pingmill.{ns}")[1]]

    def rows(self, table):
        columns, rows = self.server.ask_typed("SELECT * FROM %s.%s" % tuple(table))
        types = [c["typeSignature"] for c in columns]
        return [c["name"] for c in columns], ([typed(t, v) for t, v in zip(types, r)] for r in rows)

    def answer(self, table):
        _, [[n, s]] = self.server.ask("SELECT count(*), sum(crc32(to_utf8(document_id))) FROM %s.%s" % tuple(table))
        return n, s


def typed(type, v):
    """A value of Trino's JSON as pyarrow has it."""
    kind, of = type["rawType"], [a["value"] for a in type["arguments"]]
    if v is None:
        return None
    if kind == "array":
        return [typed(of[0], e) for e in v]
    if kind == "map":
        key = int if of[0]["rawType"] in ("integer", "bigint") else str
        return [(key(k), typed(of[1], e)) for k, e in v.items()]
    if kind == "row":
        return {f["fieldName"]["name"]: typed(f["typeSignature"], e) for f, e in zip(of, v)}
    if kind.startswith("timestamp"):
        return datetime.datetime.fromisoformat(v.removesuffix(" UTC"))
    return {"date": datetime.date.fromisoformat, "double": float, "real": float, "decimal": decimal.Decimal}.get(kind, lambda v: v)(v)


def plain(v, lower=False):
    """A value as text that does not depend on the engine. Members of structs may be in lower case."""
    if v is None or isinstance(v, (bool, int, str)):
        return repr(v)
    if isinstance(v, float):
        return repr(v)
    if isinstance(v, datetime.datetime):
        return (v.astimezone(datetime.UTC).replace(tzinfo=None) if v.tzinfo else v).isoformat(timespec="microseconds")
    if hasattr(v, "asDict"):
        v = v.asDict()
    if isinstance(v, list) and v and all(isinstance(e, tuple) and len(e) == 2 and not hasattr(e, "asDict") for e in v):
        v = dict(v)
    elif lower and isinstance(v, dict):
        v = {k.lower(): e for k, e in v.items()}
    if isinstance(v, dict):
        return "{" + ",".join(sorted(plain(k) + ":" + plain(e, lower) for k, e in v.items())) + "}" if v else "[]"
    if isinstance(v, (list, tuple)):
        return "[" + ",".join(plain(e, lower) for e in v) + "]"
    return str(v)


def sums(names, rows, form):
    """The number of rows and a checksum for each column, whatever the order of the rows."""
    n, all = 0, [0] * len(names)
    for r in rows:
        n += 1
        for i, v in enumerate(r):
            text = plain(v, form == "lower case")
            if form == "no nulls":  # also within structs
                text = text.replace("[]", "None")
            all[i] += int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "big")
    return n, dict(zip((n.lower() for n in names) if form == "lower case" else names, all))


def expected(folder):
    import pyarrow.ipc

    all = {}
    for name in os.listdir(folder):
        t = pyarrow.ipc.open_stream(os.path.join(folder, name)).read_all()
        rows = t.to_pylist()
        for form in ("exact", "no nulls", "lower case"):
            all[name.removesuffix(".arrow") + " " + form] = sums(t.column_names, ([r[c] for c in t.column_names] for r in rows), form)
    print(json.dumps(all))


def same(engine, file):
    with open(file) as f:
        all = json.load(f)
    for table in engine.tables():
        n, want = all[table[1] + " " + engine.form]
        if table[1] in getattr(engine, "too_wide", []):
            print("%s: left out, %d columns are too many for 8 GB of heap" % (".".join(table), len(want)), flush=True)
            continue
        got = sums(*engine.rows(table), engine.form)
        if got != (n, want):
            sys.exit("%s: %d rows, want %d; other columns: %s" % (table, got[0], n, [c for c in want if got[1].get(c) != want[c]]))
        print("%s: %d rows, %d columns" % (".".join(table), got[0], len(got[1])), flush=True)


def loop(engine, table, folder):
    print("ready", flush=True)
    while not os.path.exists(os.path.join(folder, "stop")):
        try:
            n, s = engine.answer(tuple(table.split(".")))
            print(json.dumps({"rows": n, "sum": s}), flush=True)
        except Exception as e:
            print(json.dumps({"error": str(e)[:2000]}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "sums":
        expected(sys.argv[2])
        sys.exit()
    engine = {"pyiceberg": PyIceberg, "spark": Spark, "trino": Trino}[sys.argv[1]](sys.argv[2])
    if sys.argv[3] == "same":
        same(engine, sys.argv[4])
    else:
        loop(engine, sys.argv[4], sys.argv[5])
