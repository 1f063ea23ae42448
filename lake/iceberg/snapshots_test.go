package iceberg

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestFollowSnapshots: the Iceberg table of a table of snapshots has no partitions, and the files of the newest snapshot that can
// be read. The table that it is made from has none.
func TestFollowSnapshots(t *testing.T) {
	s, c := sitetest.Snapshots(t, 1000, "20180301", "20180302"), &testClock{sitetest.At(9)}
	f := follower(t, s, c, catalog.Config{Kind: catalog.SQL, URI: "sqlite://" + filepath.Join(t.TempDir(), "catalog.db")})
	require.Empty(t, follow(t, f, Options{})[0].Days)
	// files returns the files that a snapshot of the catalog names, and the number of clients in them.
	check := func(day string) {
		t.Helper()
		lt, err := s.Table("longitudinal")
		require.NoError(t, err)
		m, err := lt.Partition(t.Context(), day)
		require.NoError(t, err)
		require.Positive(t, m.Rows)
		p, err := placeOf(lt.Bucket())
		require.NoError(t, err)
		var want []string
		for _, file := range p.dataFiles(t.Context(), lt, m) {
			want = append(want, file.location)
		}
		base := load(t, f, "longitudinal")
		require.Empty(t, base.Spec().Fields)
		all := named(t, f, "longitudinal", nil)
		require.Len(t, all, 1)
		var got []string
		var rows int64
		for _, file := range all["<nil>"] {
			require.Empty(t, file.Partition)
			got, rows = append(got, file.Path), rows+file.Rows
		}
		require.Equal(t, m.Rows, rows)
		require.ElementsMatch(t, want, got)
	}
	snapshot := func(day string) {
		etltest.Run(t, s, etl.RunOptions{Tables: []string{"longitudinal"}, Days: []string{day}})
	}
	snapshot("20180301")
	r := follow(t, f, Options{})
	require.Len(t, r, 1, "longitudinal_pings is not for queries")
	require.Equal(t, []string{"20180301"}, r[0].Days)
	check("20180301")
	snapshot("20180302")
	r = follow(t, f, Options{})
	require.Equal(t, []string{"20180301", "20180302"}, r[0].Days)
	require.NotZero(t, r[0].Removed)
	check("20180302")
	for _, whole := range []bool{false, true} {
		require.False(t, follow(t, f, Options{Whole: whole})[0].Committed())
	}

	// The newest one cannot be read: the table stays as it is.
	lt, err := s.Table("longitudinal")
	require.NoError(t, err)
	name := "longitudinal/v20180302/_manifest.json"
	text, err := store.ReadFile(t.Context(), lt.Bucket(), name)
	require.NoError(t, err)
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), name, []byte("{")))
	require.False(t, follow(t, f, Options{Whole: true})[0].Committed())
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), name, text))
	check("20180302")
}
