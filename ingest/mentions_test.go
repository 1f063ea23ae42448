package ingest

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMentionsBounded: a packed body is searched as far as it would be unpacked,
// and no further; not at all when there is no time.
func TestMentionsBounded(t *testing.T) {
	id := strings.Repeat("0a1b2c3d-", 32) // packed, it is not there in one piece
	in := func(text []byte) bool { return bytes.Contains(text, []byte(id)) }
	limits := Config{MaxBody: 3 << 20}
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
		require.NoError(t, err)
		blanks := bytes.Repeat([]byte(" "), 1<<20)
		for n := c.before; n > 0; n -= len(blanks) {
			_, _ = z.Write(blanks[:min(n, len(blanks))]) // into memory
		}
		_, _ = z.Write([]byte(id))
		require.NoError(t, z.Close())
		if got := Mentions(c.ctx, in, packed.Bytes(), nil, limits); got != c.want {
			t.Errorf("behind %d bytes: %v", c.before, got)
		}
	}
}
