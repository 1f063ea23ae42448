"""What a notebook does over ADBC: each argument behind address and token names a function, whose result is a line of JSON."""

import hashlib
import json
import sys
import threading

import adbc_driver_flightsql.dbapi as flightsql
import adbc_driver_manager
import pyarrow as pa


def connect(address, headers):
    options = {"adbc.flight.sql.rpc.call_header." + k: v for k, v in headers.items() if k not in ("user", "password", "pem")}
    if "user" in headers:
        options |= {"username": headers["user"], "password": headers["password"]}
    if "pem" in headers:
        with open(headers["pem"]) as f:
            options["adbc.flight.sql.client_option.tls_root_certs"] = f.read()
    return flightsql.connect(address, db_kwargs=options, autocommit=True)


def fetch(c, sql):
    """The schema and the rows of a query."""
    with c.cursor() as cursor:
        cursor.execute(sql)
        table = cursor.fetch_arrow_table()
        return {"schema": [[f.name, str(f.type)] for f in table.schema], "rows": [[repr(v) for v in r.values()] for r in table.to_pylist()]}


def checksum(c, sql):
    """Rows and a hash of a large result, read batch by batch, with the size of the largest batch."""
    n, most, h = 0, 0, hashlib.sha256()
    with c.cursor() as cursor:
        cursor.execute(sql)
        for batch in cursor.fetch_record_batch():
            n, most = n + batch.num_rows, max(most, batch.nbytes)
            for row in zip(*(column.to_pylist() for column in batch.columns)):
                h.update((",".join("" if v is None else str(v) for v in row) + "\n").encode())
    return {"rows": n, "sha256": h.hexdigest(), "most": most}


def schema(c, sql):
    """The schema of a query that is not run."""
    with c.cursor() as cursor:
        return [[f.name, str(f.type)] for f in cursor.adbc_execute_schema(sql)]


def prepared(c, sql):
    """A prepared query, run twice."""
    with c.cursor() as cursor:
        parameters = cursor.adbc_prepare(sql)
        both = []
        for _ in range(2):
            cursor.execute(sql)
            both.append(cursor.fetchall())
        return {"parameters": None if parameters is None else len(parameters), "rows": repr(both)}


def bound(c, sql):
    with c.cursor() as cursor:
        cursor.execute(sql, (1,))
        return repr(cursor.fetchall())


def objects(c, depth):
    """Catalogs, schemas, tables and columns."""
    found = c.adbc_get_objects(depth=depth).read_all().to_pylist()
    for catalog in found:
        for s in catalog["catalog_db_schemas"] or []:
            for t in s["db_schema_tables"] or []:
                t["columns"] = [x["column_name"] for x in t.pop("table_columns") or []]
                t.pop("table_constraints", None)
    return found


def tables(c, pattern):
    return [t["table_name"] for o in c.adbc_get_objects(depth="tables", table_name_filter=pattern).read_all().to_pylist()
            for s in o["catalog_db_schemas"] for t in s["db_schema_tables"] or []]


def table_schema(c, name):
    return [[f.name, str(f.type)] for f in c.adbc_get_table_schema(name)]


def types(c, _):
    return c.adbc_get_table_types()


def information(c, _):
    return {str(k): v for k, v in c.adbc_get_info().items()}


def cancel(c, sql):
    """A query that is cancelled from another thread while it runs."""
    with c.cursor() as cursor:
        threading.Timer(1.5, cursor.adbc_cancel).start()
        cursor.execute(sql)
        return cursor.fetchall()


def update(c, sql):
    with c.cursor() as cursor:
        return cursor.adbc_statement.execute_update() if not sql else cursor.executemany(sql, [[1]])


def ingest(c, name):
    with c.cursor() as cursor:
        return cursor.adbc_ingest(name, pa.table({"x": [1]}), mode="append")


def main():
    address, headers = sys.argv[1], json.loads(sys.argv[2])
    for call in sys.argv[3:]:
        name, argument, *own = json.loads(call)
        try:
            with connect(address, *own or [headers]) as c:
                out = {"value": globals()[name](c, argument)}
        except adbc_driver_manager.Error as e:
            out = {"error": str(e), "status": e.status_code.name, "details": [repr(d) for d in e.details or []]}
        print(json.dumps(out), flush=True)


main()
