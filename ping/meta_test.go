package ping

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fullMeta has every member, in the order of the archive.
const fullMeta = `{"documentId":"d","docType":"main","clientId":"c","sampleId":42,"submissionDate":"20180301",` +
	`"timestamp":1519862400123456789,"appName":"Firefox","appVersion":"58.0","appUpdateChannel":"release","appBuildId":"20180118215408",` +
	`"appVendor":"Mozilla","normalizedChannel":"release","normalizedOSVersion":"10.0","os":"Windows_NT","geoCountry":"DE",` +
	`"geoCity":"Berlin",` +
	`"geoSubdivision1":"BE","geoSubdivision2":"","Date":"Thu, 01 Mar 2018 00:00:00 GMT","Host":"h","DNT":"1","xPingSenderVersion":"1.0",` +
	`"reason":"daily","telemetryEnabled":"true","activeExperimentId":"x","creationTimestamp":1519862390000000000,"sourceName":"telemetry",` +
	`"sourceVersion":"4","uri":"/submit/telemetry/d","xDebugId":"my-tag","xSourceTags":"perf,automation","xTelemetryAgent":"Glean/67.3.2 ` +
	`(Rust on Linux)",` +
	`"userAgent":"Mozilla/5.0"}`

func TestMetaFields(t *testing.T) {
	for f := MetaField(0); f < NumMetaFields; f++ {
		if got, ok := MetaFieldByName(f.Name()); !ok || got != f {
			t.Errorf("%s is field %d, want %d", f.Name(), got, f)
		}
		if want := f == SampleID || f == Timestamp || f == CreationTimestamp; f.IsInt() != want {
			t.Errorf("%s is an integer: %v", f.Name(), f.IsInt())
		}
	}
	if f, ok := MetaFieldByName("X-PingSender-Version"); !ok || f != XPingSenderVersion {
		t.Error("the header's name is not a field's")
	}
	if _, ok := MetaFieldByName("DocumentID"); ok {
		t.Error("names match whatever their case")
	}
}

func TestAutomated(t *testing.T) {
	for tags, want := range map[string]bool{
		"automation": true, "perf,automation": true, " automation , perf": true, "perf,\tautomation": true,
		"": false, "perf": false, "Automation": false, "automation1": false, "auto mation": false, ",": false,
	} {
		var m Meta
		m.SetString(XSourceTags, tags)
		require.Equal(t, want, m.Automated(), tags)
	}
	require.False(t, new(Meta).Automated())
}

func TestMetaJSON(t *testing.T) {
	var m Meta
	require.NoError(t, m.ParseJSON([]byte(fullMeta)))
	if got := string(m.AppendJSON([]byte("x"))); got != "x"+fullMeta {
		t.Errorf("got  %s\nwant x%s", got, fullMeta)
	}
	if got := string(m.Text(GeoSubdivision2)); m.Text(GeoSubdivision2) == nil || got != "" {
		t.Errorf("an empty text is %q, nil: %v", got, m.Text(GeoSubdivision2) == nil)
	}
	m.Reset()
	if got := string(m.AppendJSON(nil)); got != "{}" {
		t.Errorf("after Reset: %s", got)
	}
}

func TestMetaParse(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{}`, `{}`},
		{`{"other":1,"x":{"documentId":"no"},"documentid":"no"}`, `{}`},
		{`{"documentId":null,"sampleId":null,"geoCity":[],"geoCountry":{}}`, `{}`},
		{`{"sampleId":4.0,"timestamp":1.5e3,"creationTimestamp":-1}`, `{"sampleId":4,"timestamp":1500,"creationTimestamp":-1}`},
		{`{"sampleId":"4","timestamp":9223372036854775808,"creationTimestamp":true}`, `{}`},
		{`{"timestamp":1519862400123456789}`, `{"timestamp":1519862400123456789}`},
		{`{"sourceVersion":4,"appVersion":58.0,"reason":-0}`, `{"appVersion":"58.0","reason":"0","sourceVersion":"4"}`},
		{`{"telemetryEnabled":true}`, `{"telemetryEnabled":"true"}`},
		{`{"telemetryEnabled":false,"documentId":true,"submissionDate":false,"geoCity":true}`, `{"telemetryEnabled":"false"}`},
		{`{"X-PingSender-Version":"1.0"}`, `{"xPingSenderVersion":"1.0"}`},
		{`{"X-PingSender-Version":"1.0","xPingSenderVersion":"2.0"}`, `{"xPingSenderVersion":"2.0"}`},
		{`{"xPingSenderVersion":"2.0","X-PingSender-Version":"1.0"}`, `{"xPingSenderVersion":"2.0"}`},
		{`{"documentId":"a","documentId":"b"}`, `{"documentId":"b"}`},
		{`{"documentId":"a","documentId":null}`, `{}`},
		{` { "document\u0049d" : "\"\\\n\u00e9" } `, `{"documentId":"\"\\\u000aé"}`},
	} {
		var m Meta
		m.SetString(ClientID, "left over")
		m.SetInt(Timestamp, 7)
		if err := m.ParseJSON([]byte(c.in)); err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if got := string(m.AppendJSON(nil)); got != c.want {
			t.Errorf("%s is %s, want %s", c.in, got, c.want)
		}
	}
	var m Meta
	for _, in := range []string{``, `null`, `[]`, `"documentId"`, `{"documentId":"a"`, `{"documentId":"a"} {}`} {
		if err := m.ParseJSON([]byte(in)); err == nil {
			t.Errorf("%s is metadata", in)
		}
	}
}

// A reader's records do not depend on the ones before.
func TestMetaReader(t *testing.T) {
	var r MetaReader
	var m Meta
	for _, c := range []struct{ in, want string }{
		{fullMeta, fullMeta}, {`{"os":"Linux"}`, `{"os":"Linux"}`}, {`{`, ""}, {`{}`, `{}`}, {fullMeta, fullMeta},
	} {
		err := r.Read(&m, []byte(c.in))
		if (err != nil) != (c.want == "") {
			t.Errorf("%.30s: %v", c.in, err)
		}
		if err == nil && string(m.AppendJSON(nil)) != c.want {
			t.Errorf("%.30s is %s", c.in, m.AppendJSON(nil))
		}
	}
}

func TestMetaSet(t *testing.T) {
	var m Meta
	for f := MetaField(0); f < NumMetaFields; f++ {
		if f.IsInt() {
			m.SetInt(f, int64(f))
		} else {
			m.SetString(f, f.Name())
		}
	}
	for f := MetaField(0); f < NumMetaFields; f++ {
		n, ok := m.Int(Timestamp)
		if n != int64(Timestamp) && f < Timestamp || !ok && f <= Timestamp {
			t.Errorf("timestamp %d, %v before field %d is cleared", n, ok, f)
		}
		m.Clear(f)
		if f.IsInt() {
			if n, ok := m.Int(f); ok || n != 0 {
				t.Errorf("%s is %d after Clear", f.Name(), n)
			}
		} else if m.Text(f) != nil {
			t.Errorf("%s is %q after Clear", f.Name(), m.Text(f))
		}
	}
	b := []byte("kept")
	m.SetText(OS, b)
	m.SetString(Host, "")
	b[0] = 'l'
	if string(m.Text(OS)) != "lept" || m.Text(Host) == nil {
		t.Errorf("os %q, host nil: %v", m.Text(OS), m.Text(Host) == nil)
	}
	if m.SetText(OS, nil); m.Text(OS) != nil {
		t.Error("a nil text is there")
	}
}

func TestMetaDay(t *testing.T) {
	var m Meta
	if got := m.Day(); got != "" {
		t.Errorf("day of nothing is %q", got)
	}
	m.SetInt(Timestamp, 1519862399999999999)
	if got := m.Day(); got != "20180228" {
		t.Errorf("day of the timestamp is %q", got)
	}
	m.SetString(SubmissionDate, "20170101")
	if got := m.Day(); got != "20170101" {
		t.Errorf("day of the submission is %q", got)
	}
	for ns, want := range map[int64]Day{0: "19700101", -1: "19691231", 1519862400000000000: "20180301", 951782400000000000: "20000229"} {
		if got := DayOf(ns); got != want {
			t.Errorf("day of %d is %s, want %s", ns, got, want)
		}
	}
}

// crc32 of these texts is 0, 0xcbf43926 and 0xe8b7be43.
func TestSampleOf(t *testing.T) {
	for id, want := range map[string]int64{"": 0, "123456789": 0xcbf43926 % 100, "a": 0xe8b7be43 % 100} {
		if got := SampleOf([]byte(id)); got != want {
			t.Errorf("sample of %q is %d, want %d", id, got, want)
		}
	}
	if got := SampleOf([]byte(strings.Repeat("z", 1000))); got < 0 || got > 99 {
		t.Error(got)
	}
}
