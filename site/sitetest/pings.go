package sitetest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Pings puts a small day of main and crash pings into an archive.
func Pings(t testing.TB, b store.Bucket, seed uint64, n int) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(seed, 1))
	start, err := job.ParseDay(Day)
	require.NoError(t, err)
	for i := range n {
		var m ping.Meta
		m.SetString(ping.DocumentID, fmt.Sprintf("%08x-0000-4000-8000-%012x", seed, i))
		m.SetString(ping.SubmissionDate, Day)
		m.SetString(ping.AppName, "Firefox")
		m.SetString(ping.SourceVersion, "4")
		m.SetInt(ping.Timestamp, start.UnixNano()+r.Int64N(int64(24*time.Hour)))
		docType := "main"
		if i%10 == 9 {
			docType = "crash"
		}
		m.SetString(ping.DocTypeField, docType)
		if i%50 != 0 {
			id := fmt.Sprintf("client-%d", r.IntN(n/3+1))
			m.SetString(ping.ClientID, id)
			m.SetInt(ping.SampleID, ping.SampleOf([]byte(id)))
		}
		body := testBody(r, docType)
		if i%97 == 96 {
			body = `[]` // never a row: not an object
		}
		require.NoError(t, w.Append(&m, []byte(body)))
	}
	if _, err := w.Close(context.Background(), fmt.Sprintf("load%016x", seed)); err != nil {
		t.Fatal(err)
	}
}

func testBody(r *rand.Rand, docType string) string {
	if docType == "crash" {
		return `{"version":4,"payload":{"crashDate":"2018-03-01","metadata":{"a":"b"}},"application":{"name":"Firefox"}}`
	}
	var addons []string
	for i := range r.IntN(3) {
		addons = append(addons, fmt.Sprintf(`"addon%d@example.com":{"name":"A","isSystem":true}`, i))
	}
	return fmt.Sprintf(`{"version":4,"environment":{"addons":{"activeAddons":{%s}},"settings":{"locale":"de"}},
"payload":{"info":{"subsessionLength":%d,"subsessionCounter":%d},"keyedHistograms":{"SEARCH_COUNTS":{"google.urlbar":{"sum":%d}}},
"histograms":{"GC_MAX_PAUSE_MS_2":{"values":{"1":2,"%d":1}}}}}`,
		strings.Join(addons, ","), r.IntN(5000), 1+r.IntN(3), r.IntN(4), 100+r.IntN(900))
}

// DayPings puts a few main and crash pings of each day into an archive.
func DayPings(t testing.TB, b store.Bucket, seed uint64, perDay int, days ...string) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(seed, 2))
	for _, day := range days {
		start, err := job.ParseDay(day)
		require.NoError(t, err)
		for i := range perDay {
			var m ping.Meta
			m.SetString(ping.DocumentID, fmt.Sprintf("%s-%d-%d", day, seed, i))
			m.SetString(ping.SubmissionDate, day)
			m.SetString(ping.AppName, "Firefox")
			m.SetString(ping.SourceVersion, "4")
			m.SetInt(ping.Timestamp, start.UnixNano()+int64(i)*int64(time.Minute))
			docType := "main"
			if i == 0 {
				docType = "crash"
			}
			m.SetString(ping.DocTypeField, docType)
			id := fmt.Sprintf("client-%d", r.IntN(max(3, perDay/2)))
			m.SetString(ping.ClientID, id)
			m.SetInt(ping.SampleID, ping.SampleOf([]byte(id)))
			require.NoError(t, w.Append(&m, []byte(testBody(r, docType))))
		}
	}
	if _, err := w.Close(context.Background(), fmt.Sprintf("days%016x", seed)); err != nil {
		t.Fatal(err)
	}
}

// PingLines returns decoded main pings with the ids from to to, one a line.
func PingLines(day string, from, to int) []byte {
	var b bytes.Buffer
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, `{"meta":{"documentId":"%08x-0000-4000-8000-000000000000","docType":"main","submissionDate":%q},"ping":{"n":%d}}`+"\n", i,
			day, i)
	}
	return b.Bytes()
}
