package sitetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// Contents returns the hash of every object of the lake, by root and name, without the lists of columns in buckets, which
// no reader needs.
func Contents(t testing.TB, s *site.Site) map[string]string {
	t.Helper()
	all := map[string]string{}
	for root, b := range s.Roots {
		for e, err := range b.List(context.Background(), "") {
			require.NoError(t, err)
			if strings.HasPrefix(e.Name, "_columns/") {
				continue
			}
			data, err := store.ReadFile(context.Background(), b, e.Name)
			require.NoError(t, err)
			sum := sha256.Sum256(data)
			all[root.String()+"/"+e.Name] = hex.EncodeToString(sum[:])
		}
	}
	return all
}

func SameContents(t testing.TB, got, want map[string]string) {
	t.Helper()
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s: %q, want %q", name, got[name], sum)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: should not be there", name)
		}
	}
}

// RowsOf reads all rows of a table's day as JSON. A site of tests keeps no replaced
// files: when another generation takes the place of the one that is read, that is read.
func RowsOf(t *testing.T, s *site.Site, name, day string) []map[string]any {
	t.Helper()
	lt, err := s.Table(name)
	require.NoError(t, err)
	m, err := lt.Partition(context.Background(), day)
	require.NoError(t, err)
	for {
		rows, err := rowsOf(lt, m)
		now, errNow := lt.Partition(context.Background(), day)
		require.NoError(t, errNow)
		if err == nil || now.Generation == m.Generation {
			require.NoError(t, err)
			return rows
		}
		m = now
	}
}

func rowsOf(t *lake.Table, m *lake.Manifest) (rows []map[string]any, err error) {
	b := column.NewBatch(t.Schema.Columns)
	for _, f := range m.Files {
		if err := t.Read(context.Background(), m.Day, t.Path(m.Day, f.Name), f, b, func() error {
			w := column.NewRowWriter(b)
			for range b.Rows {
				d := json.NewDecoder(bytes.NewReader(w.AppendRow(nil)))
				d.UseNumber()
				var row map[string]any
				if err := d.Decode(&row); err != nil {
					return err
				}
				rows = append(rows, row)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// PingsOf returns all pings of an archive with their metadata, sorted.
func PingsOf(t testing.TB, b store.Bucket) (all []string) {
	t.Helper()
	days, err := archive.Days(context.Background(), b)
	require.NoError(t, err)
	for _, i := range days {
		d, err := archive.OpenDay(context.Background(), b, i.Day, i.DocType)
		require.NoError(t, err)
		for p, err := range d.Pings(context.Background(), 0, 100) {
			require.NoError(t, err)
			all = append(all, string(i.Day)+string(p.Meta.AppendJSON(nil))+string(p.Body))
		}
	}
	slices.Sort(all)
	return all
}

func CopyTree(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, os.CopyFS(to, os.DirFS(from)))
}
