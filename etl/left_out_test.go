package etl

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table"
)

// bodyPings puts main pings with the given documents into an archive.
func bodyPings(t testing.TB, b store.Bucket, bodies ...string) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	require.NoError(t, err)
	for i, body := range bodies {
		var m ping.Meta
		for f, v := range map[ping.MetaField]string{
			ping.DocumentID: "d", ping.ClientID: "c", ping.SubmissionDate: sitetest.Day,
			ping.AppName: "Firefox", ping.SourceVersion: "4", ping.DocTypeField: "main",
		} {
			m.SetString(f, v)
		}
		m.SetInt(ping.SampleID, ping.SampleOf([]byte("c")))
		m.SetInt(ping.Timestamp, 1519862400000000000+int64(i))
		require.NoError(t, w.Append(&m, []byte(body)))
	}
	if _, err := w.Close(context.Background(), "load0000000000000001"); err != nil {
		t.Fatal(err)
	}
}

// The report of a run lists what it leaves out, and so does the ledger.
func TestLeftOut(t *testing.T) {
	long := `"` + strings.Repeat("x", table.MaxText+1) + `"`
	pings := store.NewMemory()
	bodyPings(t, pings,
		`{"environment":{"settings":{"locale":`+long+`},"system":{"os":{"name":`+long+`}}}}`,
		`{"environment":{"settings":{"locale":`+long+`}}}`)
	s := sitetest.Memory(t, pings)
	const want = "locale 2, os 1"
	for _, u := range mustRun(t, s, RunOptions{Tables: []string{"clients_daily"}}).Units {
		w := want
		if u.Table != "main_summary" {
			w = ""
		}
		if got := LeftOut(u.Result); got != w {
			t.Errorf("%s left out %q, want %q", u.Unit, got, w)
		}
	}
	made, err := s.Ledger.Committed(context.Background(), job.Filter{Table: "main_summary", From: sitetest.Day, To: sitetest.Day})
	if err != nil || len(made) != 1 || LeftOut(made[0].Result) != want {
		t.Errorf("ledger: %+v, %v", made, err)
	}
}

func TestLeftOutText(t *testing.T) {
	l := leftOut{"a": 1, "b": 3, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1}
	if got, want := LeftOutText(l), "b 3, a 1, c 1, d 1, e 1, 2 other columns"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if LeftOutText(nil)+(leftOut{}).output() != "" {
		t.Error("nothing left out is not told as nothing")
	}
}
