package main

import (
	"strings"
	"testing"
)

// TestColumnless names probes that no process with a column records, and
// histograms of the whitelist that cannot have one.
func TestColumnless(t *testing.T) {
	dir := writeFolder(t, map[string]string{
		"Scalars.yaml": `
a:
  here: {kind: uint, record_in_processes: [main, socket]}
  socket: {kind: uint, record_in_processes: [socket, utility]}
  nowhere: {kind: uint, record_in_processes: []}
telemetry.test:
  probe: {kind: uint, record_in_processes: [socket]}
`,
		"Histograms.json": `{"RDD": {"kind": "boolean", "record_in_processes": ["rdd"]}, "GOOD": {"kind": "boolean", "record_in_processes": ["main"]},
			"COUNT": {"kind": "count"}, "SYMBOLIC": {"kind": "enumerated", "n_values": "N"}, "UNLISTED": {"kind": "boolean", "record_in_processes": ["rdd"]}}`,
		"main_summary.yaml": "histogram_whitelist: [GOOD, RDD, COUNT, SYMBOLIC, GONE]\n",
	})
	want := []string{
		"a.socket   recorded in socket, utility: columns are of parent, content or gpu",
		"a.nowhere  recorded in no process: columns are of parent, content or gpu",
		"GONE       Histograms.json does not define it",
		"COUNT      a histogram of kind count",
		"RDD        recorded in rdd: columns are of parent, content or gpu",
		"SYMBOLIC   its size is missing or symbolic",
	}
	for _, args := range [][]string{{"schema", "--diff", dir}, {"schema", "--diff", dir, "main_summary"}, {"schema", "main_summary", "--probes", dir}} {
		code, stdout, stderr := call(nil, args...)
		text := stdout + stderr
		if code != 0 || strings.Count(text, "probes without a column:") != 1 {
			t.Fatalf("%q: exit %d:\n%s", args, code, stderr)
		}
		_, list, _ := strings.Cut(text, "probes without a column:\n")
		for i, line := range strings.Split(list, "\n") {
			line = strings.TrimSpace(line)
			if i < len(want) && line != want[i] || i >= len(want) && strings.Contains(line, ": columns are of") {
				t.Errorf("%q: line %d is %q", args, i+1, line)
			}
		}
	}
	if code, stdout, stderr := call(nil, "schema", "main_summary"); code != 0 || strings.Contains(stdout+stderr, "without a column") {
		t.Errorf("the embedded probes: exit %d, %s", code, stderr)
	}
}
