package sitetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Snapshots returns an installation with the tables of snapshots and, of some days, a main ping of each client:
// client-0 and so on.
func Snapshots(t testing.TB, clients int, days ...string) *site.Site {
	s := Local(t)
	s.Tables = nil
	for _, table := range schema.NewSet(s.Probes).Tables {
		if table.Snapshots != nil {
			s.Tables = append(s.Tables, table)
		}
	}
	w, err := archive.NewWriter(t.Context(), s.Archive, archive.Options{})
	require.NoError(t, err)
	for _, day := range days {
		start, err := job.ParseDay(day)
		require.NoError(t, err)
		for i := range clients {
			id := fmt.Sprintf("client-%d", i)
			var m ping.Meta
			for f, text := range map[ping.MetaField]string{
				ping.DocumentID: day + id, ping.SubmissionDate: day, ping.AppName: "Firefox", ping.SourceVersion: "4",
				ping.DocTypeField: "main", ping.ClientID: id, ping.NormalizedChannel: "release",
			} {
				m.SetString(f, text)
			}
			m.SetInt(ping.Timestamp, start.UnixNano()+int64(i))
			m.SetInt(ping.SampleID, ping.SampleOf([]byte(id)))
			body := fmt.Sprintf(`{"payload":{"info":{"subsessionStartDate":"%sT00:00:00.0+01:00","profileSubsessionCounter":%d,"reason":"daily"}}}`,
				start.Format(time.DateOnly), i)
			require.NoError(t, w.Append(&m, []byte(body)))
		}
	}
	_, err = w.Close(t.Context(), "days0000000000000001")
	require.NoError(t, err)
	return s
}
