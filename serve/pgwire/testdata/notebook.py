"""What a notebook does over psycopg."""

import decimal
import json
import sys

import psycopg

out = {}
with psycopg.connect(sys.argv[1]) as c:
    cursor = c.execute("SELECT count(*), 'é', CAST(NULL AS varchar), 1.50, 0.5e0, true, date '2018-03-01', timestamp '2018-03-01 04:05:06.789',"
                       " ARRAY['a'], MAP(ARRAY['k'], ARRAY[1]), X'00ff', 9007199254740993 FROM addons WHERE sample_id < '0'")
    out["row"] = [repr(v) for v in cursor.fetchone()]
    out["types"] = [d.type_display for d in cursor.description]
    out["binary"] = [repr(v) for v in c.execute("SELECT 7, 1.50, 0.5e0, date '2018-03-01', timestamp '2018-03-01 04:05:06.789', 'é', true, X'00ff'", binary=True).fetchone()]
    with psycopg.ClientCursor(c) as cursor:
        out["parameters"] = cursor.execute("SELECT %s, %s", ["it's", 3]).fetchone()
    out["large"] = sum(1 for _ in c.execute("SELECT x, y FROM UNNEST(sequence(1, 20)) AS a(x) CROSS JOIN UNNEST(sequence(1, 1000)) AS b(y)"))
with psycopg.connect(sys.argv[1], autocommit=True) as c:
    try:
        c.execute("SELECT 1,\n  nothing FROM addons")
    except psycopg.Error as e:
        out["error"] = [e.sqlstate, e.diag.message_primary, e.diag.statement_position]
    try:
        c.execute("SELECT %s", [1])
    except psycopg.Error as e:
        out["bound"] = [e.sqlstate, e.diag.message_primary]
    out["schema"] = [r[0] for r in c.execute("SELECT column_name FROM information_schema.columns WHERE table_name = 'addons' ORDER BY ordinal_position LIMIT 2")]
    c.execute("SET dialect = 'duckdb'")
    out["duckdb"] = c.execute("SELECT list_sum([1, 2])").fetchone()[0]
json.dump(out, sys.stdout, default=str)
