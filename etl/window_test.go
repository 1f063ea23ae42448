package etl_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

func runSnapshot(t *testing.T, s *site.Site, day string, workers int) job.Report {
	t.Helper()
	r, err := etl.Run(t.Context(), s, etl.RunOptions{
		Tables: []string{"longitudinal"}, Days: []string{day}, Workers: workers, Now: func() time.Time { return sitetest.Later },
	})
	require.NoError(t, err)
	return r
}

// TestSnapshot: a snapshot has the sampled clients of its window, each with its pings in order. A second one reuses the days
// that it has in common with the first one, and a run of a current one does nothing.
func TestSnapshot(t *testing.T) {
	const last = "20180531"
	s := sitetest.Snapshots(t, 1500, "20171129", "20171130", "20180301", last)
	sampled := 0
	for i := range 1500 {
		if ping.SampleOf(fmt.Appendf(nil, "client-%d", i)) == 42 {
			sampled++
		}
	}
	require.Positive(t, sampled)
	runSnapshot(t, s, last, 2)
	rows := sitetest.RowsOf(t, s, "longitudinal", last)
	require.Len(t, rows, sampled)
	for _, row := range rows {
		require.Equal(t, []any{"2018-05-31T00:00:00.000Z", "2018-03-01T00:00:00.000Z", "2017-11-30T00:00:00.000Z"}, row["submission_date"])
		require.Equal(t, []any{"daily", "daily", "daily"}, row["reason"])
	}
	again := runSnapshot(t, s, last, 1)
	require.True(t, again.Unchanged())

	r := runSnapshot(t, s, "20180302", 1)
	require.Equal(t, 2, r.Count(job.Committed), "the snapshot, and the day that the first one did not cover")
	require.Equal(t, []any{"2018-03-01T00:00:00.000Z", "2017-11-30T00:00:00.000Z", "2017-11-29T00:00:00.000Z"},
		sitetest.RowsOf(t, s, "longitudinal", "20180302")[0]["submission_date"])
}

// TestSnapshotBytes: the files do not depend on the number of workers.
func TestSnapshotBytes(t *testing.T) {
	var contents []map[string]string
	for _, workers := range []int{1, 4} {
		s := sitetest.Snapshots(t, 2000, "20180301", "20180302", "20180303")
		runSnapshot(t, s, "20180303", workers)
		contents = append(contents, sitetest.Contents(t, s))
	}
	sitetest.SameContents(t, contents[1], contents[0])
}

// TestReadable: values that cannot be read are null and do not keep a snapshot from being published; the check reports
// how many clients have some.
func TestReadable(t *testing.T) {
	const day = "20180301"
	s := sitetest.Snapshots(t, 500, day)
	w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{})
	require.NoError(t, err)
	var m ping.Meta
	for f, text := range map[ping.MetaField]string{
		ping.DocumentID: "bad", ping.SubmissionDate: day, ping.AppName: "Firefox", ping.SourceVersion: "4", ping.DocTypeField: "main",
		ping.ClientID: "odd",
	} {
		m.SetString(f, text)
	}
	m.SetInt(ping.SampleID, 42)
	require.NoError(t, w.Append(&m,
		[]byte(`{"payload":{"info":{"subsessionStartDate":"x","profileSubsessionCounter":1,"sessionLength":"long"}}}`)))
	_, err = w.Close(context.Background(), "days0000000000000002")
	require.NoError(t, err)
	runSnapshot(t, s, day, 1)
	notes := map[string]string{}
	_, err = etl.CheckDays(t.Context(), s, []string{"longitudinal"}, []string{day}, check.Options{}, func(all []check.Result) error {
		for _, r := range all {
			notes[r.Check.Name] = string(r.Verdict) + " " + r.Note
		}
		return nil
	})
	require.NoError(t, err)
	require.Regexp(t, `^failed 1 of \d+ clients have a value that cannot be read: session_length 1, subsession_start_date 1$`,
		notes["longitudinal_readable"])
	require.Equal(t, "passed ", notes["longitudinal_unique"])
}

// TestFirstDay: a window begins some calendar months before its last day.
func TestFirstDay(t *testing.T) {
	months := schema.Snapshots{Months: 6}
	for day, first := range map[string]string{"20180630": "20171230", "20180831": "20180228", "20160831": "20160229", "20180101": "20170701"} {
		require.Equal(t, first, months.First(day), day)
	}
}
