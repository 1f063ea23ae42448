package format

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/s2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return b
}

// one reads a file of one record.
func one(t *testing.T, b []byte) *Record {
	t.Helper()
	f, err := Open(bytes.NewReader(b))
	require.NoError(t, err)
	var rec, end Record
	require.NoError(t, f.Next(&rec))
	if err := f.Next(&end); err != io.EOF {
		t.Fatalf("after the record: %v", err)
	}
	return &rec
}

// TestRealHeka reads real files: the whole document and metadata of one are
// known, the other holds the same ping, as another encoder wrote it.
func TestRealHeka(t *testing.T) {
	z, err := gzip.NewReader(bytes.NewReader(file(t, "hindsight_expected.json.gz")))
	require.NoError(t, err)
	var want struct{ Meta, Ping json.RawMessage }
	require.NoError(t, json.NewDecoder(z).Decode(&want))
	var meta ping.Meta
	require.NoError(t, meta.ParseJSON(want.Meta))
	rec := one(t, file(t, "test_main_hindsight.heka"))
	if got, want := string(rec.Meta.AppendJSON(nil)), string(meta.AppendJSON(nil)); got != want {
		t.Errorf("metadata:\n got %s\nwant %s", got, want)
	}
	if !sameJSON(t, rec.Body, want.Ping) {
		t.Errorf("the document is %.1000s", rec.Body)
	}
	assert.NoError(t, ping.Validate(rec.Body))

	snappy := one(t, file(t, "test_main.snappy.heka"))
	meta.SetString(ping.Host, "127.0.0.1") // the only difference
	if got, want := string(snappy.Meta.AppendJSON(nil)), string(meta.AppendJSON(nil)); got != want {
		t.Errorf("snappy metadata:\n got %s\nwant %s", got, want)
	}
	for _, path := range [][]string{{"payload", "histograms"}, {"payload", "keyedHistograms"}, {"application"}, {"payload", "ver"},
		{"environment", "profile"}, {"payload", "addonDetails"}, {"payload", "log"}, {"clientId"}} {
		if a, b := value(t, rec.Body, path), value(t, snappy.Body, path); !sameJSON(t, a, b) {
			t.Errorf("%v is %.200s in one and %.200s in the other", path, a, b)
		}
	}
}

func value(t *testing.T, doc []byte, path []string) []byte {
	t.Helper()
	var p ping.PathSet
	slot := p.Add(path...)
	var d ping.Doc
	require.NoError(t, d.Scan(p.Compile(), doc))
	return d.Value(slot).Raw()
}

func TestHekaMessages(t *testing.T) {
	for _, c := range []struct {
		name    string
		message *encoder
		want    string
	}{
		{"payload", newMessage().bytes(6, `{"a":1}`).field("docType", "main"),
			`{"docType":"main","timestamp":99} {"a":1}`},
		{"submission before payload", newMessage().bytes(6, `{"a":1}`).field("submission", ` {"b":2} `),
			`{"timestamp":99} {"b":2}`},
		{"numbers", newMessage().bytes(6, `{}`).
			typed("sampleId", intValue, func(e *encoder) { e.number(6, 7) }).
			typed("sourceVersion", doubleValue, func(e *encoder) { e.double(7, 4) }).
			typed("appVersion", doubleValue, func(e *encoder) { e.double(7, 57.5) }).
			typed("appBuildId", intValue, func(e *encoder) { e.bytes(6, "\x05\x06") }).
			typed("creationTimestamp", doubleValue,
				func(e *encoder) { e.bytes(7, "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\x40") }).
			typed("telemetryEnabled", boolValue, func(e *encoder) { e.bytes(8, "\x01") }).
			typed("os", boolValue, func(e *encoder) { e.number(8, 0) }),
			`{"sampleId":7,"timestamp":99,"appVersion":"57.5","appBuildId":"5","os":"false","telemetryEnabled":"true","creationTimestamp":1,` +
				`"sourceVersion":"4"} {}`},
		{"numbers that are not", newMessage().bytes(6, `{}`).
			typed("sampleId", doubleValue, func(e *encoder) { e.double(7, math.NaN()) }).
			typed("creationTimestamp", doubleValue, func(e *encoder) { e.double(7, 1e300) }).
			typed("reason", textValue, func(e *encoder) {}).
			typed("os", bytesValue, func(e *encoder) { e.bytes(5, "") }).
			typed("Host", intValue, func(e *encoder) { e.bytes(6, "") }),
			`{"timestamp":99,"os":""} {}`},
		{"integers as text", newMessage().bytes(6, `{}`).field("sampleId", "12").field("creationTimestamp", "x"),
			`{"sampleId":12,"timestamp":99} {}`},
		{"sections", newMessage().bytes(6, `{"environment":{"system":null,"build":{"x":1}},"payload":[1],"z":"\u00e9\n"}`).
			field("environment.system", `{"os":1}`).field("environment.build", `[]`).field("environment.settings.a", "text").
			field("payload.info", `{}`).field("new.one", `not {json}`).
			typed("new.two", bytesValue, func(e *encoder) { e.bytes(5, " true ") }).
			typed("new.three", bytesValue, func(e *encoder) { e.bytes(5, "\xff") }).
			typed("new.four", doubleValue, func(e *encoder) { e.double(7, math.Inf(1)) }).
			typed("new.five", doubleValue, func(e *encoder) { e.double(7, 0.5) }).
			typed("new.six", intValue, func(e *encoder) { e.number(6, 1<<64-1) }),
			`{"timestamp":99} {"environment":{"system":{"os":1},"build":[],"settings":{"a":"text"}},"payload":{"info":{}},"z":"\u00e9\n",` +
				`"new":{"one":"not {json}","two":true,"three":"` + "\uFFFD" + `","four":null,"five":0.5,"six":-1}}`},
		{"sections of sections", newMessage().field("a", "no section").field("p.q.r", "1").field("p.q", `{"r":0,"s":2}`).field("p.q.t", "3"),
			`{"timestamp":99} {"p":{"q":{"r":"1","s":2,"t":"3"}}}`},
		{"raw", newMessage().field("uri", "/submit/x").field("remote_addr", "1.2.3.4").field("Date", "now").field("X-Forwarded-For", "5.6.7.8").
			field("DecodeErrorType", "json").field("geoCountry", "CA").typed("content", bytesValue, func(e *encoder) { e.bytes(5, "\x1f\x8b") }),
			`{"geoCountry":"CA","Date":"now","uri":"/submit/x"} ` + "\x1f\x8b" + ` /submit/x 99 1.2.3.4 Date=now X-Forwarded-For=5.6.7.8`},
		{"raw of old", newMessage().field("Path", "/submit/y").field("content", "{}"), `{} {} /submit/y 99 `},
		{"no document", newMessage().field("uri", "/submit/x"), `the message of type "telemetry" holds no document [`},
		{"no object", newMessage().bytes(6, "[]"), `the document is not a JSON object [`},
		{"no JSON", newMessage().bytes(6, "{"), `document: invalid JSON at byte 1: `},
		{"many levels", newMessage().field(strings.Repeat("a.", 40)+"a", "1"), `the message has too many sections [`},
		{"no uuid", new(encoder).number(2, 99).bytes(6, "{}"), errMessage.Error()},
		{"no time", new(encoder).bytes(1, "0123456789abcdef").bytes(6, "{}"), errMessage.Error()},
	} {
		for name, message := range map[string][]byte{"plain": c.message.b, "snappy": s2.EncodeSnappy(nil, c.message.b)} {
			got := read(t, bytes.NewReader(frame(message)), Options{})
			want := "0 0 " + c.want
			if strings.HasPrefix(c.name, "raw") {
				want = "0 1 " + c.want
			}
			if len(got) == 1 && strings.HasPrefix(got[0], "record at byte 0: "+c.want) {
				want = got[0]
			}
			compare(t, c.name+", "+name, got, []string{want})
		}
	}
}

// TestHekaDamage damages a stream of three messages at every byte, and cuts it
// there.
func TestHekaDamage(t *testing.T) {
	var stream []byte
	var starts []int
	for i := range 3 {
		starts = append(starts, len(stream))
		stream = append(stream, frame(newMessage().bytes(6, fmt.Sprintf(`{"n":%d,"s":"\u001e"}`, i)).b)...)
	}
	starts = append(starts, len(stream))
	whole := read(t, bytes.NewReader(stream), Options{})
	if len(whole) != 3 {
		t.Fatal(whole)
	}
	for at := range stream {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			bad := bytes.Clone(stream)
			bad[at] ^= flip
			n := 0
			for n+1 < len(starts) && at >= starts[n+1] {
				n++
			}
			got := read(t, bytes.NewReader(bad), Options{})
			for i, w := range whole { // the others are whole
				if i != n && !contains(got, w) {
					t.Fatalf("byte %d ^ %#x: message %d is lost: %q", at, flip, i, got)
				}
			}
		}
		n := 0
		for starts[n+1] <= at {
			n++
		}
		got := read(t, bytes.NewReader(stream[:at]), Options{})
		want := append([]string{}, whole[:n]...)
		switch {
		case at > starts[n] && n > 0:
			if len(got) != n+1 || !strings.HasPrefix(got[n], "record at") {
				t.Fatalf("cut at %d: %q", at, got)
			}
			got = got[:n]
		case at > starts[n] && n == 0: // perhaps not to be recognised
			continue
		}
		compare(t, fmt.Sprintf("cut at %d", at), got, want)
	}
	slow := read(t, iotest.OneByteReader(bytes.NewReader(stream)), Options{})
	compare(t, "byte by byte", slow, whole)
}

func contains(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}

// TestHekaLimits checks what a header can make the reader do.
func TestHekaLimits(t *testing.T) {
	good := frame(newMessage().bytes(6, "{}").b)
	huge := frame(nil)
	huge[3] = 0x50 // a message of 80 bytes
	long := frame(newMessage().bytes(6, `{"a":"`+strings.Repeat("x", 5000)+`"}`).b)
	for _, c := range []struct {
		name   string
		stream []byte
		max    int
		want   []string
	}{
		{"longer than allowed", bytes.Join([][]byte{good, long, good}, nil), 1000, []string{
			"0 0 ", "record at byte ", "0 0 "}},
		{"longer than the file", bytes.Join([][]byte{huge, good, good}, nil), 0, []string{
			"record at byte 0: no frame follows", "0 ", "0 "}},
		{"only headers", bytes.Repeat(huge, 1000), 0, nil},
		{"garbage before", append([]byte("\x00\x1egarbage"), good...), 0, []string{"record at byte 0: no frame begins here", "9 0 "}},
		{"garbage after", append(bytes.Clone(good), "\n\n"...), 0, []string{"0 0 ", "record at byte "}},
		{"an empty message", frame(nil), 0, []string{"record at byte 0: neither"}},
	} {
		got := read(t, bytes.NewReader(c.stream), Options{MaxRecord: c.max})
		if c.want == nil {
			if len(got) == 0 {
				t.Errorf("%s: nothing", c.name)
			}
			continue
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i, w := range c.want {
			ok := strings.HasPrefix(got[i], w)
			if w == "0 0 " || w == "0 " {
				ok = strings.HasSuffix(got[i], "{}")
			}
			if !ok {
				t.Errorf("%s, record %d: %s", c.name, i, got[i])
			}
		}
	}
}

// TestHekaManyFields checks the bound on what a message can ask for.
func TestHekaManyFields(t *testing.T) {
	m := newMessage()
	for range maxSections + 1 {
		m.field("a.b", "1")
	}
	if got := read(t, bytes.NewReader(frame(m.b)), Options{}); len(got) != 1 || !strings.Contains(got[0], "too many sections") {
		t.Errorf("%.100q", got)
	}
	m = newMessage().bytes(6, "{}")
	for range maxFields + 1 {
		m.field("a", "")
	}
	if got := read(t, bytes.NewReader(frame(m.b)), Options{}); len(got) != 1 || !strings.Contains(got[0], errMessage.Error()) {
		t.Errorf("%.100q", got)
	}
}
