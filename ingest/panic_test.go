package ingest

import (
	"strings"
	"testing"

	"github.com/pingmill/pingmill/ping"
)

// TestDecodePanics: a submission on which the decoder panics is rejected, and the
// next one is decoded.
func TestDecodePanics(t *testing.T) {
	d := newDecoder(t, DefaultConfig())
	sound := d.unpacker
	s := Submission{
		URI: []byte("/submit/telemetry/a/main/Firefox/60/nightly/1"), RemoteAddr: []byte("192.0.2.7"), Timestamp: 1,
		Body: []byte(`{"version":4}`),
	}
	var out Outcome
	d.unpacker = unpacker{} // a division by zero
	d.Decode(&s, &out)
	if out.Kind != Error || out.Class != ClassInternal || !strings.HasPrefix(out.Message, "panic: ") ||
		!strings.Contains(out.Message, "unpack") {
		t.Errorf("%s %q", out.Class, out.Message)
	}
	if at, ok := out.Meta.Int(ping.Timestamp); !ok || at != 1 || string(out.Meta.Text(ping.DocTypeField)) != "main" {
		t.Errorf("metadata %s", out.Meta.AppendJSON(nil))
	}
	if strings.Contains(out.Message, "192.0.2.7") || len(out.Message) > 5000 {
		t.Errorf("message %q", out.Message)
	}
	d.unpacker = sound
	if d.Decode(&s, &out); strings.Contains(out.Message, "panic") {
		t.Errorf("%s %q", out.Class, out.Message)
	}
}
