"""SQLAlchemy's inspector, bound parameters and pandas' way of reading, over PostgreSQL's protocol with psycopg2."""

import json
import sys

import sqlalchemy

port, token = sys.argv[1:]
engine = sqlalchemy.create_engine(f"postgresql+psycopg2://token:{token}@127.0.0.1:{port}/hive")
seen = sqlalchemy.inspect(engine)
out = {
    "version": sqlalchemy.__version__, "schemas": seen.get_schema_names(), "tables": seen.get_table_names(), "views": seen.get_view_names(),
    "columns": [[c["name"], str(c["type"]), c["comment"]] for c in seen.get_columns("addons")], "key": seen.get_pk_constraint("addons")["constrained_columns"],
    "foreign": seen.get_foreign_keys("addons"), "unique": seen.get_unique_constraints("addons"), "checks": seen.get_check_constraints("addons"),
    "comment": seen.get_table_comment("addons")["text"], "has": [seen.has_table("addons"), seen.has_table("search_clients_daily"), seen.has_table("nothing")],
}
if sqlalchemy.__version__ >= "2":
    out["indexes"] = seen.get_indexes("addons")
with engine.connect() as c:
    out["bound"] = [list(r) for r in c.execute(sqlalchemy.text("SELECT :a, :b"), {"a": "it's é", "b": 7})]
    for schema in ("default", "public"):
        out[schema] = [list(r) for r in c.execute(sqlalchemy.text(f"SELECT count(*) > 0 FROM {schema}.addons"))]
json.dump(out, sys.stdout, default=str)
