package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// definitionsOf writes a folder of definitions of pings, whose members of metadata are given by file and ping.
func definitionsOf(t *testing.T, files map[string]map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, pings := range files {
		text := "$schema: moz://mozilla.org/schemas/glean/pings/2-0-0\n"
		for ping, metadata := range pings {
			text += fmt.Sprintf("%s: {include_client_id: false, metadata: {%s}}\n", ping, metadata)
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// TestInfoSections: definitions say which applications there are and which pings have info sections; decode and load judge
// alike. A ping about which versions contradict each other may have them or not.
func TestInfoSections(t *testing.T) {
	const with, without = "include_info_sections: true", "include_info_sections: false"
	older := definitionsOf(t, map[string]map[string]string{"org-a/pings.yaml": {"one": "", "two": without, "three": without},
		"org-b/pings.yaml": {"one": without}})
	newer := definitionsOf(t, map[string]map[string]string{"org-a/pings.yaml": {"two": with, "four": without}})
	want := map[string]string{"org-a/one": "schema", "org-a/two": "ping", "org-a/three": "ping", "org-a/four": "ping", "org-a/five": "ping",
		"org-a/baseline": "schema", "org-b/one": "ping", "org-b/baseline": "schema"}
	var lines strings.Builder
	got, n := map[string]string{}, 0
	for kind := range want {
		n++
		line := fmt.Sprintf(`{"uri":"/submit/%s/1/00000000-0000-4000-8000-%012d","timestamp":1795219200000000000,"headers":{},`+
			`"remoteAddr":"192.0.2.1","body":"e30="}`+"\n", kind, n)
		lines.WriteString(line)
		status, out, errors := call(strings.NewReader(line), "decode", "--definitions", older, "--definitions", newer)
		require.Zero(t, status, "%s %s", out, errors)
		var o struct {
			Outcome string
			Error   struct{ Class string }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &o), out)
		got[kind] = cmp.Or(o.Error.Class, o.Outcome)
	}
	require.Equal(t, want, got)
	data := filepath.Join(t.TempDir(), "data")
	mustCall(t, "load", "--data", data, "--definitions", older, "--definitions", newer, writeLines(t, "lines.ndjson", []byte(lines.String())))
	_, others := countedPings(t, data)
	require.EqualValues(t, 5, others, mustCall(t, "errors", "--data", data))
}
