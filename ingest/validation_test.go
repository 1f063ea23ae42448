package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// validationCase is a case of testdata/conformance/validation.
type validationCase struct {
	DocType    string
	Expect     string
	Violations []struct{ Path, Keyword string } `json:"first_violations"`
	Ping       json.RawMessage
}

func TestValidationCases(t *testing.T) {
	files := glob(t, "testdata/conformance/validation/*.json*", "testdata/conformance/validation/later/*.json*")
	if len(files) < 28 {
		t.Fatalf("only %d cases", len(files))
	}
	d := newDecoder(t, Config{})
	for _, file := range files {
		t.Run(strings.TrimPrefix(filepath.ToSlash(file), "testdata/conformance/validation/"), func(t *testing.T) {
			var c validationCase
			readCase(t, file, &c)
			uri := fmt.Sprintf("/submit/telemetry/0d5c9b9c-4f3b-4a6e-9c0d-3c8b0a4f6f00/%s/Firefox/60.0/release/20180601000000", c.DocType)
			var out Outcome
			for _, body := range [][]byte{c.Ping, gzipped(t, c.Ping)} {
				d.Decode(&Submission{URI: []byte(uri), Body: body}, &out)
				checkVerdict(t, &c, &out)
			}
		})
	}
}

func checkVerdict(t *testing.T, c *validationCase, out *Outcome) {
	t.Helper()
	if c.Expect == "valid" {
		if out.Kind != Ping || !bytes.Equal(out.Body, c.Ping) {
			t.Fatalf("got %s %q", out.Kind, out.Message)
		}
		return
	}
	first := c.Violations[0]
	want := fmt.Sprintf("schema: %s version: 4 validation error: %s at /%s", c.DocType, first.Keyword, first.Path)
	if out.Kind != Error || out.Class != ClassJSON || !strings.HasPrefix(out.Message+": ", want+": ") {
		t.Fatalf("got %s %q, want %q", out.Kind, out.Message, want)
	}
}
