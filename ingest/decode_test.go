package ingest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

const testURI = "/submit/telemetry/doc-1/kind/Browser/60.0/nightly-cck-x/2018"

// decode decodes a document sent to a path without duplicates.
func decode(t testing.TB, d *Decoder, uri, body string) *Outcome {
	t.Helper()
	var out Outcome
	d.Decode(&Submission{URI: []byte(uri), Timestamp: 1530403199999999999, Body: []byte(body)}, &out)
	return &out
}

func TestMetadata(t *testing.T) {
	d := newDecoder(t, Config{})
	base := `{"docType":"kind","submissionDate":"20180630","timestamp":1530403199999999999,` +
		`"geoCountry":"??","geoCity":"??","sourceName":"telemetry","documentId":"doc-1"`
	path := `,"appName":"Browser","appVersion":"60.0","appUpdateChannel":"nightly-cck-x","appBuildId":"2018","normalizedChannel":"nightly"`
	for _, c := range []struct{ uri, body, want string }{
		{testURI, `{}`, base + path},
		{testURI, ` { "version" : null } `, base + path},
		{testURI, `{"version":false,"type":"x"}`, base + path},
		{testURI, `{"v":7,"clientId":"a","type":"x"}`, base + path + `,"clientId":"a","sampleId":7,"sourceVersion":"7"`},
		{testURI, `{"version":0,"type":"kind"}`, base + `,"sourceVersion":"0","normalizedChannel":"Other"`},
		{testURI, `{"version":4,"v":1}`, strings.Replace(base, `"docType":"kind",`, "", 1) + `,"sourceVersion":"4","normalizedChannel":"Other"`},
		{testURI, `{"version":"4.5","type":"kind","clientId":"","application":{"name":"A\u00e9","version":60,"buildId":2.50,` +
			`"channel":"beta2","vendor":""}}`,
			base + `,"sourceVersion":"4.5","clientId":"","sampleId":0,"appName":"Aé","appVersion":"60","appBuildId":"2.5",` +
				`"appUpdateChannel":"beta2","appVendor":"","normalizedChannel":"beta"`},
		{testURI, `{"version":4,"type":"kind","payload":{"info":{"reason":"r"}},"creationDate":"2018-06-01T10:00:00.500+02:00",
			"environment":{"system":{"os":{"name":"L","version":10.1}},"settings":{"telemetryEnabled":false},"addons":{"activeExperiment":{"id":"e"}}}}`,
			base + `,"sourceVersion":"4","reason":"r","os":"L","normalizedOSVersion":"10.1","telemetryEnabled":"false",` +
				`"activeExperimentId":"e","creationTimestamp":1527840000500000000,"normalizedChannel":"Other"`},
		// wrong types everywhere
		{testURI, `{"version":{},"type":[],"clientId":{},"creationDate":5,"application":[{"name":"x"}],"payload":"p",` +
			`"environment":{"system":{"os":"L"},"settings":{"telemetryEnabled":"yes"},"addons":[]}}`,
			strings.Replace(base, `"docType":"kind",`, "", 1) + `,"normalizedChannel":"Other"`},
		{testURI, `{"version":true,"type":true,"clientId":true,"creationDate":"soon","application":{"name":null,"version":true,` +
			`"channel":[1]},"environment":{"system":{"os":{"name":{},"version":"x"}}}}`,
			strings.Replace(base, `"docType":"kind",`, "", 1) + `,"normalizedChannel":"Other"`},
		{"/submit/telemetry/kind/9/doc-1", `{"version":4,"type":"kind","application":{"name":"A"}}`,
			base + `,"appName":"A","sourceVersion":"4","normalizedChannel":"Other"`},
		{"/submit/telemetry/kind/9/doc-1", `{"clientId":"a"}`,
			base + `,"clientId":"a","sampleId":7,"sourceVersion":"9","normalizedChannel":"Other"`},
		{"/submit/tools/kind/9/doc-1", `{"version":4,"type":"x","clientId":"a","application":{"name":"A"}}`,
			strings.Replace(base, `"telemetry"`, `"tools"`, 1) + `,"clientId":"a","sampleId":7,"sourceVersion":"9"`},
	} {
		out := decode(t, d, c.uri, c.body)
		if out.Kind != Ping || string(out.Body) != c.body {
			t.Errorf("%s: %s %q", c.body, out.Kind, out.Message)
		}
		var want ping.Meta
		require.NoError(t, want.ParseJSON([]byte(c.want+"}")))
		if got := string(out.Meta.AppendJSON(nil)); got != string(want.AppendJSON(nil)) {
			t.Errorf("%s:\n got %s\nwant %s", c.body, got, want.AppendJSON(nil))
		}
	}
}

func TestPresetAndHeaders(t *testing.T) {
	var preset ping.Meta
	require.NoError(t, preset.ParseJSON([]byte(`{"geoCountry":"CA","geoCity":"Halifax","documentId":"old","Date":"then","Host":"there",`+
		`"sampleId":3,"timestamp":1,"uri":"x","sourceVersion":"1"}`)))
	s := Submission{URI: []byte(testURI), Timestamp: 5, Body: []byte(`{}`), Meta: &preset, RemoteAddr: []byte(milton)}
	s.Headers.Set(DateHeader, []byte("now\xff"))
	s.Headers.Set(DNTHeader, []byte(""))
	s.Headers.Set(PingSenderVersion, []byte("1.0"))
	var out Outcome
	newDecoder(t, Config{Geo: writeGeo(t)}).Decode(&s, &out)
	want := `{"documentId":"doc-1","docType":"kind","submissionDate":"19700101","timestamp":5,"appName":"Browser","appVersion":"60.0",` +
		`"appUpdateChannel":"nightly-cck-x","appBuildId":"2018",` +
		`"normalizedChannel":"nightly","geoCountry":"CA","geoCity":"Halifax","Date":"now` + "\uFFFD" +
		`","Host":"there","DNT":"","xPingSenderVersion":"1.0","sourceName":"telemetry","uri":"x"}`
	if got := string(out.Meta.AppendJSON(nil)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if preset.Text(ping.DocumentID) == nil || string(preset.Text(ping.DocumentID)) != "old" {
		t.Error("the preset was changed")
	}
}

func TestErrors(t *testing.T) {
	d := newDecoder(t, Config{})
	main := strings.Replace(testURI, "kind", "main", 1)
	for _, c := range []struct{ uri, body, class, message string }{
		{"/submit/x", `{}`, ClassURI, "invalid uri"},
		{"\xff", `{}`, ClassURI, "invalid uri"},
		{testURI, ``, ClassJSON, "invalid submission: invalid JSON at byte 0: "},
		{testURI, `{"a":1`, ClassJSON, "invalid submission: invalid JSON at byte 6: "},
		{testURI, `{"a":1}}`, ClassJSON, "invalid submission: invalid JSON at byte 7: "},
		{testURI, `[{}]`, ClassJSON, "invalid submission: the body is not a JSON object"},
		{testURI, `null`, ClassJSON, "invalid submission: the body is not a JSON object"},
		{testURI, "{\"a\":\"\xff\"}", ClassJSON, "invalid submission: invalid JSON at byte 6: "},
		{testURI, `{"a":` + strings.Repeat("[", 512) + strings.Repeat("]", 512) + `}`, ClassJSON,
			"invalid submission: invalid JSON at byte 516: more than 512 levels"},
		{main, `{"version":4}`, ClassJSON, "schema: main version: 4 validation error: required at /: type"},
		{main, `{"version":4.0,"type":1}`, ClassJSON, "schema: main version: 4 validation error: type at /type"},
		{main, `{"version":"4","type":"main"}`, ClassJSON, "schema: main version: 4 validation error: type at /version"},
		{main, `{"v":4,"environment":{}}`, ClassJSON, "schema: main version: 4 validation error: required at /environment: build"},
		{"/submit/telemetry/main/04/x", `{"version":5}`, ClassJSON, "schema: main version: 4 validation error: maximum at /version"},
		{testURI, "\x1f\x8bxyz", ClassJSON, "invalid submission: unpack: "},
	} {
		out := decode(t, d, c.uri, c.body)
		if out.Kind != Error || out.Class != c.class || !strings.HasPrefix(out.Message, c.message) || out.Body != nil {
			t.Errorf("%.60s: got %s %s %q, want %q", c.body, out.Kind, out.Class, out.Message, c.message)
		}
		if got := string(out.Meta.Text(ping.URI)); got != strings.ToValidUTF8(c.uri, "\uFFFD") {
			t.Errorf("%.60s: uri %q", c.body, got)
		}
	}
	for _, accepted := range []string{
		`{"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`, `{"version":5}`, `{"version":4.5}`, `{"version":"x"}`,
		`{"version":{}}`, `{"version":"0x4"}`, `{"version":1e300}`, `{}`,
	} {
		if out := decode(t, d, main, accepted); out.Kind != Ping {
			t.Errorf("%.60s: %s", accepted, out.Message)
		}
	}
}

// Addresses are in no outcome, not even when a document brings its own.
func TestNoAddress(t *testing.T) {
	d := newDecoder(t, DefaultConfig())
	body := fmt.Sprintf(`{"version":4,"environment":{"experiments":{"%s":5}}}`, milton)
	s := Submission{URI: []byte(strings.Replace(testURI, "kind", "main", 1)), Body: []byte(body), RemoteAddr: []byte("127.0.0.1:5")}
	s.Headers.Set(ForwardedFor, []byte("127.0.0.1, "+milton))
	var out Outcome
	d.Decode(&s, &out)
	text := string(out.AppendJSON(nil))
	if out.Message != "schema: main version: 4 validation error: type at /environment/experiments/(address)" ||
		strings.Contains(text, milton) || strings.Contains(text, "127.0.0.1") {
		t.Error(text)
	}
}

func TestDuplicateOutcome(t *testing.T) {
	d := newDecoder(t, DefaultConfig())
	var out Outcome
	s := Submission{URI: []byte(testURI), Timestamp: 1530403200000000000, Body: []byte("broken")}
	d.Decode(&s, &out)
	if out.Kind != Error {
		t.Fatalf("first: %s", out.Kind)
	}
	s.Body = []byte("{}") // it is a duplicate nevertheless: bodies are not looked at
	s.Timestamp += int64(90*time.Minute) + 59*int64(time.Second)
	d.Decode(&s, &out)
	want := `{"outcome":"duplicate","meta":{"documentId":"doc-1","docType":"kind","submissionDate":"20180701",` +
		`"timestamp":1530408659000000000,"appName":"Browser","appVersion":"60.0",` +
		`"appUpdateChannel":"nightly-cck-x","appBuildId":"2018","normalizedChannel":"nightly","geoCountry":"??","geoCity":"??",` +
		`"sourceName":"telemetry","uri":"` + testURI + `"},"duplicateDelta":90}`
	if got := string(out.AppendJSON(nil)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	s.Timestamp += 24 * hour
	if d.Decode(&s, &out); out.Kind != Ping || out.DuplicateDelta != 0 {
		t.Errorf("after the window: %s", out.Kind)
	}
	other := Submission{URI: []byte(testURI + "?x"), Timestamp: s.Timestamp, Body: []byte("{}")}
	if d.Decode(&other, &out); out.Kind != Ping {
		t.Errorf("another URI: %s", out.Kind)
	}
}

func TestConcurrentDecode(t *testing.T) {
	d := newDecoder(t, Config{Geo: writeGeo(t), DuplicateWindow: time.Hour})
	var c validationCase
	readCase(t, "testdata/conformance/validation/update.4.ready.pass.json", &c)
	packed := gzipped(t, c.Ping)
	var wg sync.WaitGroup
	counts := make([]map[Kind]int, 4)
	for g := range counts {
		counts[g] = map[Kind]int{}
		wg.Go(func() {
			var out Outcome
			for i := range 200 {
				uri := fmt.Appendf(nil, "/submit/telemetry/%d/update/Firefox/60.0/beta/2018", i)
				d.Decode(&Submission{URI: uri, Body: packed, RemoteAddr: []byte(milton)}, &out)
				counts[g][out.Kind]++
				if out.Kind == Ping && (len(out.Body) != len(c.Ping) || string(out.Meta.Text(ping.GeoCity)) != "Milton") {
					t.Error("wrong outcome")
				}
			}
		})
	}
	wg.Wait()
	pings, duplicates := 0, 0
	for _, c := range counts {
		pings, duplicates = pings+c[Ping], duplicates+c[Duplicate]
	}
	if pings != 200 || duplicates != 600 {
		t.Errorf("%d pings, %d duplicates", pings, duplicates)
	}
}
