"""What the tables of legacy pings must have."""

import collections
import re

SOURCE = re.compile(r"(?:(scalar|keyed sum) of )?((?:payload|environment|application)/[^ ]+)(?: \[(.+)\])?$")
SIMPLE = {"string": str, "int": int, "long": int, "boolean": bool}


def at(body, path):
    for name in path.split("/"):
        if not isinstance(body, dict) or name not in body:
            return None
        body = body[name]
    return body


def source(body, text):
    """The value of a column by what the documentation says that it comes from."""
    kind, path, name = SOURCE.match(text).groups()
    value = at(body, path)
    if kind == "keyed sum":
        value = ((value or {}).get(name) or {}).get("sum")
    elif name:
        value = (value or {}).get(name)
    return value


def searches(body):
    """Searches by engine and part of the browser."""
    found = {}
    for key, histogram in (at(body, "payload/keyedHistograms/SEARCH_COUNTS") or {}).items():
        engine, _, source = key.rpartition(".")
        found[engine, source] = histogram["sum"]
    return found


def compare(sent, tables, report):
    kept = collections.defaultdict(list)
    for ping in sent.pings:
        if ping.application == "telemetry" and sent.kept(ping):
            kept[ping.type].append(ping)
    compare_main(kept["main"], tables, report)
    compare_daily(kept["main"], tables, report)
    compare_events(kept["event"], tables, report)
    new = {r["id"]: r for r in tables.rows("telemetry_new_profile_parquet")}
    report.equal("new-profile pings", sorted(new), sorted(p.id for p in kept["new-profile"]))
    for ping in kept["new-profile"]:
        report.equal(f"new-profile {ping.id}", new[ping.id]["client_id"], ping.client_id)


def compare_main(pings, tables, report):
    rows = {r["document_id"]: r for r in tables.rows("main_summary")}
    report.equal("pings of main_summary", sorted(rows), sorted(p.id for p in pings))
    columns = [c for c in tables.schema("main_summary")["columns"] if c["type"] in SIMPLE and SOURCE.match(c.get("source", ""))]
    filled = set()
    for ping in pings:
        row = rows.get(ping.id)
        if row is None:
            continue
        for column in columns:
            value = source(ping.body, column["source"])
            if type(value) is not SIMPLE[column["type"]]:
                value = None
            report.equal(f"main {ping.id} {column['name']}", row[column["name"]], value)
        have = {(s["engine"], s["source"]): s["count"] for s in row["search_counts"] or []}
        report.equal(f"main {ping.id} searches", have, searches(ping.body))
        filled |= {name for name, value in row.items() if value is not None}
    print(f"main_summary: {len(pings)} pings, {len(filled)} of {len(next(iter(rows.values()), {}))} columns have a value, {len(columns)} compared")


def total(pings, path):
    return sum(at(p.body, path) or 0 for p in pings)


def compare_daily(pings, tables, report):
    clients = collections.defaultdict(list)
    for ping in pings:
        clients[ping.client_id].append(ping)
    rows = {r["client_id"]: r for r in tables.rows("clients_daily")}
    report.equal("clients of clients_daily", sorted(rows), sorted(clients))
    for client, own in clients.items():
        if client not in rows:
            continue
        row, what = rows[client], f"client {client}"
        report.equal(f"{what} pings", row["pings_aggregated_by_this_row"], len(own))
        uris = total(own, "payload/processes/parent/scalars/browser.engagement.total_uri_count")
        report.equal(f"{what} uri count", row["scalar_parent_browser_engagement_total_uri_count_sum"] or 0, uris)
        hours = total(own, "payload/info/subsessionLength") / 3600
        report.equal(f"{what} hours", round(float(row["subsession_hours_sum"]), 4), round(hours, 4))
        ticks = total(own, "payload/simpleMeasurements/activeTicks")
        report.equal(f"{what} active hours", round(row["active_hours_sum"], 6), round(ticks * 5 / 3600, 6))
        begun = sum(1 for p in own if at(p.body, "payload/info/subsessionCounter") == 1)
        report.equal(f"{what} sessions", row["sessions_started_on_this_day"], begun)
        count = sum(sum(searches(p.body).values()) for p in own)
        report.equal(f"{what} searches", row["search_count_sap_all"] or 0, count)


def compare_events(pings, tables, report):
    want = collections.Counter()
    for ping in pings:
        for process, events in ping.body["payload"]["events"].items():
            for event in events:
                time, category, method, thing, value, extra = (event + [None, None])[:6]
                want[ping.id, process, time, category, method, thing, value, str(sorted((extra or {}).items()))] += 1
    have = collections.Counter(
        (r["document_id"], r["event_process"], r["event_timestamp"], r["event_category"], r["event_method"], r["event_object"],
         r["event_string_value"], str(sorted((r["event_map_values"] or {}).items()))) for r in tables.rows("event_events"))
    report.equal("events of event pings", have, want)
    report.cells += sum(want.values())


def summary(sent, client):
    pings = [p for p in sent.pings if p.client == client and p.application == "telemetry"]
    main = [p for p in pings if p.type == "main"]
    reasons = collections.Counter(at(p.body, "payload/info/reason") for p in main)
    others = collections.Counter(p.type for p in pings if p.type != "main")
    return (f"legacy main {dict(reasons)} {dict(others)}, uri count {total(main, 'payload/processes/parent/scalars/browser.engagement.total_uri_count')}, "
            f"searches {sum(sum(searches(p.body).values()) for p in main)}, seconds {total(main, 'payload/info/subsessionLength')}")
