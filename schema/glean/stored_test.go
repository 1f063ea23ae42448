package glean

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// definitionsOf returns the definitions of an application with these metrics: NAME TYPE PING… of category page.
func definitionsOf(t testing.TB, metrics ...string) Definitions {
	t.Helper()
	text := metricsHead + "page:\n"
	for _, m := range metrics {
		f := strings.Fields(m)
		text += "  " + f[0] + ": {type: " + f[1] + ", description: d, send_in_pings: [" + strings.Join(f[2:], ", ") + "]}\n"
	}
	defs, err := read(files(map[string]string{"app/metrics.yaml": text}))
	require.NoError(t, err)
	return defs
}

// memberPaths returns the paths of the metrics of a table.
func memberPaths(t testing.TB, defs Definitions, table string) (paths []string) {
	t.Helper()
	found, err := schema.Find(defs.Tables(), table)
	require.NoError(t, err)
	i := found.Index(Metrics)
	if i < 0 {
		return nil
	}
	for _, typ := range found.Columns[i].Type.Fields {
		for _, f := range typ.Type.Fields {
			if !strings.HasPrefix(f.Source, "glean.") {
				paths = append(paths, typ.Name+"."+f.Name)
			}
		}
	}
	return paths
}

// TestKeep adds definitions to the kept ones: no metric goes, and one whose type changed has two columns.
func TestKeep(t *testing.T) {
	b := store.NewMemory()
	day := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	stored, err := Stored(t.Context(), b)
	require.NoError(t, err)
	require.Empty(t, stored)
	_, err = Keep(t.Context(), b, definitionsOf(t, "loads counter one", "title string one"), day)
	require.NoError(t, err)
	newer := definitionsOf(t, "loads quantity one", "size counter one two")
	all, err := Keep(t.Context(), b, newer, day.AddDate(0, 0, 1))
	require.NoError(t, err)
	want := []string{"counter.page_loads", "counter.page_size", "quantity.page_loads", "string.page_title"}
	require.Equal(t, want, memberPaths(t, all, "app_one"))
	stored, err = Stored(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, want, memberPaths(t, stored, "app_one"))
	require.Equal(t, []string{"counter.page_size"}, memberPaths(t, stored, "app_two"))
	i := slices.IndexFunc(stored["app"].Metrics, func(m *Metric) bool { return m.ID == "page.size" })
	require.Equal(t, "2026-11-22", stored["app"].Metrics[i].Since)
	require.Equal(t, "2026-11-21", stored["app"].Ping("one").Since)

	before, err := store.ReadFile(t.Context(), b, storedName)
	require.NoError(t, err)
	_, err = Keep(t.Context(), b, newer, day.AddDate(0, 0, 9))
	require.NoError(t, err)
	_, err = Keep(t.Context(), b, nil, day.AddDate(0, 0, 9))
	require.NoError(t, err)
	after, err := store.ReadFile(t.Context(), b, storedName)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	require.Contains(t, string(after), `"revision":2,"changed":"2026-11-22T12:00:00Z"`)
}

// TestKeepAtOnce lets several processes keep definitions at the same time: none of them is lost.
func TestKeepAtOnce(t *testing.T) {
	b := store.NewMemory()
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	var all sync.WaitGroup
	for _, n := range names {
		defs := definitionsOf(t, ""+n+" counter one")
		all.Go(func() {
			if _, err := Keep(t.Context(), b, defs, time.Now()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	stored, err := Stored(t.Context(), b)
	require.NoError(t, err)
	require.Len(t, memberPaths(t, stored, "app_one"), len(names))
}

// TestKeptInfo keeps columns of a ping whose definition no longer has them, while its pings are checked by the new one.
func TestKeptInfo(t *testing.T) {
	b := store.NewMemory()
	implied := definitionsOf(t, "loads counter one")
	_, err := Keep(t.Context(), b, implied, time.Now())
	require.NoError(t, err)
	defined, err := read(files(map[string]string{"app/pings.yaml": pingsHead +
		"one: {description: d, include_client_id: false, metadata: {include_info_sections: false}}\n"}))
	require.NoError(t, err)
	all, err := Keep(t.Context(), b, defined, time.Now())
	require.NoError(t, err)
	table, err := schema.Find(all.Tables(), "app_one")
	require.NoError(t, err)
	require.GreaterOrEqual(t, table.Index(ClientInfo), 0)
	has, known := all.InfoSections("app", "one")
	require.True(t, known)
	require.False(t, has)
	both := Union(all, Definitions{"app": {ID: "app", Pings: []*Ping{{Name: "one", InfoSection: true, WithInfo: true}}}})
	_, known = both.InfoSections("app", "one")
	require.False(t, known)
}

// TestKeptColumns joins the built-in metrics of Firefox, which are known by their columns, with a definition of one of them.
func TestKeptColumns(t *testing.T) {
	firefox, err := Firefox()
	require.NoError(t, err)
	own, err := read(files(map[string]string{"firefox-desktop/metrics.yaml": metricsHead +
		"browser.engagement:\n  uri_count: {type: counter, description: Pages., send_in_pings: [baseline, metrics]}\n"}))
	require.NoError(t, err)
	b := store.NewMemory()
	for _, defs := range []Definitions{firefox, own, firefox} {
		_, err := Keep(t.Context(), b, defs, time.Now())
		require.NoError(t, err)
	}
	stored, err := Stored(t.Context(), b)
	require.NoError(t, err)
	before, after := memberPaths(t, firefox, "firefox_desktop_baseline"), memberPaths(t, stored, "firefox_desktop_baseline")
	require.Equal(t, before, after)
	require.Contains(t, after, "counter.browser_engagement_uri_count")
	table, err := schema.Find(stored.Tables(), "firefox_desktop_baseline")
	require.NoError(t, err)
	changes := schema.Diff(mustFind(t, firefox, table.Name).Columns, table.Columns)
	require.Empty(t, schema.Retypings(changes))
}

func mustFind(t *testing.T, defs Definitions, table string) *schema.Table {
	t.Helper()
	found, err := schema.Find(defs.Tables(), table)
	require.NoError(t, err)
	return found
}

// TestKeptDamaged refuses an object that was changed, and never writes over it.
func TestKeptDamaged(t *testing.T) {
	b := store.NewMemory()
	_, err := Keep(t.Context(), b, definitionsOf(t, "loads counter one"), time.Now())
	require.NoError(t, err)
	whole, err := store.ReadFile(t.Context(), b, storedName)
	require.NoError(t, err)
	for from, to := range map[string]string{"page.loads": "page.roads", `"format":1`: `"format":2`, `"revision"`: `"revision`,
		"counter": "no type"} {
		damaged := strings.Replace(string(whole), from, to, 1)
		require.NotEqual(t, string(whole), damaged)
		require.NoError(t, store.WriteFile(t.Context(), b, storedName, []byte(damaged)))
		_, err := Stored(t.Context(), b)
		require.ErrorContains(t, err, storedName+" is damaged", from)
		_, err = Keep(t.Context(), b, definitionsOf(t, "size counter one"), time.Now())
		require.ErrorContains(t, err, "restore it from a backup", from)
	}
}

// TestKeptExtras keeps the column of an extra key whose type changed, beside that of its new type.
func TestKeptExtras(t *testing.T) {
	withType := func(typ string) Definitions {
		defs, err := read(files(map[string]string{"app/metrics.yaml": metricsHead + "a: {b: {type: event, extra_keys: {k: {type: " + typ +
			"}}}}"}))
		require.NoError(t, err)
		return defs
	}
	all := Union(Union(withType("string"), withType("quantity")), withType("string"))
	events := mustFind(t, all, "app_events_stream")
	require.Equal(t, "struct<quantity:struct<k:long>,string:struct<k:string>>", events.Columns[events.Index("extras")].Type.String())
	require.Empty(t, schema.Retypings(schema.Diff(mustFind(t, withType("string"), events.Name).Columns, events.Columns)))
	lost := schema.Retypings(schema.Diff(events.Columns, mustFind(t, withType("string"), events.Name).Columns))
	require.Len(t, lost, 1)
	require.Equal(t, "! extras.quantity struct<k:long> becomes no member", lost[0].String())
	_, err := read(files(map[string]string{"app/metrics.json": `{"a.b":{"type":"event","history":[{"extra_keys":{"k":{"type":"float"}}}]}}`}))
	require.ErrorContains(t, err, `extra key k: type "float"`)
}
