"""What tools in Python do over Trino's protocol: the client, SQLAlchemy, pandas and polars."""

import json
import sys
import threading
import time

import sqlalchemy
import trino
from trino.auth import BasicAuthentication, JWTAuthentication

port, token, pem = sys.argv[1:]
out = {"versions": {"sqlalchemy": sqlalchemy.__version__, "trino": trino.__version__}}


def connect(auth=None, **more):
    return trino.dbapi.connect(host="127.0.0.1", port=int(port), user="token", catalog="hive", schema="default", http_scheme="https",
                               auth=auth or BasicAuthentication("token", token), verify=pem, **more)


def failure(run):
    try:
        run()
    except trino.exceptions.TrinoQueryError as e:
        return [e.error_name, e.error_type, e.message]
    except trino.exceptions.HttpError as e:
        return [str(e)[:9]]


def client():
    cursor = connect().cursor()
    cursor.execute("SELECT count(*), 'é', CAST(NULL AS varchar), 1.50, 0.5e0, true, date '2018-03-01', timestamp '2018-03-01 04:05:06.789012',"
                   " timestamp '2018-03-01 04:05:06 UTC', ARRAY['a'], MAP(ARRAY['k'], ARRAY[1]), X'00ff', 9007199254740993, nan(),"
                   " time '04:05:06.789', CAST(ROW(1, 'b') AS row(x integer, y varchar)) FROM addons WHERE sample_id < '0'")
    out["row"] = [repr(v) for v in cursor.fetchone()]
    out["types"] = [d[1] for d in cursor.description]
    out["id"] = len(cursor.query_id)
    cursor.execute("SELECT ?, ?, ?, ?, ?", ["it's", 3, 0.5, None, [1, 2]])
    out["parameters"] = cursor.fetchall()
    cursor = connect(legacy_prepared_statements=True).cursor()
    out["prepared"] = cursor.execute("SELECT ?, 1", ["it's"]).fetchall()
    cursor.execute("SELECT x, y FROM UNNEST(sequence(1, 200)) AS a(x) CROSS JOIN UNNEST(sequence(1, 1000)) AS b(y)")
    out["large"] = len(cursor.fetchall())
    bearer = connect(JWTAuthentication(token), session_properties={"query_max_run_time": "1h"}, client_tags=["a", "b"], timezone="UTC")
    out["session"] = bearer.cursor().execute("SHOW SESSION").fetchall()[0][:2]
    out["error"] = failure(lambda: connect().cursor().execute("SELECT nothing FROM addons").fetchall())
    out["hidden"] = failure(lambda: connect().cursor().execute("SELECT 1 FROM search_clients_daily").fetchall())
    out["absent"] = failure(lambda: connect().cursor().execute("SELECT 1 FROM search_clients_hourly").fetchall())
    out["stranger"] = failure(lambda: connect(BasicAuthentication("token", "pm_nobody")).cursor().execute("SELECT 1"))
    with connect(isolation_level=trino.transaction.IsolationLevel.READ_COMMITTED) as c:
        out["transaction"] = c.cursor().execute("SELECT 1").fetchall()
    cursor = connect().cursor()
    threading.Thread(target=lambda: (time.sleep(1), cursor.cancel())).start()
    out["cancelled"] = failure(lambda: cursor.execute(
        "SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x) CROSS JOIN UNNEST(sequence(1, 10000)) AS b(y)"
        " CROSS JOIN UNNEST(sequence(1, 10000)) AS c(z) WHERE x * y % 7 = z % 5").fetchall())


def alchemy():
    engine = sqlalchemy.create_engine(f"trino://token:{token}@127.0.0.1:{port}/hive/default", connect_args={"verify": pem, "http_scheme": "https"})
    seen = sqlalchemy.inspect(engine)
    out["inspector"] = {
        "schemas": seen.get_schema_names(), "tables": seen.get_table_names(), "views": seen.get_view_names(),
        "columns": [[c["name"], str(c["type"])] for c in seen.get_columns("addons")], "comment": seen.get_table_comment("addons"),
        "key": seen.get_pk_constraint("addons"), "foreign": seen.get_foreign_keys("addons"), "indexes": seen.get_indexes("addons"),
        "has": [seen.has_table("addons"), seen.has_table("search_clients_daily"), seen.has_table("nothing")],
    }
    table = sqlalchemy.Table("addons", sqlalchemy.MetaData(), autoload_with=engine)
    with engine.connect() as c:
        query = sqlalchemy.select(table.c.scope, sqlalchemy.func.count()).where(table.c.addon_id != "it's").group_by(table.c.scope)
        out["select"] = len(c.execute(query.order_by(table.c.scope).limit(3)).fetchall())
        out["text"] = [list(r) for r in c.execute(sqlalchemy.text("SELECT :a, :b"), {"a": "é", "b": 7})]
    return engine


client()
engine = alchemy()
days = "SELECT submission_date_obj AS day, count(*) AS n, 0.5e0 AS f, timestamp '2018-03-01 04:05:06.789' AS at FROM addons GROUP BY 1"
try:
    import pandas
    frame = pandas.read_sql(sqlalchemy.text(days), engine)
    out["pandas"] = [list(frame.columns), str(frame.dtypes["n"]), str(frame.dtypes["f"]), str(frame["at"][0]), len(frame)]
    out["versions"]["pandas"] = pandas.__version__
except ImportError:
    pass
try:
    import polars
    frame = polars.read_database(days, connection=connect())
    out["polars"] = [frame.columns, [str(t) for t in frame.dtypes], len(frame)]
    out["versions"]["polars"] = polars.__version__
except ImportError:
    pass
json.dump(out, sys.stdout, default=str)
