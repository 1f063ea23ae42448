"""Runs ten Firefox profiles, one after the other, against a fresh pingmill, and compares its tables with what was sent.

Called by try-firefox.sh with the programs of pingmill and Firefox, a folder for everything, and the library to preload
or nothing. Exits with 1 if anything is wrong."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import clients
from browser import Firefox
from recorder import Recorder

PROGRAM, FIREFOX, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
PRELOAD = sys.argv[4] if len(sys.argv) > 4 else ""
ONLY = os.environ.get("FIREFOX_CLIENTS", "").split(",")
SETTINGS = {
    "probes": "firefox", "glean": {"definitions": ["firefox"], "unknown": "generic"},
    "deletion": {"metrics": ["deletion.request.impression_id"]},
}
begun = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - begun:4.0f} s] {text}", flush=True)


def serve():
    """Starts pingmill with the settings of docs/glean.md, and returns it with the address of the edge."""
    settings = WORK / "pingmill.yaml"
    settings.write_text(json.dumps(SETTINGS))
    log = open(WORK / "serve.log", "w+")
    process = subprocess.Popen(
        [PROGRAM, "serve", "--config", settings, "--data", WORK / "data", "--listen", "127.0.0.1:0", "--private", "127.0.0.1:0",
         "--only", "edge,decode", "--min-free", "0", "--segment-age", "1s"], stdout=log, stderr=log)
    for _ in range(240):
        for line in (WORK / "serve.log").read_text().splitlines():
            address = json.loads(line).get("address", "") if line.startswith("{") else ""
            if address:
                return process, address
        if process.poll() is not None:
            break
        time.sleep(0.25)
    sys.exit(f"pingmill serve does not start:\n{(WORK / 'serve.log').read_text()}")


def run_client(recorder, name, does, prefs):
    recorder.client = name
    say(name)
    f = Firefox(FIREFOX, WORK / "clients" / name.replace(" ", "-"), recorder, prefs, PRELOAD)
    try:
        f.start()
        does(f)
        f.quit()
        # What a session could not send is sent at the next start.
        f.start()
        time.sleep(8)
        f.quit()
    finally:
        if f.running():
            f.kill()


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    server, edge = serve()
    recorder = Recorder(WORK / "submissions.ndjson", edge)
    say(f"pingmill at {edge}, its recorder at {recorder.address}")
    try:
        for name, (does, prefs) in clients.ALL.items():
            if ONLY == [""] or name in ONLY:
                run_client(recorder, name, does, prefs)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(120)
        recorder.write(WORK / "clients.json")
    say(f"{len(recorder.submissions)} submissions; other hosts that were refused: {recorder.refused}")


main()
