package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// older makes of an archive what an older version of the program would have left:
// no index, and records without checksums.
func older(t *testing.T, b store.Bucket) {
	t.Helper()
	require.NoError(t, store.DeleteTree(ctx, b, naming.Index))
	names, err := Loads(ctx, b, "")
	require.NoError(t, err)
	for _, name := range names {
		l, _, err := Loaded(ctx, b, name)
		require.NoError(t, err)
		for _, files := range [][]LoadFile{l.Files, l.Rewrote} {
			for i := range files {
				files[i].SHA256, files[i].Footer = "", nil
			}
		}
		data, err := json.Marshal(l)
		require.NoError(t, err)
		require.NoError(t, store.WriteFile(ctx, b, naming.Record(name), append(data, '\n')))
	}
}

// index lists the names in the index.
func index(t *testing.T, b store.Bucket) (names []string) {
	t.Helper()
	for e, err := range b.List(ctx, naming.Index+"/") {
		require.NoError(t, err)
		names = append(names, strings.TrimPrefix(e.Name, naming.Index+"/"))
	}
	return names
}

// TestOlderArchive reads an archive of an older version, finds what is lost in it
// before and after it is brought into the index, and writes to it.
func TestOlderArchive(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		load(t, b, "x", Options{}, plain(10, 100))
		load(t, b, "y", Options{}, plain(10, 100))
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		file := "pings/v1/submission_date_obj=20180604/doc_type=main/x-000001.parquet"
		w.Replace(file)
		if _, err := w.Close(ctx, "re-x"); err != nil {
			t.Fatal(err)
		}
		want := index(t, b)
		older(t, b)
		d, err := OpenDay(ctx, b, "20180604", "main")
		if err != nil || d.Rows() != 10 {
			t.Fatal(d, err)
		}
		if rows := visible(t, b); rows != 10 {
			t.Errorf("%d rows can be read", rows)
		}
		left := "pings/v1/submission_date_obj=20180604/doc_type=main/y-000001.parquet"
		data, err := store.ReadFile(ctx, b, left)
		require.NoError(t, err)
		for range 2 { // without the index, and with it
			require.NoError(t, b.Delete(ctx, left))
			if _, err := OpenDay(ctx, b, "20180604", "main"); !IsDamage(err) {
				t.Errorf("without the only file: %v", err)
			}
			require.NoError(t, store.WriteFile(ctx, b, left, data))
			require.NoError(t, EnsureIndex(ctx, b))
		}
		if got := index(t, b); !slices.Equal(got, want) {
			t.Errorf("the index is %v, want %v", got, want)
		}
	})
}

// TestRecordSum changes single bits of a record: it is found out, or says the same.
func TestRecordSum(t *testing.T) {
	b := store.NewMemory()
	load(t, b, "x", Options{Requests: 3}, plain(10, 100))
	whole, err := store.ReadFile(ctx, b, naming.Record("x"))
	require.NoError(t, err)
	want, _, err := Loaded(ctx, b, "x")
	require.NoError(t, err)
	for i := range whole {
		for bit := range 8 {
			bad := bytes.Clone(whole)
			bad[i] ^= 1 << bit
			require.NoError(t, store.WriteFile(ctx, b, naming.Record("x"), bad))
			got, _, err := Loaded(ctx, b, "x")
			var found *recordError
			if err != nil && !errors.As(err, &found) {
				t.Fatal(err)
			}
			if err == nil && (got.Requests != want.Requests || len(got.Files) != 1 || got.Files[0].Name != want.Files[0].Name ||
				got.Files[0].Rows != 10) {
				t.Fatalf("byte %d, bit %d: %s", i, bit, bad)
			}
		}
	}
}
