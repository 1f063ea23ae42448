package loader

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestFormatsBecomeNewer: an older decode loop commits nothing more, and keeps in its spool what it has taken.
func TestFormatsBecomeNewer(t *testing.T) {
	const name = "_format.json"
	g, records := population(t, 20, 2)
	want := loaded(t, g)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	v.start()
	v.send(records[:len(records)/2])
	require.NoError(t, store.WriteFile(t.Context(), s.Archive, name, []byte(`{"reads":1,"writes":2,"program":"1.7.0"}`)))
	v.send(records[len(records)/2:])
	close(v.stop)
	require.ErrorIs(t, <-v.ended, site.ErrFormat)
	total := 0
	for _, n := range want {
		total += n
	}
	require.Less(t, len(sitetest.PingsOf(t, s.Archive)), total)
	require.NoError(t, s.Archive.Delete(t.Context(), name)) // as for the newer program, which reads the spool then
	v.start()
	v.finish()
	sameCounts(t, "archive", archivedCounts(t, s), want)
}
