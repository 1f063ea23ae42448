package schema

import (
	"slices"
	"strings"
	"testing"
)

// checkProblems holds for every file: each problem is one line that names the file.
func checkProblems(t *testing.T, at *problems) {
	for _, err := range at.errs {
		if s := err.Error(); !strings.HasPrefix(s, "probes: f: ") || strings.ContainsAny(s, "\n\r") {
			t.Errorf("problem %q is not one line about the file", s)
		}
	}
}

func FuzzScalars(f *testing.F) {
	f.Add([]byte("a:\n  b: {kind: uint, keyed: true, record_in_processes: [main, content]}\n"))
	f.Add([]byte(`{"a": {"b.c": {"kind": "string", "record_in_processes": ["dynamic"]}}}`))
	f.Add([]byte("a: &x {b: {kind: boolean, description: y}}\nc: *x\n<<: *x\n? [k]\n: v\n"))
	f.Add([]byte("a: !!bool x\nb: !!binary aGk=\nc: {d: {kind: 2018-01-01}}\n--- \n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		at := &problems{file: "f"}
		list, _ := parseScalars(b, usualProcesses, at)
		for _, s := range list {
			if len(s.Processes) == 0 || !slices.IsSorted(s.Processes) || checkName(s.Name) != nil {
				t.Errorf("unsound %+v", s)
			}
		}
		parseAddonScalars(b, at)
		checkProblems(t, at)
	})
}

func FuzzHistograms(f *testing.F) {
	f.Add([]byte(`{"H": {"kind": "exponential", "low": 1, "high": "10", "n_buckets": 5, "keyed": "true"}}`))
	f.Add([]byte(`{"H": {"kind": "categorical", "labels": ["a", "b"], "record_in_processes": ["all_childs"]}}`))
	f.Add([]byte(`{"H": {"kind": "enumerated", "n_values": "N"}, "I": {"kind": "count"}} x`))
	f.Add([]byte(`"\r"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		at := &problems{file: "f"}
		list := parseHistograms(b, usualProcesses, at)
		l := probesList{whitelist: []string{"H", "I"}}
		picked, _ := l.pick(list, at)
		for _, h := range picked {
			if len(h.Processes) == 0 || h.Kind == HistogramCount {
				t.Errorf("unsound %+v", h)
			}
		}
		checkProblems(t, at)
	})
}

func FuzzProbesList(f *testing.F) {
	f.Add([]byte("user_prefs:\n  - {name: a.b, type: integer}\nhistogram_whitelist: [A, B]\n"))
	f.Add([]byte("histogram_whitelist: ['*']\nprocesses: [parent, socket, rdd]\nsearch_sources: [alias]\n"))
	f.Add([]byte(`{"user_prefs": [{"name": "A-b", "type": "string"}, 7], "x": 1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		at := &problems{file: "f"}
		for _, u := range parseProbesList(b, at).userPrefs {
			if !strings.HasPrefix(u.Column, "user_pref_") || u.Name == "" {
				t.Errorf("unsound %+v", u)
			}
		}
		checkProblems(t, at)
	})
}
