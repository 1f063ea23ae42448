package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/site/sitetest"
)

// stateFiles are one of each kind of the small files with the progress of work, by patterns below the archive.
var stateFiles = []string{
	"progress/v1/edge.json", "spools/v1/edge.json", "trouble/v1/edge.decode.json", "claims/v1/kafka.pings.0.json", "compaction/v1/state.json",
	"seen/v1/*.seen", "forget/running/v1/cycle.json", "forget/running/v1/loads.json", "forget/checked/v1/loads.json",
	"forget/cycles/v1/*.json",
}

// neededState are those without which no query can leave out who asked to be forgotten.
var neededState = []string{"forget/requests/v1/*.json", "forget/removed/v1/clients"}

// servedData returns an installation that took submissions, with a client that is forgotten and one that is to be.
func servedData(t *testing.T) string {
	t.Helper()
	s := newServer(t, filepath.Join(t.TempDir(), "data"))
	s.start()
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, http.StatusOK)
	s.stop()
	mustCall(t, "delete", "--data", s.data, "--client-id", sitetest.ClientOf(1), "--now")
	mustCall(t, "delete", "--data", s.data, "--client-id", sitetest.ClientOf(2))
	return s.data
}

// stateFile returns the file of a pattern; where nothing has made one, it is to be.
func stateFile(t *testing.T, data, pattern string) string {
	t.Helper()
	file := filepath.Join(data, "archive", filepath.FromSlash(pattern))
	found, err := filepath.Glob(file)
	require.NoError(t, err)
	if len(found) == 0 {
		require.NotContains(t, pattern, "*")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
		return file
	}
	return found[0]
}

// TestDamagedState damages each kind of small file. Nothing else stops, status names the file and a command, and that mends it.
func TestDamagedState(t *testing.T) {
	t.Parallel()
	data := servedData(t)
	rows := []string{"query", "--data", data, "SELECT count(*) FROM telemetry_new_profile_parquet WHERE client_id >= ''"}
	mustCall(t, rows...)
	mustCall(t, "status", "--data", data)
	for _, pattern := range slices.Concat(stateFiles, neededState) {
		file := stateFile(t, data, pattern)
		name := strings.TrimPrefix(file, filepath.Join(data, "archive")+"/")
		whole, err := os.ReadFile(file)
		existed := err == nil
		for kind, content := range map[string][]byte{"empty": {}, "zeros": make([]byte, 20), "garbage": []byte(`{"format":1,"x`)} {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
			require.NoError(t, os.WriteFile(file, content, 0o600))
			code, out, errs := call(nil, "status", "--data", data)
			if !strings.HasPrefix(name, "seen/") { // there are as many as loads: decoding reads them
				assert.Equal(t, 1, code, "%s %s: %s%s", name, kind, out, errs)
				assert.Contains(t, out, file)
				assert.Contains(t, out, "pingmill archive drop "+name)
			}
			assert.Contains(t, out, "telemetry_new_profile_parquet", "%s %s: the calendar is missing", name, kind)
			code, _, errs = call(nil, rows...)
			if slices.Contains(neededState, pattern) {
				assert.Equal(t, 1, code, name)
				assert.Contains(t, strings.Join(strings.Fields(errs), " "), "pingmill archive drop "+name)
			} else {
				assert.Zero(t, code, "%s %s: %s", name, kind, errs)
			}
			assert.Contains(t, mustCall(t, "archive", "drop", "--data", data, name), "gave up "+name)
			mustCall(t, "status", "--data", data)
		}
		if existed {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
			require.NoError(t, os.WriteFile(file, whole, 0o600))
			code, _, errs := call(nil, "archive", "drop", "--data", data, name)
			assert.Equal(t, 1, code)
			assert.Contains(t, errs, "it is whole")
		}
	}
}

// TestServeBesideDamagedState starts the service with all small files damaged: it decodes, answers, and mends what it can.
func TestServeBesideDamagedState(t *testing.T) {
	t.Parallel()
	s := newServer(t, servedData(t))
	for _, pattern := range stateFiles {
		if !strings.HasPrefix(pattern, "claims/") { // of a topic
			require.NoError(t, os.WriteFile(stateFile(t, s.data, pattern), []byte(`{"format":1,"x`), 0o600))
		}
	}
	s.args = []string{"--publish-every", "1s"}
	s.start()
	s.checkPage("/status", http.StatusOK, "pingmill archive drop spools/v1/edge.json")
	s.checkPage("/__heartbeat__", http.StatusOK, `"archive": "ok"`)
	sub := newProfile(t)
	uri := strings.Replace(string(sub.URI), "/submit/telemetry/", "/submit/telemetry/1", 1)[:len(sub.URI)]
	s.post(uri, sub.Body, sub.Headers, http.StatusOK)
	s.stop()
	edges, err := edgestate.ReadProgress(t.Context(), openSite(t, s.data).Archive)
	require.NoError(t, err)
	require.Len(t, edges, 1)
	assert.Nil(t, edges[0].Damaged, "the progress of the edge is not written again")
	log, err := os.ReadFile(s.log.Name())
	require.NoError(t, err)
	assert.Equal(t, 1, bytes.Count(log, []byte("duplicates of the submissions of a load are not recognised")))
	assert.NotContains(t, string(log), "decoding failed")
}

// TestServeWithoutRequests: where it is not known who asked to be forgotten the edge goes on, and what it takes waits.
func TestServeWithoutRequests(t *testing.T) {
	t.Parallel()
	s := newServer(t, servedData(t))
	file := stateFile(t, s.data, neededState[0])
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s.start()
	s.checkPage("/status", http.StatusOK, filepath.Base(file))
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, http.StatusOK)
	require.NoError(t, os.WriteFile(file, whole, 0o600))
	s.stop() // all is decoded
}
