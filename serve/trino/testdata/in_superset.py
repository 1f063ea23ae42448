"""Superset's own path: its database model, the calls of its dataset editor and of SQL Lab, over Trino's protocol."""

import json
import os
import sys
import tempfile
import threading
import time

port, token, pem = sys.argv[1:]
home = tempfile.mkdtemp()
with open(os.path.join(home, "superset_config.py"), "w") as f:
    f.write(f"SECRET_KEY = 'test'\nSQLALCHEMY_DATABASE_URI = 'sqlite:///{home}/superset.db'\nPREVENT_UNSAFE_DB_CONNECTIONS = False\n")
os.environ["SUPERSET_HOME"] = home
os.environ["SUPERSET_CONFIG_PATH"] = os.path.join(home, "superset_config.py")

from superset.app import create_app  # noqa: E402  Superset reads its configuration at import

app = create_app()
out = {}
with app.app_context():
    from superset.models.core import Database
    from superset.sql.parse import Table

    connect = {"http_scheme": "https", "verify": pem}
    db = Database(database_name="pingmill", sqlalchemy_uri=f"trino://token:XXXXXXXXXX@127.0.0.1:{port}/hive/default",
                  extra=json.dumps({"engine_params": {"connect_args": connect}}))
    db.set_sqlalchemy_uri(f"trino://token:{token}@127.0.0.1:{port}/hive/default")
    spec = db.db_engine_spec
    out["engine"] = spec.__name__
    with db.get_sqla_engine(catalog="hive", schema="default") as engine:
        out["ping"] = bool(spec.get_dbapi_exception_mapping() is not None and engine.dialect.do_ping(engine.raw_connection()))
    out["catalogs"] = sorted(db.get_all_catalog_names())
    out["schemas"] = sorted(db.get_all_schema_names(catalog="hive"))
    out["tables"] = sorted(t.table if hasattr(t, "table") else t[0] for t in db.get_all_table_names_in_schema("hive", "default"))
    out["views"] = sorted(str(v) for v in db.get_all_view_names_in_schema("hive", "default"))
    table = Table("addons", "default", "hive")
    out["columns"] = [[c["column_name"], str(c["type"]), c.get("comment")] for c in db.get_columns(table)]
    out["comment"] = db.get_table_comment(table)
    out["indexes"] = [i["name"] for i in db.get_indexes(table)]
    out["key"] = db.get_pk_constraint(table)
    out["select"] = db.select_star(table, limit=10)
    out["extra"] = json.loads(json.dumps(spec.get_extra_table_metadata(db, table), default=str))
    frame = db.get_df("SELECT submission_date_obj AS day, count(*) AS n, 0.5e0 AS f FROM addons GROUP BY 1", catalog="hive", schema="default")
    out["frame"] = [list(frame.columns), [str(t) for t in frame.dtypes], len(frame)]
    out["cost"] = str(spec.get_allow_cost_estimate(db.get_extra()))
    with db.get_raw_connection(catalog="hive", schema="default") as connection:
        cursor = connection.cursor()

        class Query:  # what SQL Lab's model of a query has that the engine's spec reads
            def __init__(self):
                self.id, self.tracking_url, self.status, self.progress, self.extra, self.database = 1, None, "running", 0, {}, db

            def set_extra_json_key(self, name, value):
                self.extra[name] = value

        from flask import g
        g.user = None
        query = Query()
        cursor.execute("SELECT count(*) FROM addons")
        out["rows"] = spec.fetch_data(cursor)
        endless = connection.cursor()

        def run():
            try:
                endless.execute("SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y)"
                                " CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5")
                endless.fetchall()
            except Exception as e:
                out["cancelled"] = getattr(e, "error_name", str(e))

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(1)
        out["cancel"] = spec.cancel_query(connection.cursor(), query, endless.stats["queryId"])
        thread.join(10)
    out["version"] = app.config["VERSION_STRING"]
sys.stdout.write("RESULT" + json.dumps(out, default=str))
