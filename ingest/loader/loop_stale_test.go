package loader

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestOldListings: after a restart the newest loads are in no listing. Their segments are neither lost nor decoded twice, and
// duplicates of their submissions are found.
func TestOldListings(t *testing.T) {
	var log bytes.Buffer
	b := &storetest.OldListings{Bucket: store.NewMemory()}
	s := sitetest.Memory(t, b)
	s.Sharing = &site.Sharing{Holder: "one", TTL: time.Hour, Now: time.Now}
	v := newService(t, s)
	v.opts.Log, v.opts.ArchiveBytes = slog.New(slog.NewTextHandler(&log, nil)), 100<<10
	_, all := population(t, 12, 1)
	part := len(all) / 3
	b.Freeze(t) // of an empty bucket
	for i := range 3 {
		v.start()
		v.send(all[i*part : (i+1)*part])
		if i > 0 {
			again := slices.Clone(all[(i-1)*part : i*part])
			for j := range again {
				own := *again[j]
				own.Timestamp, again[j] = v.clock.Now().UnixNano()+int64(j), &own
			}
			v.send(again)
		}
		v.finish()
		if i == 1 {
			b.Freeze(t)
		}
	}
	require.Contains(t, log.String(), "a listing of the archive is an old one")
	for _, bad := range []string{"lost", "damaged", "decoding failed"} {
		require.NotContains(t, log.String(), bad)
	}
	preserved, err := filepath.Glob(filepath.Join(v.dir, "*.damaged"))
	require.NoError(t, err)
	require.Empty(t, preserved)
	damaged, err := spool.ListDamaged(v.dir)
	require.NoError(t, err)
	require.Empty(t, damaged)
	b.Thaw()
	got, _ := pingsOf(t, s)
	require.NotEmpty(t, got)
	for id, n := range got {
		require.Equal(t, 1, n, "document %s", id)
	}
	whole := newService(t, sitetest.Memory(t, store.NewMemory()))
	whole.start()
	whole.send(all[:3*part])
	whole.finish()
	want, _ := pingsOf(t, whole.site)
	require.Equal(t, want, got)
	require.Equal(t, rejectedOf(t, whole.site), rejectedOf(t, s))
}

// rejectedOf counts the rejected submissions by class.
func rejectedOf(t *testing.T, s *site.Site) map[string]int {
	t.Helper()
	counts := map[string]int{}
	days, err := archive.ErrorDays(t.Context(), s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		e, err := archive.OpenErrors(t.Context(), s.Archive, d.Day)
		require.NoError(t, err)
		for r, err := range e.All(t.Context()) {
			require.NoError(t, err)
			if r.Class != classDuplicate {
				counts[r.Class]++
			}
		}
	}
	return counts
}
