package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/table/column"
)

const day = "20180301"

// allTables are those with a partition for each day.
var allTables = schema.Names(slices.DeleteFunc(schema.NewSet(&schema.Probes{}).Tables,
	func(t *schema.Table) bool { return t.Snapshots != nil }))

// doc is a ping of the test site.
type doc struct{ id, client, docType, app, body string }

const (
	searches = `{"version":4,"payload":{"keyedHistograms":{"SEARCH_COUNTS":{"google.urlbar":{"sum":3}}}},
"environment":{"addons":{"activeAddons":{"a@x":{"name":"A"},"b@x":{"name":"B"}}}}}`
	noSearches = `{"version":4}`
	absurd     = `{"version":4,"payload":{"keyedHistograms":{"SEARCH_COUNTS":{"google.urlbar":{"sum":20000}}}}}`
)

// docs returns a small day: clients with and without searches, add-ons and client id, applications that are not taken,
// and documents that are no object.
func docs() []doc {
	return []doc{
		{"m1", "c1", "main", "Firefox", searches},
		{"m2", "c1", "main", "Firefox", searches},
		{"m2", "c1", "main", "Firefox", searches}, // not de-duplicated
		{"m3", "c2", "main", "Firefox", noSearches},
		{"m4", "c3", "main", "Firefox", absurd},
		{"m5", "", "main", "Firefox", noSearches},
		{"m6", "c4", "main", "Fennec", noSearches},
		{"m7", "c5", "main", "Firefox", `[]`},
		{"k1", "c1", "crash", "Firefox", `{"version":4,"clientId":"c1","payload":{}}`},
		{"k2", "c1", "crash", "Firefox", `{"version":4,"clientId":"c1","payload":{}}`},
		{"k3", "c2", "crash", "Firefox", `{"version":4,"clientId":"c2","payload":{}}`},
		{"k4", "c2", "crash", "Fennec", `{"version":4,"clientId":"c2","payload":{}}`},
		{"n1", "c2", "new-profile", "Firefox", `{"version":4,"id":"n1","clientId":"c2"}`},
		{"u1", "c2", "update", "Firefox", `{"version":4,"id":"u1","clientId":"c2"}`},
		{"u2", "c3", "update", "Firefox", `{"version":4,"id":"u2","clientId":"c3"}`},
		{"e1", "c1", "event", "Firefox", `{"version":4,"payload":{"events":{"parent":[[1,"c","m","o"],[2,"c","m","o","v"]]}}}`},
		{"e2", "c2", "event", "Firefox", `{"version":4,"payload":{"events":{}}}`},
	}
}

func openSite(t testing.TB) *site.Site {
	t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	s, err := site.Open(context.Background(), filepath.Join(t.TempDir(), "data"), schema.NewSet(p))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// load adds pings of a day to the archive.
func load(t testing.TB, s *site.Site, name, day string, docs []doc) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{})
	require.NoError(t, err)
	start, err := job.ParseDay(day)
	require.NoError(t, err)
	for i, d := range docs {
		var m ping.Meta
		m.SetString(ping.DocumentID, d.id)
		m.SetString(ping.DocTypeField, d.docType)
		m.SetString(ping.SubmissionDate, day)
		m.SetString(ping.AppName, d.app)
		m.SetString(ping.SourceVersion, "4")
		m.SetInt(ping.Timestamp, start.UnixNano()+int64(i))
		if d.client != "" {
			m.SetString(ping.ClientID, d.client)
			m.SetInt(ping.SampleID, ping.SampleOf([]byte(d.client)))
		}
		require.NoError(t, w.Append(&m, []byte(d.body)))
	}
	if _, err := w.Close(context.Background(), name); err != nil {
		t.Fatal(err)
	}
}

// goodSite has a day loaded and all tables of it made.
func goodSite(t testing.TB) *site.Site {
	t.Helper()
	s := openSite(t)
	list := docs()
	for _, table := range s.Tables {
		if table.DocType != "" && !slices.ContainsFunc(list, func(d doc) bool { return d.docType == table.DocType }) {
			list = append(list, doc{"t1", "c1", table.DocType, "Firefox", noSearches})
		}
	}
	load(t, s, "load1", day, list)
	run(t, s, day)
	return s
}

func run(t testing.TB, s *site.Site, days ...string) {
	t.Helper()
	if _, err := etl.Run(context.Background(), s, etl.RunOptions{Tables: allTables, Days: days, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
}

// tableRow is a row as JSON, and the number of its file.
type tableRow struct {
	file int
	row  map[string]any
}

func (r tableRow) clone() tableRow {
	c := map[string]any{}
	for k, v := range r.row {
		c[k] = v
	}
	return tableRow{r.file, c}
}

// rewrite publishes other rows in the place of a partition's, made from the same
// inputs. testdata/bad.txt lists the changes.
func rewrite(t testing.TB, s *site.Site, table string, changes ...string) {
	t.Helper()
	ctx := context.Background()
	lt, err := s.Table(table)
	require.NoError(t, err)
	m, err := lt.Partition(ctx, day)
	require.NoError(t, err)
	list, cols := readRows(t, lt, m), slices.Clone(lt.Schema.Columns)
	for _, c := range changes {
		list, cols = changed(t, list, cols, strings.Fields(c))
	}
	g, err := lt.Begin(ctx, day, "bad")
	require.NoError(t, err)
	next := lake.Manifest{Inputs: m.Inputs, Parts: m.Parts, Probes: m.Probes}
	for i, f := range m.Files {
		fileRows := slices.DeleteFunc(slices.Clone(list), func(r tableRow) bool { return r.file != i })
		if len(fileRows) > 0 {
			next.Files = append(next.Files, writeFile(t, g, f, i, cols, fileRows))
		}
	}
	require.NoError(t, g.Publish(ctx, next, nil))
}

// changed makes a change: what to do, with rows that have which value or all, and the value
// that they get.
func changed(t testing.TB, list []tableRow, cols []schema.Column, words []string) ([]tableRow, []schema.Column) {
	t.Helper()
	which := func(r tableRow) bool {
		name, value := assignment(t, words[1])
		return words[1] == "all" || fmt.Sprint(r.row[name]) == fmt.Sprint(value)
	}
	change := func(r tableRow) tableRow {
		if len(words) == 3 {
			name, value := assignment(t, words[2])
			r.row[name] = value
		}
		return r
	}
	switch words[0] {
	case "drop":
		list = slices.DeleteFunc(list, which)
	case "drop-one":
		at := slices.IndexFunc(list, which)
		list = slices.Delete(list, at, at+1)
	case "copy":
		for _, r := range slices.Clone(list) {
			if which(r) {
				list = append(list, change(r.clone()))
			}
		}
	case "set":
		for _, r := range list {
			if which(r) {
				change(r)
			}
		}
	case "nullable":
		for i := range cols {
			cols[i].NotNull = false
		}
	case "without":
		cols = slices.DeleteFunc(cols, func(c schema.Column) bool { return c.Name == words[1] })
	default:
		t.Fatalf("no change %q", words)
	}
	return list, cols
}

// assignment returns a name and a JSON value.
func assignment(t testing.TB, text string) (name string, value any) {
	t.Helper()
	name, text, _ = strings.Cut(text, "=")
	if text == "" {
		return name, nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&value))
	return name, value
}

func readRows(t testing.TB, lt *lake.Table, m *lake.Manifest) (list []tableRow) {
	t.Helper()
	b := column.NewBatch(lt.Schema.Columns)
	for i, f := range m.Files {
		err := lt.Read(context.Background(), m.Day, lt.Path(m.Day, f.Name), f, b, func() error {
			w := column.NewRowWriter(b)
			for range b.Rows {
				d := json.NewDecoder(bytes.NewReader(w.AppendRow(nil)))
				d.UseNumber()
				row := map[string]any{}
				if err := d.Decode(&row); err != nil {
					return err
				}
				list = append(list, tableRow{i, row})
			}
			return nil
		})
		require.NoError(t, err)
	}
	return list
}

func writeFile(t testing.TB, g *lake.Generation, like lake.File, n int, cols []schema.Column, list []tableRow) lake.File {
	t.Helper()
	sink, err := g.Create(context.Background(), g.FileName(path.Dir(like.Name), like.Lo, n))
	require.NoError(t, err)
	w, err := lake.NewFileWriter(sink, cols, lake.WriterOptions{})
	require.NoError(t, err)
	b := column.NewBatch(cols)
	for _, r := range list {
		require.NoError(t, b.AppendJSONRow(r.row))
	}
	require.NoError(t, w.Write(b))
	info, err := w.Close()
	require.NoError(t, err)
	f, err := sink.Finish()
	require.NoError(t, err)
	f.Rows, f.Lo, f.Hi = info.Rows, like.Lo, like.Hi
	return f
}

// results returns the results of all checks of a table by name.
func results(t testing.TB, s *site.Site, table string) map[string]check.Result {
	t.Helper()
	list, err := check.RunPublished(context.Background(), &s.Data, nil, table, day, check.All(s.Tables), nil)
	require.NoError(t, err)
	all := map[string]check.Result{}
	for _, r := range list {
		all[r.Check.Name] = r
	}
	return all
}

func lines(r check.Result) (list []string) {
	for _, row := range r.Rows {
		list = append(list, row.String())
	}
	if r.Note != "" {
		list = append(list, r.Note)
	}
	slices.Sort(list)
	return list
}

var now = time.Now

// again makes a table as it should be.
func again(t testing.TB, s *site.Site, table string) {
	t.Helper()
	_, err := etl.Run(context.Background(), s, etl.RunOptions{Tables: []string{table}, Days: []string{day}, Force: true, Now: time.Now})
	require.NoError(t, err)
}
