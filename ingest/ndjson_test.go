package ingest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

func TestParseSubmission(t *testing.T) {
	var s Submission
	text :=
		`{"uri":"/a\u002fb","timestamp":1530403200000000001,"headers":{"dnt":"1","DATE":"now","X-Forwarded-For":"1.2.3.4","User-Agent":"x","Host":5,"content-encoding":"gzip"},
		"remoteAddr":"::1","body":"eyJhIjoiw6kifQ==","meta":{"geoCountry":"CA","sampleId":7},"more":[]}`
	require.NoError(t, ParseSubmission([]byte(text), &s))
	if string(s.URI) != "/a/b" || s.Timestamp != 1530403200000000001 || string(s.RemoteAddr) != "::1" || string(s.Body) != `{"a":"é"}` {
		t.Errorf("got %q %d %q %q", s.URI, s.Timestamp, s.RemoteAddr, s.Body)
	}
	for h, want := range map[Header]string{DNTHeader: "1", DateHeader: "now", ForwardedFor: "1.2.3.4", ContentEncoding: "gzip", HostHeader: "",
		PingSenderVersion: ""} {
		if got := string(s.Headers.Get(h)); got != want {
			t.Errorf("%s: got %q, want %q", h.Name(), got, want)
		}
	}
	if sample, _ := s.Meta.Int(ping.SampleID); string(s.Meta.Text(ping.GeoCountry)) != "CA" || sample != 7 {
		t.Error("meta is not read")
	}
	// the next one has nothing of it
	require.NoError(t, ParseSubmission([]byte(`{"timestamp":-1}`), &s))
	if s.URI != nil || s.Timestamp != -1 || s.RemoteAddr != nil || s.Body != nil || s.Meta != nil || s.Headers.Get(DNTHeader) != nil {
		t.Error("something is left over")
	}
	if err := ParseSubmission([]byte(`{"uri":7,"headers":[],"remoteAddr":{},"body":null,"meta":{"timestamp":12}}`), &s); err != nil ||
		s.Timestamp != 12 || s.URI != nil {
		t.Errorf("odd types: %v, %d %q", err, s.Timestamp, s.URI)
	}
}

func TestBrokenLines(t *testing.T) {
	d := newDecoder(t, Config{})
	var s Submission
	var out Outcome
	for text, want := range map[string]string{
		``:                                   "invalid JSON at byte 0",
		`{"timestamp":1`:                     "invalid JSON at byte 14",
		"{\"timestamp\":1,\"uri\":\"\xff\"}": "invalid JSON at byte 22",
		`[]`:                                 "not a balanced JSON object",
		`5`:                                  "not a balanced JSON object",
		`{}`:                                 "the timestamp is missing or no integer of 64 bits",
		`{"timestamp":null,"meta":{}}`:       "the timestamp is missing or no integer of 64 bits",
		`{"timestamp":1.5e18}`:               "the timestamp is missing or no integer of 64 bits",
		`{"timestamp":9223372036854775808}`:  "the timestamp is missing or no integer of 64 bits",
		`{"timestamp":"1"}`:                  "the timestamp is missing or no integer of 64 bits",
		`{"timestamp":1,"body":{}}`:          "the body is not a string",
		`{"timestamp":1,"body":"%"}`:         "body: illegal base64 data",
		`{"timestamp":1,"body":"eyJ"}`:       "body: illegal base64 data",
		`{"timestamp":1,"meta":"x"}`:         "meta is not an object",
	} {
		d.DecodeLine([]byte(text), &s, &out)
		if out.Kind != Error || out.Class != ClassJSON || !strings.HasPrefix(out.Message, "invalid submission: ") ||
			!strings.Contains(out.Message, want) {
			t.Errorf("%q: %s %q, want %q", text, out.Class, out.Message, want)
		}
	}
	d.DecodeLine([]byte(`{"timestamp":1}`), &s, &out)
	if out.Message != "missing uri" {
		t.Errorf("no uri: %q", out.Message)
	}
}

func TestAppendJSON(t *testing.T) {
	d := newDecoder(t, Config{})
	doc := "{\n\t\"a\" : \"x\\ny\" ,\r\n \"n\" : 12345678901234567890.10 }\n"
	out := decode(t, d, "/submit/t/k/1/id", doc)
	got := out.AppendJSON([]byte("> "))
	want := "> " + `{"outcome":"ping","meta":{"documentId":"id","docType":"k","submissionDate":"20180630",` +
		`"timestamp":1530403199999999999,"geoCountry":"??","geoCity":"??","sourceName":"t","sourceVersion":"1"},` +
		"\"ping\":{ \t\"a\" : \"x\\ny\" ,   \"n\" : 12345678901234567890.10 } }"
	if string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if string(out.Body) != doc {
		t.Error("the document was changed")
	}
	out.Fail(ClassInternal, "a \"quoted\"\nmessage")
	if got := string(out.AppendJSON(nil)); !strings.HasSuffix(got, `,"error":{"class":"internal","message":"a \"quoted\"\u000amessage"}}`) {
		t.Error(got)
	}
}

// A line as long as the largest body makes it.
func TestLongLine(t *testing.T) {
	doc := `{"a":"` + strings.Repeat("x", 20<<20) + `"}`
	text := fmt.Appendf(nil, `{"uri":"/submit/t/k/1/id","timestamp":1,"body":"%s"}`, base64.StdEncoding.EncodeToString([]byte(doc)))
	var s Submission
	var out Outcome
	newDecoder(t, Config{}).DecodeLine(text, &s, &out)
	if out.Kind != Ping || string(out.Body) != doc {
		t.Error(out.Message)
	}
}

func FuzzParseSubmission(f *testing.F) {
	for _, b := range seedLines(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Submission
		given := bytes.Clone(b)
		err := ParseSubmission(b, &s)
		if !bytes.Equal(given, b) {
			t.Fatal("the line was changed")
		}
		var want struct {
			URI, RemoteAddr, Body any
			Timestamp             json.RawMessage
		}
		if err != nil || json.Unmarshal(exactNames(b), &want) != nil {
			return
		}
		if text, ok := want.RemoteAddr.(string); ok != (s.RemoteAddr != nil) || text != string(s.RemoteAddr) {
			t.Fatalf("remoteAddr %q, want %v", s.RemoteAddr, want.RemoteAddr)
		}
		if text, ok := want.Body.(string); ok {
			if body, err := base64.StdEncoding.DecodeString(text); err != nil || !bytes.Equal(s.Body, body) {
				t.Fatalf("body %q, want %q, %v", s.Body, body, err)
			}
		}
		if len(want.Timestamp) > 0 && fmt.Sprint(s.Timestamp) != strings.Replace(string(want.Timestamp), "-0", "0", 1) && s.Meta == nil {
			t.Fatalf("timestamp %d, want %s", s.Timestamp, want.Timestamp)
		}
	})
}

// exactNames renames members whose names match those of a submission only when
// case is ignored, as encoding/json does.
func exactNames(b []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(b, &members) != nil {
		return nil
	}
	exact := map[string]json.RawMessage{}
	for _, name := range []string{"uri", "remoteAddr", "body", "timestamp"} {
		if v, ok := members[name]; ok {
			exact[name] = v
		}
	}
	out, err := json.Marshal(exact)
	if err != nil {
		return nil
	}
	return out
}

func seedLines(t testing.TB) [][]byte {
	body := base64.StdEncoding.EncodeToString(gzipped(t, []byte(`{"type":"main","version":4}`)))
	lines := []string{
		``, `{}`, `{"timestamp":1}`, `[1]`, `{"timestamp":1,"timestamp":"x"}`,
		`{"uri":"/submit/telemetry/d/main/a/1/c/b","timestamp":1,"body":"` + body + `"}`,
		`{"uri":"\/submit\/telemetry\/d\/kind\/a\/1\/c\/b","timestamp":-0,"body":"e30=\n","remoteAddr":"216.160.83.56:1"}`,
		`{"uri":"/submit/n/k/1/d","timestamp":9223372036854775807,"headers":{"X-Forwarded-For":"x, ` +
			`1.2.3.4","DNT":null},"body":"eyJ2Ijp7fX0=","meta":{"geoCountry":"CA","timestamp":4}}`,
	}
	var all [][]byte
	for _, l := range lines {
		all = append(all, []byte(l))
	}
	return all
}

func FuzzDecode(f *testing.F) {
	for _, b := range seedLines(f) {
		f.Add(b)
	}
	d := newDecoder(f, Config{Geo: writeGeo(f), DuplicateWindow: 1, MaxBody: 1 << 20})
	var s Submission
	var out Outcome
	f.Fuzz(func(t *testing.T, b []byte) {
		d.DecodeLine(b, &s, &out)
		text := out.AppendJSON(nil)
		if err := ping.Validate(text); err != nil || bytes.ContainsAny(text, "\r\n") {
			t.Fatalf("%v: %q", err, text)
		}
		switch out.Kind {
		case Ping:
			if ping.Validate(out.Body) != nil || out.Meta.Text(ping.GeoCountry) == nil {
				t.Fatalf("accepted %q", out.Body)
			}
		case Error:
			if out.Class == "" || out.Message == "" || out.Class == ClassInternal {
				t.Fatalf("%q: %q", out.Class, out.Message)
			}
		}
	})
}
