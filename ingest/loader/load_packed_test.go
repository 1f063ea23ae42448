package loader

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestLoadPacked archives compressed submissions as they came, with the same pings and rows as of plain ones.
func TestLoadPacked(t *testing.T) {
	all := sitetest.FromClients(60)
	var plain bytes.Buffer
	for _, s := range all {
		fmt.Fprintf(&plain, `{"uri":%q,"timestamp":%d,"remoteAddr":"10.1.2.3","headers":{"DNT":"1","Host":"incoming.example.com"},"body":%q}`+
			"\n",
			fmt.Sprintf("/submit/telemetry/%s/%s/Firefox/60.0/release/20180301000000", s.Id, s.DocType), s.At.UnixNano(),
			base64.StdEncoding.EncodeToString([]byte(s.Body)))
	}
	days := []string{"20180301", "20180302", "20180303"}
	a, b := sitetest.Memory(t, store.NewMemory()), sitetest.Memory(t, store.NewMemory())
	for _, c := range []struct {
		load   Loaded
		packed bool
	}{{mustLoad(t, a, sitetest.Lines(t, all)), true}, {mustLoad(t, b, plain.Bytes()), false}} {
		s := b
		if c.packed {
			s = a
		}
		l, _, err := archive.Loaded(context.Background(), s.Archive, c.load.Load)
		require.NoError(t, err)
		var rows [2]int64
		for _, f := range l.Files {
			if f.Packed {
				rows[1] += f.Rows
			} else {
				rows[0] += f.Rows
			}
		}
		if want := [2]int64{30, 30}; c.packed && rows != want || !c.packed && rows[0] != 60 {
			t.Errorf("packed %v: rows %v", c.packed, rows)
		}
		etltest.Run(t, s, etl.RunOptions{Tables: []string{"telemetry_new_profile_parquet"}, Days: days})
	}
	require.Equal(t, sitetest.PingsOf(t, b.Archive), sitetest.PingsOf(t, a.Archive))
	for _, day := range days {
		require.Equal(t, sitetest.RowsOf(t, b, "telemetry_new_profile_parquet", day), sitetest.RowsOf(t, a, "telemetry_new_profile_parquet", day))
	}
}
