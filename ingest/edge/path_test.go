package edge

import (
	"testing"

	"github.com/pingmill/pingmill/ingest"
)

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		uri, namespace string // "": refused
	}{
		{telemetryPath, "telemetry"}, {telemetryPath + "?v=4", "telemetry"}, {telemetryPath + "/", "telemetry"},
		{telemetryPath + "/more/x?y", "telemetry"},
		{telemetryPath + "?a/b//../c", "telemetry"}, {genericPath, "telemetry"}, {genericPath + "/a/b", "telemetry"},
		{"/submit/x/build/012/id", "x"}, {"/submit/x/build/1/id?", "x"}, {"/submit/telemetry/id/5/7/8/9/10", "telemetry"},
		{"/submit/telemetry/id/main/Fire%20fox/60.0/é/2018", "telemetry"}, {"/submit/telemetry/id/main/%C3%A9/60.0/%252e/2018", "telemetry"},
		{"/submit/telemetry/id/main/.../..x/.y/2018", "telemetry"},
		{"", ""}, {"/", ""}, {"/submit", ""}, {"/submit/", ""}, {"submit/x/b/1/c", ""}, {"/Submit/x/b/1/c", ""}, {"//submit/x/b/1/c", ""},
		{"/x/../submit/x/b/1/c", ""},
		{"/submit/x/b/1", ""}, {"/submit/x/b/1/", ""}, {"/submit/x/b/1?/c", ""}, {"/submit/x/b//c", ""}, {"/submit/x/b/1x/c", ""},
		{"/submit//b/1/c", ""},
		{"/submit/x/b/١/c", ""}, {"/submit/telemetry/id/main/Firefox/60.0/release", ""}, {"/submit/telemetry/id/main/Firefox/60.0/release/", ""},
		{"/submit/telemetry/id/main/Firefox/60.0/release?x/2018", ""}, {telemetryPath + "//", ""}, {telemetryPath + "//x", ""},
		{"/submit/telemetry/id/main/Firefox/../release/2018", ""}, {"/submit/telemetry/./main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/id/main/Firefox/%2e%2E/release/2018", ""}, {"/submit/telemetry/id/main/Firefox/%2e./release/2018", ""},
		{"/submit/telemetry/%2e/main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/a%2fb/main/Firefox/60/release/2018", ""}, {"/submit/telemetry/a%2Fb/main/Firefox/60/release/2018", ""},
		{telemetryPath + "/%2e%2e", ""}, {telemetryPath + "/..", ""}, {telemetryPath + "/a%2fb", ""},
		{"/submit/telemetry/i%0ad/main/Firefox/60/release/2018", ""}, {"/submit/telemetry/i%00d/main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/i\x01d/main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/i%/main/Firefox/60/release/2018", ""}, {"/submit/telemetry/i%4/main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/i%zz/main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/\xff/main/Firefox/60/release/2018", ""}, {"/submit/telemetry/%ff/main/Firefox/60/release/2018", ""},
		{"/submit/telemetry/\xc3%a9/main/Firefox/60/release/2018", ""},
		{telemetryPath + "#x", ""}, {telemetryPath + "?\xff", ""}, {telemetryPath + "?\x7f", ""},
	} {
		namespace, _, ok := parseTarget(c.uri)
		if ok != (c.namespace != "") || ok && namespace != c.namespace {
			t.Errorf("%q: %q, %v", c.uri, namespace, ok)
		}
		agrees(t, c.uri)
	}
}

// agrees checks that decoding takes what the edge takes.
func agrees(t *testing.T, uri string) {
	t.Helper()
	namespace, _, ok := parseTarget(uri)
	if !ok {
		return
	}
	u, err := ingest.ParseURI([]byte(uri))
	if err != nil || string(u.Namespace) != namespace {
		t.Fatalf("the edge takes %q of %q, decoding finds %q, %v", uri, namespace, u.Namespace, err)
	}
}

func TestAbsoluteForm(t *testing.T) {
	for uri, want := range map[string]string{
		"/x": "/x", "http://h/x?y": "/x?y", "HTTPS://h:1/x": "/x", "http://h": "", "ftp://h/x": "", "*": "", "": "", "h:80": "",
		"http:///x": "/x",
	} {
		if got := target(uri); got != want {
			t.Errorf("%q: %q", uri, got)
		}
	}
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{
		telemetryPath + "?v=4", genericPath, "http://h" + genericPath, "/submit/x/b/1/c/", "/submit/../../1/x",
		"/submit/telemetry/%2e%2e/%00/%/a/b/c",
		"/submit/telemetry/a/b/c/d/e?/f", "/submit/a/b/1?/c", "/submit/telemetry/é/%C3%A9/\xc3%a9/d/e/f", "/submit///////", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) { agrees(t, target(uri)) })
}
