"""What the tables of Glean pings must have."""

import collections
import datetime
import json
import re

from rows import column

TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d(?::\d\d){0,2})(\.\d+)?)?([+-]\d\d:\d\d)$")
EVENT = ("category", "name", "timestamp", "extra")


def parsed(text):
    """A Glean time in UTC."""
    day, clock, fraction, offset = TIME.match(text).groups()
    clock = ((clock or "00") + ":00:00")[:8]
    time = datetime.datetime.fromisoformat(f"{day}T{clock}{((fraction or '.0') + '000000')[:7]}{offset}")
    return time.astimezone(datetime.UTC).replace(tzinfo=None)


def naive(time):
    return time.replace(tzinfo=None) if time and time.tzinfo else time


def sums(values, names):
    return {n: values.get(n) for n in names}


def metric(report, what, kind, row, name, value):
    """Compares a metric with its column. False if it has none."""
    members = row["metrics"].get(kind) if row.get("metrics") else None
    at = column(name)
    if members is None or at not in members or members[at] is None:
        return False
    have = members[at]
    match kind:
        case "datetime":
            report.equal(f"{what} raw", members["raw_" + at], value)
            have, value = naive(have), parsed(value)
        case "object":
            have = json.loads(have)
        case "timing_distribution" | "memory_distribution" | "custom_distribution":
            have = {"sum": have["sum"], "values": have["values"]}
    report.equal(what, have, value)
    return True


def compare_ping(report, ping, row, names):
    """Compares each part of a ping with its row. Returns whether the row has additional properties."""
    what = f"{ping.kind} {ping.id}"
    rest = json.loads(row["additional_properties"] or "{}")
    found = 0
    for kind, metrics in ping.body.get("metrics", {}).items():
        for name, value in metrics.items():
            if metric(report, f"{what} {name}", kind, row, name, value):
                found += 1
                continue
            names[ping.kind, f"{kind} {name}"] += 1
            report.equal(f"{what} {name} among the additional properties", rest.get("metrics", {}).get(kind, {}).get(name), value)
    filled = [c for members in (row.get("metrics") or {}).values() if members for c, v in members.items() if v is not None and not c.startswith("raw_")]
    report.equal(f"{what} number of metrics", len(filled), found)
    if "events" in row:
        events = [{k: e.get(k) for k in EVENT} for e in ping.body.get("events", [])]
        report.equal(f"{what} events", [{k: e[k] for k in EVENT} for e in row["events"] or []], events)
    elif "events" in ping.body:
        report.equal(f"{what} events among the additional properties", rest.get("events"), ping.body["events"])
        names[ping.kind, "events"] += 1
    for name, value in ping.body.get("ping_info", {}).items():
        if name != "experiments":
            report.equal(f"{what} {name}", row["ping_info"][name], value)
    for name, value in ping.body.get("client_info", {}).items():
        if isinstance(value, dict):
            value = {k: value.get(k) for k in row["client_info"][name]}
        report.equal(f"{what} {name}", row["client_info"][name], value)
    for time in "start_time", "end_time":
        if time in ping.body.get("ping_info", {}):
            report.equal(f"{what} {time}", naive(row["ping_info"]["parsed_" + time]), parsed(ping.body["ping_info"][time]))
    report.equal(f"{what} client_id", row.get("client_id"), ping.client_id)
    return bool(rest)


def compare(sent, tables, report):
    rest = {"names": collections.Counter()}
    for kind, pings in sent.by_kind().items():
        application, _, kind_name = kind.partition("/")
        if application == "telemetry" or pings[0].deletes:
            continue
        table = kind.replace("/", "_").replace("-", "_")
        rows = {r["document_id"]: r for r in tables.rows(table)}
        kept = [p for p in pings if sent.kept(p)]
        report.equal(f"pings of {table}", sorted(rows), sorted(p.id for p in kept))
        rest[kind] = sum(compare_ping(report, p, rows[p.id], rest["names"]) for p in kept if p.id in rows)
    for application in sorted({p.application for p in sent.pings} - {"telemetry"}):
        compare_events(sent, tables, report, application)
    compare_clients(sent, tables, report)
    compare_usage(sent, tables, report)
    compare_crashes(sent, tables, report)
    return rest


def compare_events(sent, tables, report, application):
    want = collections.Counter()
    for ping in sent.pings:
        if ping.application == application and sent.kept(ping):
            for number, event in enumerate(ping.body.get("events", []), 1):
                extra = json.dumps(event.get("extra"), sort_keys=True)
                want[f"{ping.id}-{number}", ping.type, event["category"], event["name"], extra] += 1
    rows = tables.rows(application.replace("-", "_") + "_events_stream")
    have = collections.Counter(
        (r["event_id"], r["document_type"], r["event_category"], r["event_name"], json.dumps(r["event_extra"], sort_keys=True)) for r in rows)
    report.equal(f"events of {application}", sorted(have.items()), sorted(want.items()))
    report.cells += len(want)


def baselines(sent):
    clients = collections.defaultdict(list)
    for ping in sent.pings:
        if ping.kind == "firefox-desktop/baseline" and sent.kept(ping):
            clients[ping.client_id].append(ping.body)
    return clients


def counted(bodies, name):
    return sum(b.get("metrics", {}).get("counter", {}).get(name, 0) for b in bodies)


def durations(bodies):
    return sum(b.get("metrics", {}).get("timespan", {}).get("glean.baseline.duration", {}).get("value", 0) for b in bodies)


def compare_clients(sent, tables, report):
    """The tables of clients from day to day, and the view of active users."""
    clients = baselines(sent)
    daily = {r["client_id"]: r for r in tables.rows("firefox_desktop_baseline_clients_daily")}
    first = {r["client_id"]: r for r in tables.rows("firefox_desktop_baseline_clients_first_seen")}
    last = {r["client_id"]: r for r in tables.rows("firefox_desktop_baseline_clients_last_seen")}
    view = {r["client_id"]: r for r in tables.query(
        "SELECT client_id, is_dau, is_wau, is_mau, is_daily_user, days_since_seen, locale FROM firefox_desktop.active_users")}
    for name, rows in ("daily", daily), ("first seen", first), ("last seen", last), ("active users", view):
        report.equal(f"clients of {name}", sorted(rows), sorted(clients))
    for client, bodies in clients.items():
        if not all(client in rows for rows in (daily, first, last, view)):
            continue
        uris, ticks = counted(bodies, "browser.engagement.uri_count"), counted(bodies, "browser.engagement.active_ticks")
        d, s = daily[client], last[client]
        what = f"client {client}"
        report.equal(f"{what} uri count", d["browser_engagement_uri_count"], uris)
        report.equal(f"{what} active ticks", d["browser_engagement_active_ticks"], ticks)
        report.equal(f"{what} durations", d["durations"], durations(bodies))
        report.equal(f"{what} hours", d["active_hours_sum"], ticks * 5 / 3600)
        report.equal(f"{what} build", d["app_build"], bodies[-1]["client_info"]["app_build"])
        report.equal(f"{what} new", d["is_new_profile"], True)
        legacy = bodies[-1]["metrics"]["uuid"]["legacy.telemetry.client_id"]
        report.equal(f"{what} legacy id", d["legacy_telemetry_client_id"], legacy)
        report.equal(f"{what} bits", [s["days_seen_bits"], s["days_desktop_active_bits"], s["days_visited_1_uri_bits"]],
                     [1, int(uris > 0 and ticks > 0), int(uris > 0)])
        v, active = view[client], uris > 0 and ticks > 0
        report.equal(f"{what} active", [v[n] for n in ("is_dau", "is_wau", "is_mau", "is_daily_user", "days_since_seen")],
                     [active, active, active, True, 0])
        report.equal(f"{what} locale", v["locale"], bodies[-1]["client_info"]["locale"].split("-")[0])


def compare_usage(sent, tables, report):
    profiles = collections.defaultdict(list)
    for ping in sent.pings:
        if ping.kind == "firefox-desktop/usage-reporting" and sent.kept(ping):
            profiles[ping.body["metrics"]["uuid"]["usage.profile_id"]].append(ping.body)
    rows = {r["usage_profile_id"]: r for r in tables.rows("firefox_desktop_usage_reporting_clients_daily")}
    report.equal("profiles of usage reports", sorted(rows), sorted(profiles))
    for profile, bodies in profiles.items():
        if profile in rows:
            active = counted(bodies, "browser.engagement.uri_count") > 0 and counted(bodies, "browser.engagement.active_ticks") > 0
            report.equal(f"profile {profile} active", rows[profile]["is_active"], active)


def compare_crashes(sent, tables, report):
    want = sorted(p.body["metrics"]["string"]["crash.minidump_sha256_hash"] for p in sent.pings if p.type == "crash" and sent.kept(p))
    rows = tables.rows("firefox_crashreporter_crashes")
    report.equal("minidumps", sorted(r["metrics"]["string"]["crash_minidump_sha256_hash"] for r in rows), want)


def summary(sent, client):
    pings = [p for p in sent.pings if p.client == client]
    bodies = [p.body for p in pings if p.kind == "firefox-desktop/baseline"]
    kinds = collections.Counter(p.type for p in pings if p.application != "telemetry")
    events = sum(len(p.body.get("events", [])) for p in pings if p.application != "telemetry")
    return (f"Glean {dict(sorted(kinds.items()))}, {events} events, uri count {counted(bodies, 'browser.engagement.uri_count')}, "
            f"ticks {counted(bodies, 'browser.engagement.active_ticks')}, seconds {durations(bodies)}")
