package ingest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// ingestCase is a case of testdata/conformance/ingest.
type ingestCase struct {
	Name  string
	Input struct {
		Requests []request
		Function string
		Values   []any
	}
	Config struct {
		GeoDB  map[string]any `json:"geo_db"`
		Cities []string       `json:"city_whitelist"`
	}
	Expect struct {
		Messages []struct {
			Type   string
			Fields map[string]any
			Absent []string `json:"absent_fields"`
		}
		Values []any
	}
}

type request struct {
	URI       *string
	Timestamp int64
	Headers   map[string]string
	Remote    *string `json:"remote_addr"`
	Preset    json.RawMessage
	Body      json.RawMessage
	Raw       *string `json:"body_raw"`
}

func TestIngestCases(t *testing.T) {
	files := glob(t, "testdata/conformance/ingest/*.json")
	if len(files) != 13 {
		t.Fatalf("%d cases, want 13", len(files))
	}
	geo := writeGeo(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			var c ingestCase
			readCase(t, file, &c)
			if c.Input.Function != "" {
				runFunction(t, &c)
				return
			}
			config := DefaultConfig()
			if c.Config.GeoDB != nil {
				config.Geo = geo
				config.Cities = writeFile(t, "cities.txt", strings.Join(c.Config.Cities, "\n"))
			}
			d := newDecoder(t, config)
			for i, r := range c.Input.Requests {
				checkMessage(t, d, &c, i, r)
			}
		})
	}
}

// submission returns the request as the decoder gets it, through its line form.
func (r *request) submission(t *testing.T) *Submission {
	t.Helper()
	body := []byte(r.Body)
	if r.Raw != nil {
		body = []byte(*r.Raw)
	}
	m := map[string]any{"uri": r.URI, "timestamp": r.Timestamp, "headers": r.Headers, "remoteAddr": r.Remote, "body": body}
	if r.Preset != nil {
		m["meta"] = r.Preset
	}
	text, err := json.Marshal(m)
	require.NoError(t, err)
	var s Submission
	require.NoError(t, ParseSubmission(text, &s))
	return &s
}

func checkMessage(t *testing.T, d *Decoder, c *ingestCase, i int, r request) {
	t.Helper()
	want := c.Expect.Messages[i]
	s := r.submission(t)
	var out Outcome
	d.Decode(s, &out)
	switch want.Type {
	case "telemetry":
		if out.Kind != Ping {
			t.Fatalf("message %d: %s: %s", i, out.Class, out.Message)
		}
	case "error", "telemetry.error":
		if out.Kind != Error {
			t.Fatalf("message %d: want an error, got %s", i, out.Kind)
		}
	}
	for name, v := range want.Fields {
		checkField(t, s, &out, name, fmt.Sprint(v))
	}
	for _, name := range want.Absent {
		f, known := ping.MetaFieldByName(name)
		if known && member(&out.Meta, f) != nil {
			t.Errorf("message %d: %s is %v, want it absent", i, name, member(&out.Meta, f))
		}
	}
	if text := string(out.AppendJSON(nil)); strings.Contains(text, milton) || strings.Contains(text, "127.0.0.1") {
		t.Errorf("message %d has an address: %s", i, text)
	}
}

func checkField(t *testing.T, s *Submission, out *Outcome, name, want string) {
	t.Helper()
	var got any
	switch name {
	case "DecodeErrorType":
		got = out.Class
	case "DecodeError": // only what comes before the details is fixed
		want, _, _ = strings.Cut(want, ":")
		got, _, _ = strings.Cut(out.Message, ":")
	case "content":
		got = string(s.Body)
	default:
		f, ok := ping.MetaFieldByName(name)
		if !ok {
			t.Fatalf("no metadata is named %s", name)
		}
		got = member(&out.Meta, f)
	}
	if fmt.Sprint(got) != want {
		t.Errorf("%s: got %v, want %s", name, got, want)
	}
}

func runFunction(t *testing.T, c *ingestCase) {
	t.Helper()
	f := map[string]func(*testing.T, any) any{
		"forwarded_for_address": forwardedCase,
		"hive_column_name":      func(_ *testing.T, v any) any { return schema.HiveName(v.(string)) },
		"normalized_os_version": func(t *testing.T, v any) any {
			return decodedMember(t, ping.NormalizedOSVersion, map[string]any{"version": 9,
				"environment": map[string]any{"system": map[string]any{"os": map[string]any{"version": v}}}})
		},
		"sample_id": func(t *testing.T, v any) any {
			return decodedMember(t, ping.SampleID, map[string]any{"version": 9, "clientId": v})
		},
		"submission_date": func(_ *testing.T, v any) any {
			ns, _ := v.(json.Number).Int64()
			return string(ping.DayOf(ns))
		},
	}[c.Input.Function]
	if f == nil {
		t.Fatalf("no function is named %s", c.Input.Function)
	}
	for i, v := range c.Input.Values {
		if got, want := f(t, v), c.Expect.Values[i]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: got %v, want %v", v, got, want)
		}
	}
}

func forwardedCase(_ *testing.T, v any) any {
	if a, ok := ForwardedAddress([]byte(v.(string))); ok {
		return string(a)
	}
	return nil
}

// decodedMember decodes a document of a type without schema.
func decodedMember(t *testing.T, f ping.MetaField, doc map[string]any) any {
	t.Helper()
	body, err := json.Marshal(doc)
	require.NoError(t, err)
	s := Submission{URI: []byte("/submit/telemetry/d/type/a/1/c/b"), Body: body}
	var out Outcome
	newDecoder(t, Config{}).Decode(&s, &out)
	if out.Kind != Ping {
		t.Fatalf("%s: %s", body, out.Message)
	}
	return member(&out.Meta, f)
}
