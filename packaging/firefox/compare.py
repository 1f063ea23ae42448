"""Compares the tables of pingmill with the pings that ten Firefox profiles sent, without any code of pingmill.

Called by try-firefox.sh with the program and the folder of the capture. Exits with 1 if anything is wrong."""

import collections
import pathlib
import sys

import gleanpings
import legacypings
from rows import Tables
from sent import Sent

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2])


class Report:
    def __init__(self):
        self.cells, self.wrong = 0, []

    def equal(self, what, have, want):
        self.cells += 1
        if have != want:
            self.wrong.append(what)
            print(f"WRONG {what}: {str(have)[:300]}, not {str(want)[:300]}", flush=True)


def main():
    sent, tables, report = Sent(WORK), Tables(PROGRAM, WORK / "data", WORK / "pingmill.yaml"), Report()
    print(f"{len(sent.all)} submissions, {len(sent.pings)} different pings of {len({p.client for p in sent.pings})} clients")
    for ping in sent.all:
        report.equal(f"answer to {ping.uri}", ping.status, 200)
    report.equal("rejected submissions", tables.command("errors", "--format", "json").strip(), "[]")
    counts = collections.Counter(p.kind for p in sent.pings)
    rest = gleanpings.compare(sent, tables, report)
    legacypings.compare(sent, tables, report)
    print("\nping kind: pings, in tables, rows with additional_properties")
    for kind, pings in sent.by_kind().items():
        print(f"  {kind}: {counts[kind]}, {sum(map(sent.kept, pings))}{', ' + str(rest[kind]) if kind in rest else ''}")
    print("\nwithout a column:")
    for (kind, name), n in sorted(rest["names"].items()):
        print(f"  {kind}: {name} ({n})")
    print("\nby client:")
    for name in dict.fromkeys(p.client for p in sent.pings):
        print(f"  {name}: {gleanpings.summary(sent, name)}; {legacypings.summary(sent, name)}")
    print(f"\n{report.cells} values compared, {len(report.wrong)} wrong")
    sys.exit(1 if report.wrong else 0)


main()
