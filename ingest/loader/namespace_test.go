package loader

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// otherNamespaces puts before each record one as another program would send it:
// the same document, by the path of another namespace.
func otherNamespaces(t testing.TB, all []*spool.Record) (both []*spool.Record) {
	t.Helper()
	for i, r := range all {
		seg := strings.Split(string(r.URI), "/")
		if len(seg) < 5 || seg[2] != ping.Telemetry {
			both = append(both, r) // a bad path
			continue
		}
		o := *r
		namespace := []string{"other-browser", "thunderbird"}[i%2]
		o.URI = fmt.Appendf(nil, "/submit/%s/%s/4/%s", namespace, seg[4], seg[3])
		both = append(both, &o, r)
	}
	return both
}

// asLines returns records as load takes them.
func asLines(t testing.TB, all []*spool.Record) []byte {
	t.Helper()
	var b []byte
	for _, r := range all {
		headers := map[string]string{}
		for _, h := range r.Headers {
			headers[string(h.Name)] = string(h.Value)
		}
		line, err := json.Marshal(map[string]any{
			"uri": string(r.URI), "timestamp": r.Timestamp, "remoteAddr": string(r.RemoteAddr), "headers": headers,
			"body": base64.StdEncoding.EncodeToString(r.Body),
		})
		require.NoError(t, err)
		b = append(append(b, line...), '\n')
	}
	return b
}

// feeds returns the ways of records into an installation, by name.
func feeds(t *testing.T, records []*spool.Record) map[string]func(*site.Site) {
	return map[string]func(*site.Site){
		"load": func(s *site.Site) { mustLoad(t, s, asLines(t, records)) },
		"serve": func(s *site.Site) {
			v := newService(t, s)
			v.start()
			v.send(records)
			v.finish()
		},
	}
}

// rowsAndTypes makes all tables of all days, and counts their rows and the
// archive's pings.
func rowsAndTypes(t testing.TB, s *site.Site) (rows map[string]int64, pings map[ping.DocType]int64) {
	t.Helper()
	ctx := context.Background()
	days, err := archive.Days(ctx, s.Archive)
	require.NoError(t, err)
	rows, pings = map[string]int64{}, map[ping.DocType]int64{}
	o := etl.RunOptions{Now: time.Now}
	for _, d := range days {
		pings[d.DocType] += d.Rows
		o.Days = append(o.Days, string(d.Day))
	}
	slices.Sort(o.Days)
	o.Days = slices.Compact(o.Days)
	for _, st := range s.Tables {
		o.Tables = append(o.Tables, st.Name)
	}
	if _, err := etl.Run(ctx, s, o); err != nil {
		t.Fatal(err)
	}
	for _, st := range s.Tables {
		published, err := s.TableOf(st).Partitions(ctx)
		require.NoError(t, err)
		for _, m := range published {
			rows[st.Name] += m.Rows
		}
	}
	return rows, pings
}

// TestOtherNamespaces takes pings of other namespaces with the document types of
// the tables' pings. They are kept apart, and are no rows, whether they are
// loaded or come through a spool.
func TestOtherNamespaces(t *testing.T) {
	_, own := population(t, 60, 2)
	own = append(spoolRecords(sitetest.FromClients(3)), own...)
	both := otherNamespaces(t, own)
	alone := sitetest.Local(t)
	mustLoad(t, alone, asLines(t, own))
	want, wantPings := rowsAndTypes(t, alone)

	for name, feed := range feeds(t, both) {
		s := sitetest.Local(t)
		feed(s)
		got, pings := rowsAndTypes(t, s)
		for table, n := range want {
			if got[table] != n || n == 0 {
				t.Errorf("%s: %s has %d rows, without other namespaces %d", name, table, got[table], n)
			}
		}
		for docType, n := range wantPings {
			others := pings["other-browser/"+docType] + pings["thunderbird/"+docType]
			if pings[docType] != n || others < n {
				t.Errorf("%s: %d pings %s and %d of other namespaces, want %d and as many", name, pings[docType], docType, others, n)
			}
		}
	}
}

// TestTakes checks that a partition of an older archive, which has pings of all
// namespaces, gives rows of the table's own.
func TestTakes(t *testing.T) {
	s := sitetest.Local(t)
	for _, st := range s.Tables {
		if st.DocType == "" {
			continue
		}
		for namespace, want := range map[string]bool{"": true, "telemetry": true, "firefox-desktop": false, "Telemetry": false} {
			var m ping.Meta
			m.SetString(ping.DocTypeField, st.DocType)
			m.SetString(ping.AppName, "Firefox")
			m.SetString(ping.SourceVersion, "4")
			if namespace != "" {
				m.SetString(ping.SourceName, namespace)
			}
			if st.Takes(&m) != want {
				t.Errorf("%s: takes a ping of namespace %q: %v", st.Name, namespace, !want)
			}
		}
	}
}
