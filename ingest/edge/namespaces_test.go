package edge

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestNamespaces sends submissions of several namespaces: refused ones are
// counted and logged by name, requests to be forgotten are taken of all.
func TestNamespaces(t *testing.T) {
	var log bytes.Buffer
	e := start(t, func(c *Config) {
		c.Namespaces = []string{"telemetry", "mine"}
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	var raw string
	var want []int
	for _, s := range []struct {
		path string
		code int
	}{
		{telemetryPath, 200}, {telemetryPath, 200}, // the second is answered without net/http
		{"/submit/mine/baseline/1/id", 200},
		{"/submit/firefox-desktop/baseline/1/id", 404}, {"/submit/firefox-desktop/metrics/1/id", 404},
		{"/submit/firefox-desktop/deletion-request/1/id", 200}, {"/submit/firefox-desktop/usage-deletion-request/1/id", 200},
		{"/submit/thunderbird/deletion-request/1/id", 200}, {"/submit/thunderbird/optout/1/id", 404},
		{"/submit/Odd%22Name/baseline/1/id", 404}, {"/submit/" + strings.Repeat("x", 65) + "/baseline/1/id", 404},
	} {
		raw += post(s.path, "{}")
		want = append(want, s.code)
	}
	if got := codes(t, e.send(t, raw)); !slices.Equal(got, want) {
		t.Errorf("responses %v, want %v", got, want)
	}
	counted := map[string]NamespaceStats{
		"telemetry": {Accepted: 2}, "mine": {Accepted: 1}, "firefox-desktop": {Refused: 2}, "thunderbird": {Refused: 1},
		OtherNamespaces: {Accepted: 3, Refused: 2},
	}
	if got := e.Stats().Namespaces; !maps.Equal(got, counted) {
		t.Errorf("counted %v, want %v", got, counted)
	}
	if n := len(e.stop(t)); n != 6 {
		t.Errorf("%d kept", n)
	}
	if text := log.String(); strings.Count(text, "namespace=firefox-desktop") != 1 || strings.Count(text, "namespace=other") != 1 {
		t.Errorf("logged:\n%s", text)
	}
}

// TestManyNamespaces bounds what clients can make of their names.
func TestManyNamespaces(t *testing.T) {
	var log bytes.Buffer
	n := newNamespaces([]string{"telemetry"}, slog.New(slog.NewTextHandler(&log, nil)))
	for i := range 1000 {
		n.refuse(fmt.Sprintf("name-%d", i/2))
	}
	all := n.stats()
	if len(all) != maxRefused+2 || all["name-0"].Refused != 2 || all[OtherNamespaces].Refused != 1000-2*maxRefused {
		t.Errorf("%d namespaces: %v", len(all), all)
	}
	if lines := strings.Count(log.String(), "\n"); lines != maxRefused+1 {
		t.Errorf("%d lines logged", lines)
	}
}

// TestPartialNamespaces: as long as the edge does not know all applications, it refuses none for good.
func TestPartialNamespaces(t *testing.T) {
	e := start(t, nil)
	e.AwaitApplications()
	paths := []string{telemetryPath, "/submit/org-example-app/baseline/1/id", "/submit/thunderbird/baseline/1/id"}
	got := func() []int {
		return codes(t, e.send(t, post(paths[0], "{}")+post(paths[1], "{}")+post(paths[2], "{}")))
	}
	if c := got(); !slices.Equal(c, []int{200, 503, 503}) {
		t.Errorf("responses %v before the applications are known", c)
	}
	e.Learn([]string{"org-example-app"})
	if c := got(); !slices.Equal(c, []int{200, 200, 404}) {
		t.Errorf("responses %v when they are known", c)
	}
	want := map[string]NamespaceStats{"telemetry": {Accepted: 2}, "org-example-app": {Accepted: 1}, "thunderbird": {Refused: 1},
		OtherNamespaces: {}}
	if counted := e.Stats().Namespaces; !maps.Equal(counted, want) {
		t.Errorf("counted %v, want %v", counted, want)
	}
}
