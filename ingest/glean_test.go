package ingest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/ping/glean"
)

// gleanCase is a line of testdata/conformance/glean.
type gleanCase struct {
	Name, Table, Namespace, DocType string
	InfoSections                    *bool `json:"include_info_sections"`
	Ping                            json.RawMessage
	Expect                          json.RawMessage
}

func gleanCases(t testing.TB, table string) (cases []gleanCase) {
	t.Helper()
	file, err := os.ReadFile("testdata/conformance/glean/cases.jsonl")
	require.NoError(t, err)
	for line := range bytes.Lines(file) {
		var c gleanCase
		require.NoError(t, json.Unmarshal(line, &c))
		if c.Table == table {
			cases = append(cases, c)
		}
	}
	require.NotEmpty(t, cases)
	return cases
}

// gleanDecoder decodes pings of Firefox.
func gleanDecoder(t testing.TB, info InfoSections) *Decoder {
	return newDecoder(t, Config{Glean: Glean{Applications: FirefoxApplications(),
		InfoSections: func(string, string) InfoSections { return info }}})
}

const gleanID = "11111111-1111-4111-8111-111111111111"

func TestGleanCases(t *testing.T) {
	decoders := map[string]*Decoder{"null": gleanDecoder(t, InfoUnknown), "true": gleanDecoder(t, WithInfo),
		"false": gleanDecoder(t, WithoutInfo)}
	for _, c := range gleanCases(t, "validation") {
		t.Run(c.Name, func(t *testing.T) {
			out := decode(t, decoders[string(marshal(t, c.InfoSections))], "/submit/firefox-desktop/"+c.DocType+"/1/"+gleanID, string(c.Ping))
			if string(c.Expect) == `"valid"` {
				require.Equal(t, Ping, out.Kind, out.Message)
				return
			}
			require.Equal(t, ClassSchema, out.Class, out.Message)
			require.Contains(t, out.Message, "baseline version 1: ")
			require.Contains(t, out.Message, " at /")
		})
	}
}

func TestGleanPaths(t *testing.T) {
	smallest := string(gleanCases(t, "validation")[0].Ping)
	d := gleanDecoder(t, InfoUnknown)
	for _, c := range gleanCases(t, "uri") {
		var paths map[string]bool
		require.NoError(t, json.Unmarshal(c.Expect, &paths))
		paths["/submit/firefox-desktop/baseline/1/"+strings.ToUpper("aaaaaaaa-1111-4111-8111-11111111111f")+"?v=1"] = true
		paths["/submit/firefox-desktop/baseline/1/"+gleanID+"/more"] = true
		paths["/submit/firefox-desktop/baseline/1/{"+gleanID+"}"] = false
		paths["/submit/other/baseline/1/x"] = true // no application of Glean
		for path, good := range paths {
			out := decode(t, d, path, smallest)
			require.Equal(t, good, out.Kind == Ping, "%s: %s", path, out.Message)
			if !good {
				require.Equal(t, ClassURI, out.Class, path)
			}
		}
	}
}

func TestGleanTimes(t *testing.T) {
	for _, c := range gleanCases(t, "parse_time") {
		var texts map[string]*string
		require.NoError(t, json.Unmarshal(c.Expect, &texts))
		for text, want := range texts {
			us, ok := glean.Time([]byte(text))
			require.Equal(t, want != nil, ok, text)
			if ok {
				require.Equal(t, *want, time.UnixMicro(us).UTC().Format("2006-01-02T15:04:05.000000Z"), text)
			}
		}
	}
}

// TestGleanViolations names the place of the first violation.
func TestGleanViolations(t *testing.T) {
	d := gleanDecoder(t, InfoUnknown)
	for metrics, want := range map[string]string{
		`{"counter":{"a.b":1.0}}`:                                               "type at /metrics/counter/a.b",
		`{"counter":{"a.b":1e3}}`:                                               "type at /metrics/counter/a.b",
		`{"counter":{"a.b":123456789012345678901234567890}}`:                    "",
		`{"counter":{"a.b":null}}`:                                              "type at /metrics/counter/a.b",
		`{"counter":{"` + strings.Repeat("a", 111) + `":1}}`:                    "",
		`{"counter":{"` + strings.Repeat("a", 112) + `":1}}`:                    "additionalProperties at /metrics/counter: aaa",
		`{"labeled_counter":{"a.b":{"` + strings.Repeat("é", 111) + `":1}}}`:    "",
		`{"labeled_counter":{"a.b":{"` + strings.Repeat("é", 112) + `":1}}}`:    "additionalProperties at /metrics/labeled_counter/a.b: éé",
		`{"labeled_string":{"a.b":{"l\n":"x","":"y"}}}`:                         "",
		`{"url":{"a.b":"about:blank"}}`:                                         "",
		`{"url":{"a.b":"database:x"}}`:                                          "not at /metrics/url/a.b",
		`{"url":{"a.b":"Data:x"}}`:                                              "",
		`{"url":{"a.b":"1x:y"}}`:                                                "pattern at /metrics/url/a.b",
		`{"rate":{"a.b":{"numerator":1,"denominator":2,"more":3}}}`:             "additionalProperties at /metrics/rate/a.b: more",
		`{"timing_distribution":{"a.b":{"values":{"0":1},"more":3}}}`:           "",
		`{"timing_distribution":{"a.b":{"values":{"0":1},"range":[1]}}}`:        "minItems at /metrics/timing_distribution/a.b/range",
		`{"timing_distribution":{"a.b":{"values":{"18446744073709551616":1}}}}`: "",
		`{"custom_distribution":{"a.b":{"values":{}}}}`:                         "required at /metrics/custom_distribution/a.b: sum",
		`{"object":{"a.b":{"x":null}}}`:                                         "",
		`{"object":{"a.b":null}}`:                                               "type at /metrics/object/a.b",
		`{"event":{}}`:                                                          "additionalProperties at /metrics: event",
		`null`:                                                                  "type at /metrics",
	} {
		out := decode(t, d, "/submit/firefox-desktop/custom/1/"+gleanID, `{"$schema":"x","metrics":`+metrics+`}`)
		if want == "" {
			require.Equal(t, Ping, out.Kind, "%s: %s", metrics, out.Message)
		} else {
			require.Equal(t, ClassSchema, out.Class, metrics)
			require.True(t, strings.HasPrefix(out.Message, "custom version 1: "+want), "%s: %s", metrics, out.Message)
		}
	}
	for info, want := range map[InfoSections]string{
		InfoUnknown: "required at /: client_info", WithInfo: "required at /: client_info", WithoutInfo: "additionalProperties at /: ping_info",
	} {
		out := decode(t, gleanDecoder(t, info), "/submit/firefox-desktop/custom/2/"+gleanID,
			`{"ping_info":{"seq":0,"start_time":"","end_time":""}}`)
		require.Equal(t, "custom version 2: "+want, out.Message)
	}
}

// TestGleanRequests takes deletion requests in whatever form they come, if they name somebody.
func TestGleanRequests(t *testing.T) {
	d := gleanDecoder(t, WithInfo)
	out := decode(t, d, "/submit/firefox-desktop/deletion-request/1/"+gleanID, `{"client_info":{"client_id":"`+gleanID+`"},"more":1}`)
	require.Equal(t, Ping, out.Kind, out.Message)
	out = decode(t, d, "/submit/firefox-desktop/deletion-request/1/"+gleanID, `{"client_info":{"client_id":""}}`)
	require.Equal(t, ClassJSON, out.Class, out.Message)
}

func TestGleanMetadata(t *testing.T) {
	var preset ping.Meta
	for f := range ping.NumMetaFields {
		if !f.IsInt() {
			preset.SetString(f, "old")
		}
	}
	preset.SetInt(ping.SampleID, 1000)
	preset.SetInt(ping.CreationTimestamp, 1000)
	d := newDecoder(t, Config{Glean: Glean{Applications: []string{AllApplications}}})
	s := Submission{Timestamp: 1795255200000000000, Meta: &preset}
	for h, v := range map[Header]string{DateHeader: "d", DNTHeader: "1", HostHeader: "h", PingSenderVersion: "1.0", UserAgent: "Mozilla/5.0",
		DebugID: "tag", SourceTags: "a, automation", TelemetryAgent: "Glean/67"} {
		s.Headers.Set(h, []byte(v))
	}
	var out Outcome
	for _, c := range []struct{ namespace, body, want string }{
		{"firefox-desktop", `{"ping_info":{"seq":0,"start_time":"2026-11-21+00:00","end_time":"2026-11-21T10:30:00.1234567+01:00",` +
			`"reason":"active"},"client_info":{"telemetry_sdk_build":"67",` +
			`"architecture":"x86_64","os":"Darwin","os_version":"24.1.0-x","app_build":"20261103151912","app_display_version":"153.7.0esr",` +
			`"first_run_date":"2026-11-20+00:00",` +
			`"app_channel":"nightly-cck-x","client_id":"AAAAAAAA-0000-4000-8000-00000000000F"}}`,
			`"clientId":"aaaaaaaa-0000-4000-8000-00000000000f","sampleId":84,"submissionDate":"20261121","timestamp":1795255200000000000,` +
				`"appName":"Firefox","appVersion":"153.7.0esr",` +
				`"appUpdateChannel":"nightly-cck-x","appBuildId":"20261103151912","appVendor":"old","normalizedChannel":"nightly",` +
				`"normalizedOSVersion":"24.1.0","os":"Darwin",` + presetPlace +
				`"reason":"active","telemetryEnabled":"old","activeExperimentId":"old","creationTimestamp":1795253400123456000`},
		{"org-example", `{"ping_info":{"seq":0,"start_time":"","end_time":"soon","reason":""},"client_info":{"telemetry_sdk_build":"",` +
			`"architecture":"","os":"","os_version":"","app_build":"",` +
			`"app_display_version":"","first_run_date":"","app_channel":""}}`,
			`"submissionDate":"20261121","timestamp":1795255200000000000,"appVendor":"old",` + presetPlace +
				`"telemetryEnabled":"old","activeExperimentId":"old"`},
	} {
		s.URI, s.Body = []byte("/submit/"+c.namespace+"/baseline/1/"+gleanID), []byte(c.body)
		d.Decode(&s, &out)
		want := fmt.Sprintf(`{"documentId":"%s","docType":"baseline",%s,"sourceName":"%s","sourceVersion":"1","uri":"old",`+
			`"xDebugId":"tag","xSourceTags":"a, automation","xTelemetryAgent":"Glean/67","userAgent":"Mozilla/5.0"}`, gleanID, c.want, c.namespace)
		require.Equal(t, Ping, out.Kind, out.Message)
		require.Equal(t, want, string(out.Meta.AppendJSON(nil)))
	}
}

const presetPlace = `"geoCountry":"old","geoCity":"old","geoSubdivision1":"old","geoSubdivision2":"old","Date":"d","Host":"h",` +
	`"DNT":"1","xPingSenderVersion":"1.0",`

// capturedGlean yields the captured submissions of a Firefox.
func capturedGlean(t testing.TB, yield func(s *Submission)) {
	t.Helper()
	file, err := os.Open("../cmd/pingmill/testdata/firefox/glean.ndjson")
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s Submission
		require.NoError(t, ParseSubmission(lines.Bytes(), &s))
		yield(&s)
	}
	require.NoError(t, lines.Err())
}

// TestCapturedGlean takes all that a Firefox sent, and finds the client if there is one.
func TestCapturedGlean(t *testing.T) {
	d := newDecoder(t, DefaultConfig())
	n, clients := 0, 0
	capturedGlean(t, func(s *Submission) {
		n++
		var out Outcome
		d.Decode(s, &out)
		require.Equal(t, Ping, out.Kind, out.Message)
		id := out.Meta.Text(ping.ClientID)
		sample, ok := out.Meta.Int(ping.SampleID)
		require.Equal(t, bytes.Contains(out.Body, []byte(`"client_id":"`)), id != nil, "%s", s.URI)
		require.Equal(t, id != nil, ok)
		if id != nil {
			clients++
			require.Equal(t, ping.SampleOf(id), sample)
			require.NotNil(t, out.Meta.Text(ping.XTelemetryAgent))
			require.Equal(t, "Linux", string(out.Meta.Text(ping.OS)))
			require.Equal(t, "esr", string(out.Meta.Text(ping.NormalizedChannel)))
		}
	})
	require.Equal(t, 205, n)
	require.Greater(t, clients, 100)
}

// gleanCheckers have the rules without that of integers, which JSON Schema cannot say.
func gleanCheckers(t testing.TB) []*checker {
	t.Helper()
	r, err := newGleanRules(Glean{Applications: FirefoxApplications()})
	require.NoError(t, err)
	require.NotNil(t, r.withInfo.program)
	r.withInfo.plain, r.withoutInfo.plain = false, false
	return []*checker{r.withInfo, r.withoutInfo}
}

// everyType has a value of every metric type.
const everyType = `{"$schema":"x","ping_info":{"seq":0,"start_time":"2026-11-21+00:00","end_time":"2026-11-21+00:00","reason":"r","ping_type":"p","experiments":{"e":{"branch":"b",
"extra":{"type":"t","enrollment_id":"i","x":1}}},"server_knobs_config":{"metrics_enabled":{"a.b":true},"pings_enabled":{"a-b":false},"event_threshold":null,"session_sample_rate":0.5}},
"client_info":{"telemetry_sdk_build":"67","architecture":"x","os":"L","os_version":"1","app_build":"1","app_display_version":"1","first_run_date":"2026-11-20+00:00","client_id":
"aaaaaaaa-0000-4000-8000-00000000000f","session_count":1,"windows_build_number":1,"attribution":{"campaign":"c"},"distribution":{"name":"n"}},"metrics":{"boolean":{"a.b":true},"counter":{"a.b":1},
"quantity":{"a.b":-1},"string":{"a.b":"x"},"text":{"a.b":"x"},"url":{"a.b":"x:y"},"uuid":{"a.b":"aaaaaaaa-0000-4000-8000-00000000000f"},"jwe":{"a.b":"x"},"datetime":{"a.b":"x"},"string_list":{"a.b":["x"]},
"timespan":{"a.b":{"time_unit":"day","value":1}},"timing_distribution":{"a.b":{"sum":1,"values":{"0":1},"range":[1,2],"histogram_type":"linear","count":1,"bucket_count":1,"underflow":0,"overflow":0,
"time_unit":"hour"}},"memory_distribution":{"a.b":{"values":{"0":1},"count":1}},"custom_distribution":{"a.b":{"sum":1,"values":{"0":1},"count":1}},"rate":{"a.b":{"numerator":1,"denominator":2}},
"object":{"a.b":[{"x":null}]},"dual_labeled_counter":{"a.b":{"k":{"c":1}}},"labeled_boolean":{"a.b":{"l":true}},"labeled_counter":{"a.b":{"l":1}},"labeled_quantity":{"a.b":{"l":1}},
"labeled_string":{"a.b":{"l":"x"}},"labeled_rate":{"a.b":{"l":{"numerator":1,"denominator":2}}},"labeled_custom_distribution":{"a.b":{"l":{"sum":1,"values":{"0":1}}}},
"labeled_memory_distribution":{"a.b":{"l":{"values":{"0":1}}}},"labeled_timing_distribution":{"a.b":{"l":{"values":{"0":1}}}}},"events":[{"timestamp":0,"category":"","name":"n","extra":{"k":"v"},
"session":{"session_id":"s","session_seq":0,"event_seq":0,"session_sample_rate":1,"session_start_time":"x"}}]}`

// TestGleanProgramsAgree mutates a ping with every member and compares programs with the general validator.
func TestGleanProgramsAgree(t *testing.T) {
	for _, s := range gleanCheckers(t) {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(everyType))
		require.NoError(t, err)
		if members := doc.(map[string]any); verdict(s, []byte(everyType)) != "" {
			delete(members, "ping_info")
			delete(members, "client_info")
		}
		require.Empty(t, verdict(s, marshal(t, doc)))
		mutate(doc, func() { agree(t, s, marshal(t, doc)) })
	}
}

func FuzzGlean(f *testing.F) {
	all := gleanCheckers(f)
	f.Add([]byte(everyType))
	for _, c := range gleanCases(f, "validation") {
		if len(c.Ping) < 10_000 {
			f.Add([]byte(c.Ping))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if ping.Validate(doc) != nil || hasExtremeNumber(doc) || bytes.Count(doc, []byte(":")) > 500 {
			return
		}
		for _, s := range all {
			agree(t, s, doc)
		}
	})
}
