package kafka

import (
	"fmt"
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

func portOf(t *testing.T, address string) int {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	n, err := strconv.Atoi(port)
	require.NoError(t, err)
	return n
}

func TestMessages(t *testing.T) {
	r := submission(7)
	value := appendValue(nil, r)
	var got spool.Record
	require.NoError(t, parseValue(value, &got))
	assert.Equal(t, *r, got)
	for name, c := range map[string]struct {
		value []byte
		want  string
	}{
		"none":    {nil, "no value"},
		"foreign": {[]byte(`{"hello":"world"}`), "not written by pingmill"},
		"short":   {value[:5], "not written by pingmill"},
		"version": {append([]byte("PMk\x02"), value[4:]...), "version 2"},
		"cut":     {value[:len(value)-1], "checksum"},
		"changed": {append(append([]byte{}, value[:20]...), make([]byte, len(value)-20)...), "checksum"},
		"more":    {append(append([]byte{}, value...), 0), "checksum"},
	} {
		t.Run(name, func(t *testing.T) { assert.ErrorContains(t, parseValue(c.value, &got), c.want) })
	}
}

func TestKeysAreDocuments(t *testing.T) {
	for uri, want := range map[string]string{
		"/submit/telemetry/doc/main/Firefox/60.0/release/2018":     "doc",
		"/submit/telemetry/doc/main/Firefox/60.0/release/2018?v=4": "doc",
		"/submit/telemetry/doc/main/Firefox/60.0/release/2018/x/y": "doc",
		"/submit/ns/type/1/doc":                                    "doc",
		"/submit/ns/type/1/doc?x":                                  "doc",
		"/submit/ns/type/1/doc/more":                               "doc",
		"/submit/telemetry/main/4/id":                              "id",
		"/submit/ns/type":                                          "/submit/ns/type",
		"/other?x=1":                                               "/other",
		"":                                                         "",
	} {
		assert.Equal(t, want, string(keyOf([]byte(uri))), uri)
	}
}

// FuzzParseValue reads anything as a message: what is no message is an error, and
// what is one is written as it was.
func FuzzParseValue(f *testing.F) {
	f.Add(appendValue(nil, submission(1)))
	f.Add(appendValue(nil, &spool.Record{}))
	f.Add([]byte(magic))
	f.Add([]byte("PMk\x02\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r spool.Record
		if parseValue(data, &r) != nil {
			return
		}
		var again spool.Record
		if err := parseValue(appendValue(nil, &r), &again); err != nil {
			t.Fatal(err)
		}
		assert.Equal(t, r, again)
	})
}

func TestParse(t *testing.T) {
	got, err := Parse("kafka://a,b:9093,[::1]:9094/pings?group=dec&compression=zstd&timeout=5s&keep=true")
	require.NoError(t, err)
	assert.Equal(t, []string{"a:9092", "b:9093", "[::1]:9094"}, got.Brokers)
	assert.Equal(t, "kafka://a:9092,b:9093,[::1]:9094/pings", got.String())
	assert.Equal(t, "dec zstd 5s true", fmt.Sprint(got.Group, " ", got.Compression, " ", got.Timeout, " ", got.Keep))
	for text, want := range map[string]string{
		"http://a/t": "kafka://", "kafka://": "broker", "kafka:///t": "broker", "kafka://a": "topic", "kafka://a/": "topic",
		"kafka://a/b/c": "topic", "kafka://a/_x": "topic", "kafka://a,/t": "broker", "kafka://a:0/t": "broker", "kafka://a:x/t": "broker",
		"kafka://user:secret@a/t": "no part of the URL", "kafka://a/t?foo=1": `option "foo"`, "kafka://a/t?group=": "group",
		"kafka://a/t?group=a&group=b": "option", "kafka://a/t?compression=rar": "compression", "kafka://a/t?timeout=1h": "timeout",
		"kafka://a/t?keep=perhaps": "keep", "kafka://a/t?%zz": "options", "kafka://a/" + fmt.Sprintf("%041d", 0): "topic",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		assert.NotContains(t, err.Error(), "secret")
	}
}
