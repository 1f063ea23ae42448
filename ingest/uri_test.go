package ingest

import (
	"bytes"
	"testing"
)

func TestParseURI(t *testing.T) {
	for _, c := range []struct {
		uri  string
		want []string // namespace, id, type, version, app name, app version, channel, build id; nil: invalid
	}{
		{"/submit/telemetry/id/main/Firefox/60.0/release/2018", []string{"telemetry", "id", "main", "", "Firefox", "60.0", "release", "2018"}},
		{"/submit/telemetry/id/main/Firefox/60.0/release/2018?v=4",
			[]string{"telemetry", "id", "main", "", "Firefox", "60.0", "release", "2018?v=4"}},
		{"/submit/telemetry/id/main/Firefox/60.0/release/2018/more//x",
			[]string{"telemetry", "id", "main", "", "Firefox", "60.0", "release", "2018"}},
		{"/submit/telemetry/id/main/Firefox/60.0/release/2018/", []string{"telemetry", "id", "main", "", "Firefox", "60.0", "release", "2018"}},
		{"/submit/telemetry/id/main/Firefox/60.0/é %2F/2018", []string{"telemetry", "id", "main", "", "Firefox", "60.0", "é %2F", "2018"}},
		{"/submit/telemetry/id/5/7/8/9/10", []string{"telemetry", "id", "5", "", "7", "8", "9", "10"}},
		{"/submit/eng-workflow/build/1/id", []string{"eng-workflow", "id", "build", "1", "", "", "", ""}},
		{"/submit/eng-workflow/build/012/id/more", []string{"eng-workflow", "id", "build", "012", "", "", "", ""}},
		{"/submit/telemetry/main/4/id", []string{"telemetry", "id", "main", "4", "", "", "", ""}},
		{"/submit/telemetry/main/4/id/a/b", []string{"telemetry", "id", "main", "4", "", "", "", ""}},
		{"/submit/telemetry/main/4/id//b/c", []string{"telemetry", "id", "main", "4", "", "", "", ""}},
		{"", nil}, {"/", nil}, {"/submit", nil}, {"/submit/", nil}, {"submit/a/b/1/c", nil}, {"/Submit/a/b/1/c", nil}, {"/x/submit/a/b/1/c", nil},
		{"/submit/a/b/1", nil}, {"/submit/a/b/1/", nil}, {"/submit/a//1/c", nil}, {"/submit/a/b/1x/c", nil}, {"/submit/a/b/-1/c", nil},
		{"/submit//b/1/c", nil}, {"/submit/a/b/١/c", nil},
		{"/submit/telemetry/id/main/Firefox/60.0/release", nil}, {"/submit/telemetry/id/main/Firefox/60.0/release/", nil},
		{"/submit/telemetry/id/main/Firefox//release/2018", nil},
		{"/submit/telemetry/id/main/Firefox/60.0/\xff/2018", nil},
	} {
		u, err := ParseURI([]byte(c.uri))
		if c.want == nil {
			if err != ErrInvalidURI {
				t.Errorf("%q: got %v, %v", c.uri, u, err)
			}
			continue
		}
		got := [][]byte{u.Namespace, u.DocumentID, u.DocType, u.DocVersion, u.AppName, u.AppVersion, u.AppUpdateChannel, u.AppBuildID}
		for i := range got {
			if err != nil || string(got[i]) != c.want[i] || got[i] != nil && len(got[i]) == 0 {
				t.Errorf("%q: got %q, %v, want %q", c.uri, got, err, c.want)
				break
			}
		}
	}
	if _, err := ParseURI(nil); err != ErrMissingURI {
		t.Errorf("no uri: %v", err)
	}
}

func FuzzURI(f *testing.F) {
	for _, s := range []string{
		"/submit/telemetry/id/main/Firefox/60.0/release/2018?v=4", "/submit/a/b/1/c", "/submit/telemetry/main/4/id",
		"/submit///////", "/submit/telemetry/a/b/c/d/e/f/g/h", "", "/submit/../../1/x", "/submit/telemetry/\x00/\n/ /b/c/d",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := ParseURI(b)
		if err != nil {
			return
		}
		path := []byte("/submit/" + string(u.Namespace) + "/")
		if u.DocVersion != nil {
			path = join(path, u.DocType, u.DocVersion, u.DocumentID)
		} else {
			path = join(path, u.DocumentID, u.DocType, u.AppName, u.AppVersion, u.AppUpdateChannel, u.AppBuildID)
		}
		rest, ok := bytes.CutPrefix(b, path)
		if !ok || len(rest) > 0 && rest[0] != '/' || bytes.Contains(path, []byte("//")) || bytes.HasSuffix(path, []byte("/")) {
			t.Fatalf("%q reads as %q", b, path)
		}
	})
}

func join(path []byte, segments ...[]byte) []byte {
	return append(path, bytes.Join(segments, []byte("/"))...)
}
