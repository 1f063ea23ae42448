#!/usr/bin/env python3
"""Computes the rows that the captured pings give in all seven tables.

It follows the tables' reference and nothing of the program: no transform, no
schema, no parquet. Of the project it reads the probe definitions, which are
input. What the captured pings do not have (events, plug-ins, popup statistics,
...) it does not compute, but refuses, so that nothing is wrong by omission.

    python3 expect.py > expected.ndjson

writes one line for each row, {"table": ..., "row": {...}}, without the columns
that are null. It needs PyYAML. Pings by which clients ask to be forgotten are
left out: the test sends them last.
"""

import base64
import email.utils
import datetime
import gzip
import json
import os
import re
import sys
import zlib
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
PROBES = os.path.join(HERE, "../../../../schema/probes")


# ---- Reading values ----


def get(value, path):
    for name in path.split("/"):
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value


def text(v):
    if isinstance(v, bool) or v is None or isinstance(v, (dict, list)):
        return None
    assert not isinstance(v, float), "no fraction stands where a text is read"
    return str(v)


def whole(v, bits):
    if isinstance(v, bool) or not isinstance(v, (int, float)):
        return None
    v = int(v)
    return v if -(2 ** (bits - 1)) <= v < 2 ** (bits - 1) else None


def int32(v):
    return whole(v, 32)


def int64(v):
    return whole(v, 64)


def token(v):
    """An integer without a fraction."""
    return None if isinstance(v, float) else whole(v, 32)


def boolean(v):
    return v if isinstance(v, bool) else None


# ---- Submissions ----


def submissions(file):
    with open(os.path.join(HERE, file)) as f:
        for line in f:
            s = json.loads(line)
            body = base64.b64decode(s["body"])
            if body[:2] == b"\x1f\x8b":
                body = gzip.decompress(body)
            parts = s["uri"].split("/")
            yield s, parts, json.loads(body)


def day_of(ns):
    return datetime.datetime.fromtimestamp(ns // 10**9, datetime.timezone.utc).strftime("%Y%m%d")


def nanoseconds(iso):
    whole_part, fraction = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z", iso).groups()
    t = datetime.datetime.strptime(whole_part + "+0000", "%Y-%m-%dT%H:%M:%S%z")
    return int(t.timestamp()) * 10**9 + int((fraction or "0").ljust(9, "0"))


def meta_of(s, parts, ping):
    channel = get(ping, "application/channel")
    known = channel if channel in ("release", "esr", "aurora") else "Other"
    os_version = re.match(r"\d+(\.\d+){0,2}", text(get(ping, "environment/system/os/version")) or "")
    headers = {k.lower(): v for k, v in s["headers"].items()}
    return {
        "documentId": parts[3], "clientId": text(ping.get("clientId")), "timestamp": s["timestamp"], "day": day_of(s["timestamp"]),
        "channel": channel, "normalizedChannel": known, "osVersion": os_version and os_version.group(),
        "date": headers.get("date"), "pingSender": headers.get("x-pingsender-version"),
        "sample": None if ping.get("clientId") is None else str(zlib.crc32(ping["clientId"].encode()) % 100),
    }


# ---- main_summary ----

SIMPLE = """
os S environment/system/os/name
os_version S environment/system/os/version
os_service_pack_major L environment/system/os/servicePackMajor
os_service_pack_minor L environment/system/os/servicePackMinor
windows_build_number L environment/system/os/windowsBuildNumber
windows_ubr L environment/system/os/windowsUBR
install_year L environment/system/os/installYear
is_wow64 B environment/system/isWow64
memory_mb I environment/system/memoryMB
cpu_count I environment/system/cpu/count
cpu_cores I environment/system/cpu/cores
cpu_vendor S environment/system/cpu/vendor
cpu_family I environment/system/cpu/family
cpu_model I environment/system/cpu/model
cpu_stepping I environment/system/cpu/stepping
cpu_l2_cache_kb I environment/system/cpu/l2cacheKB
cpu_l3_cache_kb I environment/system/cpu/l3cacheKB
cpu_speed_mhz I environment/system/cpu/speedMHz
gfx_features_d3d11_status S environment/system/gfx/features/d3d11/status
gfx_features_d2d_status S environment/system/gfx/features/d2d/status
gfx_features_gpu_process_status S environment/system/gfx/features/gpuProcess/status
gfx_features_advanced_layers_status S environment/system/gfx/features/advancedLayers/status
apple_model_id S environment/system/appleModelId
profile_creation_date L environment/profile/creationDate
profile_reset_date L environment/profile/resetDate
previous_build_id S payload/info/previousBuildId
session_id S payload/info/sessionId
subsession_id S payload/info/subsessionId
previous_session_id S payload/info/previousSessionId
previous_subsession_id S payload/info/previousSubsessionId
session_start_date S payload/info/sessionStartDate
subsession_start_date S payload/info/subsessionStartDate
session_length L payload/info/sessionLength
subsession_length L payload/info/subsessionLength
subsession_counter I payload/info/subsessionCounter
profile_subsession_counter I payload/info/profileSubsessionCounter
creation_date S creationDate
distribution_id S environment/partner/distributionId
app_build_id S application/buildId
app_display_version S application/displayVersion
app_name S application/name
app_version S application/version
env_build_id S environment/build/buildId
env_build_version S environment/build/version
env_build_arch S environment/build/architecture
e10s_enabled B environment/settings/e10sEnabled
e10s_multi_processes L environment/settings/e10sMultiProcesses
locale S environment/settings/locale
update_channel S environment/settings/update/channel
update_enabled B environment/settings/update/enabled
update_auto_download B environment/settings/update/autoDownload
sandbox_effective_content_process_level I environment/settings/sandbox/effectiveContentProcessLevel
active_experiment_id S environment/addons/activeExperiment/id
active_experiment_branch S environment/addons/activeExperiment/branch
reason S payload/info/reason
timezone_offset I payload/info/timezoneOffset
vendor S application/vendor
is_default_browser B environment/settings/isDefaultBrowser
default_search_engine_data_name S environment/settings/defaultSearchEngineData/name
default_search_engine_data_load_path S environment/settings/defaultSearchEngineData/loadPath
default_search_engine_data_origin S environment/settings/defaultSearchEngineData/origin
default_search_engine_data_submission_url S environment/settings/defaultSearchEngineData/submissionURL
default_search_engine S environment/settings/defaultSearchEngine
blocklist_enabled B environment/settings/blocklistEnabled
addon_compatibility_check_enabled B environment/settings/addonCompatibilityCheckEnabled
telemetry_enabled B environment/settings/telemetryEnabled
main I payload/simpleMeasurements/main
session_restored I payload/simpleMeasurements/sessionRestored
total_time I payload/simpleMeasurements/totalTime
search_cohort S environment/settings/searchCohort
gfx_compositor S environment/system/gfx/features/compositor
devtools_toolbox_opened_count I payload/histograms/DEVTOOLS_TOOLBOX_OPENED_COUNT/sum
push_api_notify I payload/histograms/PUSH_API_NOTIFY/sum
web_notification_shown I payload/histograms/WEB_NOTIFICATION_SHOWN/sum
plugins_notification_shown I payload/histograms/PLUGINS_NOTIFICATION_SHOWN/sum
plugins_infobar_shown I payload/histograms/PLUGINS_INFOBAR_SHOWN/sum
plugins_infobar_block I payload/histograms/PLUGINS_INFOBAR_BLOCK/sum
plugins_infobar_allow I payload/histograms/PLUGINS_INFOBAR_ALLOW/sum
plugins_infobar_dismissed I payload/histograms/PLUGINS_INFOBAR_DISMISSED/sum
plugin_hangs I payload/keyedHistograms/SUBPROCESS_CRASHES_WITH_DUMP/pluginhang/sum
aborts_plugin I payload/keyedHistograms/SUBPROCESS_ABNORMAL_ABORT/plugin/sum
aborts_content I payload/keyedHistograms/SUBPROCESS_ABNORMAL_ABORT/content/sum
aborts_gmplugin I payload/keyedHistograms/SUBPROCESS_ABNORMAL_ABORT/gmplugin/sum
crashes_detected_plugin I payload/keyedHistograms/SUBPROCESS_CRASHES_WITH_DUMP/plugin/sum
crashes_detected_content I payload/keyedHistograms/SUBPROCESS_CRASHES_WITH_DUMP/content/sum
crashes_detected_gmplugin I payload/keyedHistograms/SUBPROCESS_CRASHES_WITH_DUMP/gmplugin/sum
crash_submit_attempt_main I payload/keyedHistograms/PROCESS_CRASH_SUBMIT_ATTEMPT/main-crash/sum
crash_submit_attempt_content I payload/keyedHistograms/PROCESS_CRASH_SUBMIT_ATTEMPT/content-crash/sum
crash_submit_attempt_plugin I payload/keyedHistograms/PROCESS_CRASH_SUBMIT_ATTEMPT/plugin-crash/sum
crash_submit_success_main I payload/keyedHistograms/PROCESS_CRASH_SUBMIT_SUCCESS/main-crash/sum
crash_submit_success_content I payload/keyedHistograms/PROCESS_CRASH_SUBMIT_SUCCESS/content-crash/sum
crash_submit_success_plugin I payload/keyedHistograms/PROCESS_CRASH_SUBMIT_SUCCESS/plugin-crash/sum
shutdown_kill I payload/keyedHistograms/SUBPROCESS_KILL_HARD/ShutDownKill/sum
"""

RULES = {"S": text, "I": int32, "L": int64, "B": boolean}

# Places of what is not in the captured pings and not computed.
ABSENT = """
environment/system/sec
environment/settings/attribution
environment/addons/activePlugins
payload/histograms/WEAVE_CONFIGURED
payload/histograms/WEAVE_DEVICE_COUNT_DESKTOP
payload/histograms/WEAVE_DEVICE_COUNT_MOBILE
payload/histograms/PLACES_BOOKMARKS_COUNT
payload/histograms/PLACES_PAGES_COUNT
payload/histograms/SSL_HANDSHAKE_RESULT
payload/histograms/PLUGINS_NOTIFICATION_USER_ACTION
payload/keyedHistograms/POPUP_NOTIFICATION_STATS
payload/processes/parent/events
payload/processes/content/events
payload/processes/gpu/events
payload/processes/dynamic/events
""".split()

THRESHOLDS = [
    ("gc_max_pause_ms", "GC_MAX_PAUSE_MS_2", (150, 250, 2500)),
    ("cycle_collector_max_pause", "CYCLE_COLLECTOR_MAX_PAUSE", (150, 250, 2500)),
    ("input_event_response_coalesced_ms", "INPUT_EVENT_RESPONSE_COALESCED_MS", (150, 250, 2500)),
    ("ghost_windows", "GHOST_WINDOWS", (1,)),
]

ADDON = [("blocklisted", "blocklisted", "B"), ("name", "name", "S"), ("user_disabled", "userDisabled", "B"), ("app_disabled", "appDisabled", "B"),
         ("version", "version", "S"), ("scope", "scope", "I"), ("type", "type", "S"), ("foreign_install", "foreignInstall", "B"),
         ("has_binary_components", "hasBinaryComponents", "B"), ("install_day", "installDay", "I"), ("update_day", "updateDay", "I"),
         ("signed_state", "signedState", "I"), ("is_system", "isSystem", "B"), ("is_web_extension", "isWebExtension", "B"),
         ("multiprocess_compatible", "multiprocessCompatible", "B")]

READY_THEMES = ("{972ce4c6-7e08-4474-a285-3208198ce6fd}", "firefox-compact-light@mozilla.org", "firefox-compact-dark@mozilla.org")


def addon(id_, entry):
    return {"addon_id": id_, **{column: RULES[rule](get(entry, member)) for column, member, rule in ADDON}}


def sections(ping, process, kind, keyed):
    """Histograms or scalars of a process; a keyed one comes before another of its name."""
    root = ping["payload"] if process == "parent" and kind == "histograms" else get(ping, "payload/processes/" + process) or {}
    return {**(root.get(kind) or {}), **(root.get(keyed) or {})}


def processes_of(definition):
    names = definition.get("record_in_processes") or ["all"]
    both = {"all": ["parent", "content", "gpu"], "main": ["parent"], "all_childs": ["content", "gpu"],
            "all_child": ["content", "gpu"], "all_children": ["content", "gpu"]}
    return {p for n in names for p in both.get(n, [n])} & {"parent", "content", "gpu"}


def scalar_value(kind, v):
    if kind == "uint":
        return token(v)
    if kind == "boolean":
        return boolean(v)
    return None if isinstance(v, float) else text(v)


def scalar_columns(ping, probes):
    row = {}
    for section, members in probes.items():
        for name, d in members.items():
            for process in processes_of(d):
                v = sections(ping, process, "scalars", "keyedScalars").get(section + "." + name)
                if d.get("keyed") in (True, "true"):
                    good = {k: scalar_value(d["kind"], x) for k, x in v.items()} if isinstance(v, dict) else {}
                    v = {k: x for k, x in good.items() if x is not None} or None
                else:
                    v = scalar_value(d["kind"], v)
                row["scalar_%s_%s" % (process, (section + "." + name).replace(".", "_"))] = v
    return row


def buckets(d, h):
    values = get(h, "values")
    if not isinstance(values, dict):
        return None
    assert all(isinstance(c, int) and not isinstance(c, bool) for c in values.values())
    if d["kind"] != "categorical":
        return {str(int(b)): int32(c) for b, c in values.items()}
    labelled = {}
    for b, c in values.items():
        label = d["labels"][int(b)] if int(b) < len(d["labels"]) else "spill"
        labelled[label] = labelled.get(label, 0) + c
    return labelled


def histogram_columns(ping, probes, whitelist):
    row = {}
    for name in whitelist:
        d = probes[name]
        for process in processes_of(d):
            h = sections(ping, process, "histograms", "keyedHistograms").get(name)
            if d.get("keyed") in (True, "true"):
                v = {k: buckets(d, x) for k, x in h.items()} if isinstance(h, dict) else None
            else:
                v = buckets(d, h)
            row["histogram_%s_%s" % (process, name.lower())] = v
    return row


def at_least(ping, process, name, bound):
    root = ping["payload"] if process == "parent" else get(ping, "payload/processes/" + process) or {}
    values = get(root, "histograms/" + name + "/values") or {}
    return sum(c for b, c in values.items() if int(b) >= bound)


def search_counts(ping):
    counts = get(ping, "payload/keyedHistograms/SEARCH_COUNTS")
    if not counts:
        return None
    out = []
    for key, h in counts.items():
        m = re.fullmatch(r"(.+)\.(.+)", key)
        engine, source = m.groups() if m else (None, None)
        out.append({"engine": engine, "source": source, "count": int64(get(h, "sum"))})
    return out


def truncated(ns):
    """Seconds of a difference, toward zero."""
    return int(Fraction(ns, 10**9))


def main_row(m, ping, probes):
    for path in ABSENT:
        assert get(ping, path) is None, path
    row = {}
    for line in SIMPLE.strip().split("\n"):
        column, rule, path = line.split()
        row[column] = RULES[rule](get(ping, path))
    addons, theme = get(ping, "environment/addons/activeAddons"), get(ping, "environment/addons/theme")
    theme = addon(text(get(theme, "id")) or "MISSING", theme)
    sent = email.utils.parsedate_to_datetime(m["date"]) if m["date"] else None
    xpi, prefs = get(ping, "payload/addonDetails/XPI"), get(ping, "environment/settings/userPrefs") or {}
    two = {"dom_ipc_process_count": token(prefs.get("dom.ipc.processCount")),
           "extensions_allow_non_mpc_extensions": boolean(prefs.get("extensions.allow-non-mpc-extensions"))}
    experiments = get(ping, "environment/experiments")
    row.update({
        "document_id": m["documentId"], "client_id": m["clientId"], "channel": m["channel"], "normalized_channel": m["normalizedChannel"],
        "normalized_os_version": m["osVersion"], "country": "??", "city": "??", "submission_date": m["day"], "timestamp": m["timestamp"],
        "submission_date_obj": m["day"], "sample_id": m["sample"], "client_submission_date": m["date"],
        "client_clock_skew": sent and m["timestamp"] // 10**9 - int(sent.timestamp()),
        "client_submission_latency": truncated(m["timestamp"] // 10**9 * 10**9 - nanoseconds(ping["creationDate"])),
        "active_addons": [addon(k, v) for k, v in addons.items()], "active_addons_count": len(addons), "active_theme": theme,
        "disabled_addons_ids": None if xpi is None else [k for k in xpi if k not in addons],
        "quantum_ready": None if theme["addon_id"] == "MISSING" else row["e10s_enabled"] and theme["addon_id"] in READY_THEMES and
        all(a.get("isSystem") is True or a.get("isWebExtension") is True for a in addons.values()),
        "user_prefs": two if any(v is not None for v in two.values()) else None,
        "experiments": {k: text(get(v, "branch")) for k, v in experiments.items()} if experiments else None,
        "search_counts": search_counts(ping), "ssl_handshake_result_failure": 0,
        "active_ticks": scalar_or(ping, "browser.engagement.active_ticks", "activeTicks"),
        "first_paint": scalar_or(ping, "timestamps.first_paint", "firstPaint"),
    })
    for pref in probes["list"]["user_prefs"]:
        read = {"integer": token, "boolean": boolean, "string": lambda v: v if isinstance(v, str) else None}[pref["type"]]
        row["user_pref_" + re.sub(r"[.-]", "_", pref["name"].lower())] = read(prefs.get(pref["name"]))
    for column, name, bounds in THRESHOLDS:
        for bound in bounds:
            for process, short in (("parent", "main"), ("content", "content")):
                row["%s_%s_above_%d" % (column, short, bound)] = at_least(ping, process, name, bound)
    dynamic = sections(ping, "dynamic", "scalars", "keyedScalars")
    for section, members in probes["addon"].items():
        assert not any(section + "." + name in dynamic for name in members)
    for kind in ("boolean", "string", "uint"):
        row[kind + "_addon_scalars"] = row["keyed_" + kind + "_addon_scalars"] = {}
    row.update(scalar_columns(ping, probes["scalars"]))
    row.update(histogram_columns(ping, probes["histograms"], probes["list"]["histogram_whitelist"]))
    return row


def scalar_or(ping, scalar, measurement):
    v = token((get(ping, "payload/processes/parent/scalars") or {}).get(scalar))
    return int32(get(ping, "payload/simpleMeasurements/" + measurement)) if v is None else v


# ---- Tables made of main_summary rows ----


def addons_rows(main):
    for r in main:
        if r["client_id"] is None:
            continue
        kept = {c: r[c] for c in ("document_id", "client_id", "subsession_start_date", "normalized_channel", "submission_date_obj", "sample_id")}
        for a in r["active_addons"] or [{}]:
            yield {**kept, **{c: v for c, v in a.items() if c not in ("is_web_extension", "multiprocess_compatible")}}


FIRST = """active_experiment_branch active_experiment_id addon_compatibility_check_enabled app_build_id app_display_version app_name
app_version blocklist_enabled channel cpu_cores cpu_count cpu_family cpu_l2_cache_kb cpu_l3_cache_kb cpu_model cpu_speed_mhz cpu_stepping
cpu_vendor default_search_engine default_search_engine_data_load_path default_search_engine_data_name default_search_engine_data_origin
default_search_engine_data_submission_url distribution_id e10s_enabled env_build_arch env_build_id env_build_version flash_version
gfx_features_advanced_layers_status gfx_features_d2d_status gfx_features_d3d11_status gfx_features_gpu_process_status install_year
is_default_browser is_wow64 locale memory_mb normalized_channel normalized_os_version os os_service_pack_major os_service_pack_minor
os_version previous_build_id sample_id sandbox_effective_content_process_level scalar_parent_aushelper_websense_reg_version search_cohort
sync_configured telemetry_enabled timezone_offset update_auto_download update_channel update_enabled vendor windows_build_number
windows_ubr""".split()

SUM = """aborts_content aborts_gmplugin aborts_plugin crashes_detected_content crashes_detected_gmplugin crashes_detected_plugin
crash_submit_attempt_content crash_submit_attempt_main crash_submit_attempt_plugin crash_submit_success_content
crash_submit_success_main crash_submit_success_plugin devtools_toolbox_opened_count plugin_hangs plugins_infobar_allow
plugins_infobar_block plugins_infobar_shown plugins_notification_shown push_api_notify scalar_content_navigator_storage_estimate_count
scalar_content_navigator_storage_persist_count scalar_parent_browser_engagement_tab_open_event_count
scalar_parent_browser_engagement_total_uri_count scalar_parent_browser_engagement_unfiltered_uri_count
scalar_parent_browser_engagement_window_open_event_count scalar_parent_devtools_copy_full_css_selector_opened
scalar_parent_devtools_copy_unique_css_selector_opened scalar_parent_devtools_toolbar_eyedropper_opened
scalar_parent_dom_contentprocess_troubled_due_to_memory scalar_parent_navigator_storage_estimate_count
scalar_parent_navigator_storage_persist_count scalar_parent_storage_sync_api_usage_extensions_using shutdown_kill
ssl_handshake_result_failure ssl_handshake_result_success sync_count_desktop sync_count_mobile web_notification_shown""".split()

MEAN = """active_addons_count client_clock_skew client_submission_latency first_paint places_bookmarks_count places_pages_count
scalar_parent_browser_engagement_unique_domains_count session_restored""".split()

MAX = """scalar_parent_browser_engagement_max_concurrent_tab_count scalar_parent_browser_engagement_max_concurrent_window_count
scalar_parent_browser_engagement_unique_domains_count""".split()

SOURCES = ("abouthome", "contextmenu", "newtab", "searchbar", "system", "urlbar")


def known(rows, column):
    return [r[column] for r in rows if r.get(column) is not None]


def total(values):
    return sum(values) if values else None


def first(values):
    return values[0] if values else None


def mean(values):
    return float(Fraction(sum(values), len(values))) if values else None


def hours(values):
    if not values:
        return None
    return str(sum((Decimal(v) / 3600).quantize(Decimal("0.000001"), ROUND_HALF_UP) for v in values))


def age(row):
    start, created = row["subsession_start_date"], row["profile_creation_date"]
    m = re.match(r"(\d{4}-\d\d-\d\d)T", start or "")
    if not m or created is None:
        return None
    return (datetime.date.fromisoformat(m.group(1)) - datetime.date(1970, 1, 1)).days - created


def by(rows, key):
    groups = {}
    for r in rows:
        groups.setdefault(key(r), []).append(r)
    return groups.values()


def clients_daily_rows(main):
    for rows in by(main, lambda r: (r["client_id"], r["submission_date_obj"])):
        assert all(r["country"] == "??" for r in rows)  # so all four columns of places are null
        created = first(known(rows, "profile_creation_date"))
        out = {"client_id": rows[0]["client_id"], "submission_date_obj": rows[0]["submission_date_obj"]}
        out.update({c: first(known(rows, c)) for c in FIRST})
        out.update({c + "_sum": total(known(rows, c)) for c in SUM})
        out.update({c + "_mean": mean(known(rows, c)) for c in MEAN})
        out.update({c + "_max": max(known(rows, c), default=None) for c in MAX})
        for name in ("stun_retransmits", "turn_401s", "turn_403s", "turn_438s"):
            two = ["scalar_%s_webrtc_nicer_%s" % (p, name) for p in ("parent", "content")]
            pairs = [r[two[0]] + r[two[1]] for r in rows if r.get(two[0]) is not None and r.get(two[1]) is not None]
            out["scalar_combined_webrtc_nicer_%s_sum" % name] = total(pairs)
        branches = {}
        for r in rows:
            for k, v in (r["experiments"] or {}).items():
                if v is not None:
                    branches.setdefault(k, v)
        searches = [c for r in rows for c in r["search_counts"] or []]
        for source in SOURCES:
            out["search_count_" + source] = sum(c["count"] for c in searches if c["source"] == source and c["count"] is not None and c["count"] > 0)
        out.update({
            "experiments": branches, "search_count_all": sum(out["search_count_" + s] for s in SOURCES),
            "active_hours_sum": total([t / 720 for t in known(rows, "active_ticks")]),
            "pings_aggregated_by_this_row": len({r["document_id"] for r in rows}),
            "profile_age_in_days": first([a for a in map(age, rows) if a is not None]),
            "profile_creation_date": created and str(datetime.date(1970, 1, 1) + datetime.timedelta(created)) + " 00:00:00",
            "sessions_started_on_this_day": sum(r["subsession_counter"] == 1 for r in rows),
            "subsession_hours_sum": hours(known(rows, "subsession_length")), "total_hours_sum": hours(known(rows, "total_time")),
        })
        yield out


ANY = """country app_version distribution_id locale search_cohort os channel profile_creation_date default_search_engine
default_search_engine_data_load_path default_search_engine_data_submission_url sample_id""".split()


def search_rows(main):
    exploded = []
    for r in main:
        usable = [c for c in r["search_counts"] or [] if c["count"] is not None and c["count"] < 10000]
        for c in usable or [{"engine": None, "source": None, "count": 0}]:
            exploded.append({**r, **c})
    for rows in by(exploded, lambda r: (r["client_id"], r["submission_date"], r["engine"], r["source"])):
        source = rows[0]["source"] or ""
        kind = "tagged-sap" if source.startswith("sap:") else "tagged-follow-on" if source.startswith("follow-on:") else "sap"
        assert all(a["addon_id"] != "followonsearch@mozilla.com" for r in rows for a in r["active_addons"])
        tabs = "scalar_parent_browser_engagement_"
        out = {c: rows[0][c] for c in ("client_id", "submission_date", "submission_date_obj", "engine", "source")}
        out.update({c: first(known(rows, c)) for c in ANY})
        out.update({
            "profile_age_in_days": first([a for a in map(age, rows) if a is not None]),
            "sessions_started_on_this_day": sum(r["subsession_counter"] == 1 for r in rows),
            "subsession_hours_sum": total([v / 3600 for v in known(rows, "subsession_length")]),
            "active_hours_sum": total([v * 5 / 3600 for v in known(rows, "active_ticks")]),
            "active_addons_count_mean": mean([len(a) for a in known(rows, "active_addons")]),
            "max_concurrent_tab_count_max": max(known(rows, tabs + "max_concurrent_tab_count"), default=None),
            "tab_open_event_count_sum": total(known(rows, tabs + "tab_open_event_count")),
            kind: sum(r["count"] for r in rows) or None,
        })
        out["tagged_sap"], out["tagged_follow_on"] = out.get("tagged-sap"), out.get("tagged-follow-on")
        yield out


# ---- telemetry_new_profile_parquet ----


def struct(ping, path, members):
    v = get(ping, path)
    if v is None:
        return None
    return {column: rule(v.get(member)) for column, member, rule in members}


def new_profile_row(m, ping):
    names = lambda *pairs: [(c, member, text) for c, member in pairs]
    build = struct(ping, "environment/build", names(("application_name", "applicationName"), ("architecture", "architecture"), ("version", "version"),
                                                    ("build_id", "buildId"), ("vendor", "vendor"), ("hotfix_version", "hotfixVersion")))
    partner = struct(ping, "environment/partner", names(("distribution_id", "distributionId"), ("distribution_version", "distributionVersion"),
                                                        ("partner_id", "partnerId"), ("distributor", "distributor"), ("distributor_channel", "distributorChannel")))
    partner["partner_names"] = get(ping, "environment/partner/partnerNames")
    settings = struct(ping, "environment/settings", [("is_default_browser", "isDefaultBrowser", boolean), ("default_search_engine", "defaultSearchEngine", text),
                                                     ("telemetry_enabled", "telemetryEnabled", boolean), ("locale", "locale", text)])
    settings["default_search_engine_data"] = struct(ping, "environment/settings/defaultSearchEngineData", names(
        ("name", "name"), ("load_path", "loadPath"), ("origin", "origin"), ("submission_url", "submissionURL")))
    settings["attribution"] = struct(ping, "environment/settings/attribution", names(*[(c, c) for c in ("source", "medium", "campaign", "content")]))
    settings["update"] = struct(ping, "environment/settings/update", [("channel", "channel", text), ("enabled", "enabled", boolean), ("auto_download", "autoDownload", boolean)])
    return {
        "id": text(ping["id"]), "client_id": m["clientId"], "submission": m["day"], "payload": {"reason": text(get(ping, "payload/reason"))},
        "metadata": {"timestamp": m["timestamp"], "date": m["date"], "normalized_channel": m["normalizedChannel"], "geo_country": "??", "geo_city": "??",
                     "geo_subdivision1": None, "geo_subdivision2": None, "creation_timestamp": nanoseconds(ping["creationDate"]),
                     "x_ping_sender_version": m["pingSender"]},
        "environment": {"build": build, "partner": partner, "settings": settings,
                        "system": {"os": struct(ping, "environment/system/os", names(("name", "name"), ("version", "version"), ("locale", "locale")))},
                        "profile": struct(ping, "environment/profile", [("creation_date", "creationDate", int64)])},
    }


def main():
    def probe_file(name, read):
        with open(os.path.join(PROBES, name)) as f:
            return read(f)

    probes = {"scalars": probe_file("Scalars.yaml", yaml.safe_load), "addon": probe_file("AddonScalars.yaml", yaml.safe_load),
              "list": probe_file("main_summary.yaml", yaml.safe_load), "histograms": probe_file("Histograms.json", json.load)}
    rows, tables = [], {"main_summary": [], "telemetry_new_profile_parquet": []}
    for s, parts, ping in submissions("legacy.ndjson"):
        kind = ping["type"]
        assert ping["version"] == 4 and ping["application"]["name"] == "Firefox" and kind not in ("crash", "update")
        if kind == "main":
            tables["main_summary"].append(main_row(meta_of(s, parts, ping), ping, probes))
        if kind == "new-profile":
            tables["telemetry_new_profile_parquet"].append(new_profile_row(meta_of(s, parts, ping), ping))
    rows = tables["main_summary"]
    rows.sort(key=lambda r: (r["timestamp"], r["document_id"]))
    tables.update(addons=list(addons_rows(rows)), clients_daily=list(clients_daily_rows(rows)), search_clients_daily=list(search_rows(rows)))
    for table, rows in tables.items():
        for row in rows:
            row = {c: v for c, v in row.items() if v is not None}
            print(json.dumps({"table": table, "row": row}, sort_keys=True, ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main())
