package archive

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestRewriteListings removes one after the other the document types of two
// days. All that lists days says the same.
func TestRewriteListings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		types := map[ping.Day][]ping.DocType{"20180601": {"crash", "main", "opt/out"}, "20180602": {"main"}}
		var all []sample
		for day, dayTypes := range types {
			for _, docType := range dayTypes {
				for _, s := range plain(10, 50) {
					s.meta.SetString(ping.SubmissionDate, string(day))
					s.meta.SetString(ping.DocTypeField, string(docType))
					all = append(all, s)
				}
			}
		}
		load(t, b, "x", Options{}, all)
		n := 0
		for _, day := range []ping.Day{"20180601", "20180602"} {
			for len(types[day]) > 0 {
				before, err := States(ctx, b, "")
				require.NoError(t, err)
				docType := types[day][0]
				types[day] = types[day][1:]
				n++
				o := RewriteOptions{Load: fmt.Sprintf("re-%d", n), Drop: func(*ping.Meta) bool { return true }}
				if got, err := RewriteDay(ctx, b, day, docType, o); err != nil || got.Rows != 10 {
					t.Fatalf("%+v, %v", got, err)
				}
				checkListings(t, b, types)
				if after, err := States(ctx, b, ""); err != nil || after[day] == before[day] {
					t.Errorf("the state of %s stays, %v", day, err)
				}
			}
		}
	})
}

// checkListings checks that the archive has these document types of days.
func checkListings(t *testing.T, b store.Bucket, types map[ping.Day][]ping.DocType) {
	t.Helper()
	var infos []DayInfo
	var days []ping.Day
	for _, day := range slices.Sorted(maps.Keys(types)) {
		got, err := DocTypes(ctx, b, day)
		if err != nil || !slices.Equal(got, types[day]) {
			t.Errorf("%s has %q instead of %q, %v", day, got, types[day], err)
		}
		for _, docType := range types[day] {
			d, err := OpenDay(ctx, b, day, docType)
			require.NoError(t, err)
			infos = append(infos, DayInfo{Day: day, DocType: docType, Files: 1, Rows: 10, Bytes: d.Bytes(), Raw: d.RawBytes()})
		}
		if len(types[day]) > 0 {
			days = append(days, day)
		}
	}
	if got, err := Days(ctx, b); err != nil || !slices.Equal(got, infos) {
		t.Errorf("days are %+v, %v", got, err)
	}
	states, err := States(ctx, b, "")
	if got := slices.Sorted(maps.Keys(states)); err != nil || !slices.Equal(got, days) {
		t.Errorf("states of %q instead of %q, %v", got, days, err)
	}
}

// TestStatesEmptyFolder does not take a folder without files for a day.
func TestStatesEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	b, err := store.OpenLocal(dir)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(mainDay.dir())), 0o700))
	if states, err := States(ctx, b, ""); err != nil || len(states) != 0 {
		t.Errorf("states: %v, %v", states, err)
	}
}
