package etl

import (
	"bytes"
	"compress/gzip"
	"context"
	"testing"
	"time"

	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/store"
)

// TestMentionsBounded: a packed body is searched as far as it would be unpacked,
// and no further; not at all when there is no time.
func TestMentionsBounded(t *testing.T) {
	const id = "0a1b2c3d-1111-4222-8333-444455556666"
	s := memorySite(t, store.NewMemory())
	if err := s.Forgotten.Record(t.Context(), forget.Request{Name: "q", Time: time.Unix(1, 0), Source: forget.Operator, Clients: []string{id}}); err != nil {
		t.Fatal(err)
	}
	set, err := s.Forgotten.Set(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	limits := ingest.Config{MaxBody: 3 << 20}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		before int
		ctx    context.Context
		want   bool
	}{
		{0, t.Context(), true}, {3<<20 - len(id), t.Context(), true}, {3<<20 - len(id) + 1, t.Context(), false},
		{1 << 30, t.Context(), false}, {0, ended, false},
	} {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		blanks := bytes.Repeat([]byte(" "), 1<<20)
		for n := c.before; n > 0; n -= len(blanks) {
			_, _ = z.Write(blanks[:min(n, len(blanks))]) // into memory
		}
		_, _ = z.Write([]byte(id))
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if got := ingest.Mentions(c.ctx, set.In, packed.Bytes(), nil, limits); got != c.want {
			t.Errorf("behind %d bytes: %v", c.before, got)
		}
	}
}
