package loader

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/generate"
)

// gleanDefinitions returns those of the generated population, without parts of the file of metrics.
func gleanDefinitions(t testing.TB, without ...string) glean.Definitions {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, generate.WriteDefinitions(dir))
	file := filepath.Join(dir, "browser", "metrics.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, part := range without {
		require.Contains(t, string(text), part)
		text = []byte(strings.Replace(string(text), part, "", 1))
	}
	require.NoError(t, os.WriteFile(file, text, 0o600))
	defs, err := glean.ReadAll([]string{dir}, nil)
	require.NoError(t, err)
	return defs
}

// gleanPopulation returns the Glean submissions of a population, and the numbers of rows that they give by table.
func gleanPopulation(t testing.TB, clients, days int) (all []*spool.Record, rows map[string]int) {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 3, Clients: clients, Days: days, Gzip: true, MeanBytes: 16_000, Duplicates: 0.05,
		Glean: true})
	require.NoError(t, err)
	rows = map[string]int{}
	for s := range g.Submissions() {
		if _, is := s.Header("X-Telemetry-Agent"); !is {
			continue
		}
		all = append(all, spoolRecord(s))
		if s.Fate == generate.Accepted {
			application, _, _ := strings.Cut(string(s.DocType), "/")
			z, err := gzip.NewReader(bytes.NewReader(s.Body))
			require.NoError(t, err)
			body, err := io.ReadAll(z)
			require.NoError(t, err)
			rows[glean.TableName(application)+"_events_stream "+string(ping.DayOf(s.Timestamp))] += bytes.Count(body, []byte(`"category":`))
			rows[glean.TableName(strings.Split(string(s.DocType), "/")...)+" "+string(ping.DayOf(s.Timestamp))]++
		}
	}
	return all, rows
}

// withGlean adds the tables of Glean pings to an installation.
func withGlean(s *site.Site, defs glean.Definitions) *site.Site {
	s.Tables = slices.DeleteFunc(s.Tables, func(st *schema.Table) bool { return strings.HasPrefix(st.Made, "glean ") })
	s.Tables = append(s.Tables, defs.Tables()...)
	return s
}

// liveGlean returns a service whose Glean tables are live.
func liveGlean(t *testing.T, s *site.Site, defs glean.Definitions) *service {
	v := liveService(t, withGlean(s, defs))
	v.opts.Live.Tables = []string{"main_summary", live.Glean}
	v.opts.Decode.Glean = ingest.Glean{Applications: []string{"*"}, InfoSections: func(app, docType string) ingest.InfoSections {
		if has, known := defs.InfoSections(app, docType); known && !has {
			return ingest.WithoutInfo
		}
		return ingest.WithInfo
	}}
	return v
}

// TestLiveGlean: rows of all Glean tables are visible while their day lasts, each once, also after kills and in a bucket. The
// day is then made as if there had been none.
func TestLiveGlean(t *testing.T) {
	defs := gleanDefinitions(t)
	records, want := gleanPopulation(t, 60, 2)
	first := slices.IndexFunc(records, func(r *spool.Record) bool { return time.Unix(0, r.Timestamp).UTC().Day() == 2 })
	for name, s := range map[string]*site.Site{"disk": sitetest.Local(t), "bucket": sitetest.Memory(t, store.NewMemory())} {
		t.Run(name, func(t *testing.T) {
			v := liveGlean(t, s, defs)
			v.opts.ArchiveBytes = 16 << 10
			v.start()
			v.send(records[:first])
			tables := []string{"firefox_desktop_baseline", "firefox_desktop_events", "firefox_desktop_metrics", "firefox_desktop_usage_reporting",
				"org_example_browser_baseline", "firefox_desktop_events_stream"}
			t.Cleanup(func() {
				for _, table := range tables {
					if m := partition(t, s, table, "20180301"); t.Failed() && m != nil {
						t.Logf("%s: want %d: %+v", table, want[table+" 20180301"], m)
					}
				}
			})
			sitetest.WaitFor(t, "live rows", func() bool {
				v.clock.Ns.Add(int64(time.Second))
				return !slices.ContainsFunc(tables, func(table string) bool {
					m := partition(t, s, table, "20180301")
					return m == nil || int(m.Rows) != want[table+" 20180301"]
				})
			})
			for _, table := range tables {
				m := partition(t, s, table, "20180301")
				assert.NotNil(t, m.Live, table)
				assert.Nil(t, m.Parts, table)
			}
			v.send(records[first:])
			v.clock.Set(time.Date(2018, 3, 3, 0, 1, 0, 0, time.UTC).UnixNano())
			v.finish()
			rows := map[string][]string{}
			for _, table := range tables {
				rows[table] = rowTexts(t, s, table, "20180301")
				for _, row := range rows[table] { // the definitions know all that is generated
					assert.True(t, strings.Contains(row, `"additional_properties":null`) || strings.HasSuffix(table, "stream"), "%s: %s", table, row)
				}
			}
			v.round()
			for _, table := range tables {
				m := partition(t, s, table, "20180301")
				require.Nil(t, m.Live, table)
				require.NotEmpty(t, m.Parts, table)
				assert.Equal(t, rowTexts(t, s, table, "20180301"), rows[table], table)
			}
		})
	}
}

// TestLiveGleanChanges: while a day lasts its rows follow the removal of a client by its id in telemetry, and a metric that comes
// to the definitions: rows have its values from then on, those before as what has no column.
func TestLiveGleanChanges(t *testing.T) {
	const table, more = "firefox_desktop_baseline", `  uri_count:
    type: counter
    description: Pages that were loaded.
    send_in_pings: [baseline, usage-reporting]
`
	ping := func(n int) *spool.Record {
		body := baseline(fmt.Sprintf("44f8f368-3219-41d5-b94a-%012d", n), sitetest.ClientOf(n))
		return gleanRecord("baseline", n, strings.Replace(body, `"metrics":{`, `"metrics":{"counter":{"browser.engagement.uri_count":7},`, 1))
	}
	s := sitetest.Local(t)
	v := liveGlean(t, s, gleanDefinitions(t, more))
	// await waits for as many rows as there are matches, each a document and what its row has in one of its forms.
	await := func(what string, match ...string) {
		t.Helper()
		defer func() {
			if t.Failed() {
				m := partition(t, s, table, sitetest.Day)
				t.Logf("clock %v, partition %+v, rows %q", v.clock.Now(), m, rowTexts(t, s, table, sitetest.Day))
			}
		}()
		sitetest.WaitFor(t, what, func() bool {
			v.clock.Ns.Add(int64(3 * time.Second))
			if m := partition(t, s, table, sitetest.Day); m == nil || int(m.Rows) != len(match) {
				return false
			}
			rows := rowTexts(t, s, table, sitetest.Day)
			return len(rows) == len(match) && !slices.ContainsFunc(match, func(want string) bool {
				return !slices.ContainsFunc(rows, func(row string) bool {
					document, forms, _ := strings.Cut(want, " ")
					return strings.Contains(row, document) &&
						slices.ContainsFunc(strings.Split(forms, " or "), func(has string) bool { return strings.Contains(row, has) })
				})
			})
		})
	}
	const has = `"browser_engagement_uri_count":7`
	const waits, column = `000%d {\"metrics\":{\"counter\":{\"browser.engagement.uri_count\":7}}}`, `000%d ` + has
	v.start()
	v.send([]*spool.Record{ping(1), ping(2)})
	await("rows of pings", fmt.Sprintf(waits, 1), fmt.Sprintf(waits, 2))
	v.finish()

	all := gleanDefinitions(t)
	next := liveGlean(t, s, all)
	next.dir, next.clock = v.dir, v.clock
	v = next
	v.start()
	v.send([]*spool.Record{ping(3), ping(4)})
	await("rows with the metric", fmt.Sprintf(waits, 1), fmt.Sprintf(waits, 2), fmt.Sprintf(column, 3), fmt.Sprintf(column, 4))
	for _, n := range []int{1, 3} {
		sitetest.AskToForget(t, s, fmt.Sprint("r", n), v.clock.Now(), sitetest.ClientOf(n))
	}
	sitetest.WaitFor(t, "the requests are finished", func() bool {
		v.clock.Ns.Add(int64(time.Minute))
		_, err := erase.Run(t.Context(), s, forgetOptions())
		require.True(t, err == nil || errors.Is(err, job.ErrInUse), "%v", err)
		return err == nil && sitetest.Pending(t, s) == 0
	})
	v.send([]*spool.Record{ping(5)})
	// A removal between two looks at the archive has the rows made again from it, with today's columns.
	await("rows without the forgotten", fmt.Sprintf(waits+" or "+has, 2), fmt.Sprintf(column, 4), fmt.Sprintf(column, 5))
	v.clock.Set(sitetest.Arrival.Add(12*time.Hour + time.Minute).UnixNano())
	v.finish()
	v.round()
	await("the day", fmt.Sprintf(column, 2), fmt.Sprintf(column, 4), fmt.Sprintf(column, 5))
}
