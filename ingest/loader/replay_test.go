package loader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestReplayIsALateLoad rejects submissions by a schema and replays them with
// the right one: the archive has what it had with the right one at once.
func TestReplayIsALateLoad(t *testing.T) {
	all := sitetest.AFewDays(60)
	want := sitetest.Memory(t, store.NewMemory())
	loadWith(t, want, ingest.Config{}, all)
	s := sitetest.Memory(t, store.NewMemory())
	loadStrictly(t, s, strictSchemas(t), all[:30])
	loadStrictly(t, s, strictSchemas(t), all[30:])
	if n := len(sitetest.PingsOf(t, s.Archive)); n != 0 {
		t.Fatalf("%d pings pass the strict schema", n)
	}
	before := objectsOf(t, s.Archive)
	dry := mustReplay(t, s, ReplayOptions{DryRun: true})
	if after := objectsOf(t, s.Archive); !slices.Equal(after, before) {
		t.Errorf("a dry run changes the archive: %v", after)
	}
	r := mustReplay(t, s, ReplayOptions{Workers: 3})
	if r.Tried != 60 || r.Pings != 60 || r.Failed != 0 || r.Load == "" || len(r.Days) != 3 ||
		fmt.Sprint(r.Became) != "[{json new-profile 60}]" || len(r.Fails) != 0 {
		t.Errorf("%+v", r)
	}
	if dry.Pings != r.Pings || !slices.Equal(dry.Days, r.Days) || dry.Load != "" {
		t.Errorf("the dry run: %+v", dry)
	}
	if got := sitetest.PingsOf(t, s.Archive); !slices.Equal(got, sitetest.PingsOf(t, want.Archive)) {
		t.Errorf("%d pings, not those of a load: %.600s", len(got), got)
	}
	if left := errorsOf(t, s.Archive); len(left) != 0 {
		t.Errorf("still rejected: %v", left)
	}
	once := objectsOf(t, s.Archive)
	r = mustReplay(t, s, ReplayOptions{})
	if r.Tried != 0 || r.Load != "" || len(r.Days) != 3 {
		t.Errorf("the second replay: %+v", r)
	}
	if twice := objectsOf(t, s.Archive); !slices.Equal(once, twice) {
		t.Errorf("a second replay changes the archive: %v", twice)
	}
}

// TestReplayDuplicates replays copies of pings that went through, and of each
// other.
func TestReplayDuplicates(t *testing.T) {
	const day = 24 * time.Hour
	body := sitetest.NewProfile
	s := sitetest.Memory(t, store.NewMemory())
	loadWith(t, s, ingest.Config{}, []sitetest.Sent{{Id: "there", DocType: "new-profile", Body: body, At: sitetest.Arrival}})
	path := "/submit/telemetry/again/new-profile/Firefox/60.0/release/1"
	loadStrictly(t, s, strictSchemas(t), []sitetest.Sent{
		{Id: "there", DocType: "new-profile", Body: body, At: sitetest.Arrival.Add(-2 * day)}, // far from it
		{Id: "there", DocType: "new-profile", Body: body, At: sitetest.Arrival.Add(day)},
		{Id: "there", DocType: "new-profile", Body: body, At: sitetest.Arrival},
		{Id: "there", DocType: "crash", Body: `{"version":4}`, At: sitetest.Arrival},
		{Path: path, Body: "{broken", At: sitetest.Arrival}, // fails, so the next one is the first
		{Path: path, Body: body, At: sitetest.Arrival.Add(time.Minute)},
		{Path: path, Body: body, At: sitetest.Arrival.Add(2 * time.Minute)},
		{Path: path + "0", Body: body, At: sitetest.Arrival.Add(3 * time.Minute)}, // the same document
	})
	r := mustReplay(t, s, ReplayOptions{})
	if r.Tried != 8 || r.Pings != 2 || r.Duplicates != 4 || r.Failed != 2 {
		t.Errorf("%+v", r)
	}
	var got []string
	for _, e := range errorsOf(t, s.Archive) {
		e, _, _ = strings.Cut(e, " error") // of the schema and the parser
		got = append(got, e)
	}
	want := []string{
		"20180301 duplicate: the document is among the pings of 20180301",
		"20180301 duplicate: the same document was replayed before",
		"20180301 duplicate: the same path was replayed before",
		"20180301 json: invalid submission:",
		"20180301 json: schema: crash version: 4 validation",
		"20180302 duplicate: the document is among the pings of 20180301",
	}
	if len(got) != len(want) {
		t.Fatalf("rejected are %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("rejected: %q, want %q", got[i], want[i])
		}
	}
	if n := len(sitetest.PingsOf(t, s.Archive)); n != 3 {
		t.Errorf("%d pings", n)
	}
	once := objectsOf(t, s.Archive)
	if r = mustReplay(t, s, ReplayOptions{}); r.Tried != 2 || r.Failed != 2 || r.Load != "" {
		t.Errorf("the second replay: %+v", r)
	}
	if twice := objectsOf(t, s.Archive); !slices.Equal(once, twice) {
		t.Errorf("a second replay changes the archive: %v", twice)
	}
}

// TestReplayOddRows tries what is little more than bytes: it stays as it is.
func TestReplayOddRows(t *testing.T) {
	var m ping.Meta
	m.SetString(ping.DocumentID, "d")
	m.SetInt(ping.Timestamp, sitetest.Arrival.UnixNano())
	b := store.NewMemory()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	require.NoError(t, err)
	typed := m
	typed.SetString(ping.DocTypeField, "main")
	undated := typed
	undated.Clear(ping.Timestamp)
	for _, e := range []archive.Rejected{
		{Class: "record", Message: "at byte 7: no record", Body: []byte("x")},
		{Meta: m, Class: "uri", Message: "missing uri", Body: []byte("{}")},
		{Meta: m, Class: "uri", Message: "invalid uri", Path: "/submit/telemetry/\uFFFD/main/a/b/c/d", Body: []byte("{}")},
		{Meta: m, Class: "uri", Message: "an old reason", Path: "/other", Body: []byte("{}")},
		{Meta: m, Class: "json", Message: "schema: (address) is no name", Path: "/submit/telemetry/e/main/a/b/c/d", Body: []byte("{")},
		{Meta: typed, Class: "json", Message: "invalid submission: x", Body: []byte("{broken")},
		{Meta: typed, Class: "json", Message: "invalid submission: x", Body: []byte(`{"version":4}`)},
		{Meta: m, Class: "internal", Message: "archive: no document type", Body: []byte(`{}`)},
		{Meta: undated, Class: "internal", Message: "archive: neither submission date nor timestamp", Path: "/submit/x", Body: []byte(`{}`)},
	} {
		require.NoError(t, w.AppendError(&e))
	}
	if _, err := w.Close(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	s := sitetest.Memory(t, b)
	if r := mustReplay(t, s, ReplayOptions{From: sitetest.Day, DryRun: true}); r.Tried != 7 {
		t.Errorf("those of no day are tried within a range, too: %+v", r)
	}
	if r := mustReplay(t, s, ReplayOptions{Classes: []string{"record"}}); r.Tried != 1 || r.Unfit != 1 || r.Load != "" {
		t.Errorf("one class: %+v", r)
	}
	r := mustReplay(t, s, ReplayOptions{})
	if r.Tried != 9 || r.Pings != 1 || r.Failed != 8 || r.Unfit != 3 || r.Load == "" {
		t.Errorf("%+v", r)
	}
	got := errorsOf(t, s.Archive)
	for _, want := range []string{
		" record: at byte 7: no record", " internal: archive: neither submission date nor timestamp",
		sitetest.Day + " uri: missing uri", sitetest.Day + " uri: invalid uri", sitetest.Day + " uri: invalid uri",
		sitetest.Day + " json: schema: (address) is no name", sitetest.Day + " internal: archive: no document type",
		sitetest.Day + " json: invalid submission: ",
	} {
		i := slices.IndexFunc(got, func(e string) bool { return strings.HasPrefix(e, want) })
		if i < 0 {
			t.Errorf("missing: %s", want)
			continue
		}
		got = slices.Delete(got, i, i+1)
	}
	if len(got) != 0 {
		t.Errorf("and there are %q", got)
	}
	if r := mustReplay(t, s, ReplayOptions{}); r.Load != "" || r.Failed != 8 {
		t.Errorf("a second time: %+v", r)
	}
}

// TestReplayRange replays one of several days, and one class.
func TestReplayRange(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	loadStrictly(t, s, strictSchemas(t), sitetest.AFewDays(60))
	if r := mustReplay(t, s, ReplayOptions{Classes: []string{"uri"}}); r.Tried != 0 {
		t.Errorf("another class: %+v", r)
	}
	r := mustReplay(t, s, ReplayOptions{From: "20180302", To: "20180302", Classes: []string{"json"}})
	if len(r.Days) != 1 || r.Days[0] != "20180302" || r.Pings == 0 || r.Pings == 60 {
		t.Errorf("one day: %+v", r)
	}
	if _, err := archive.OpenErrors(context.Background(), s.Archive, "20180302"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its errors: %v", err)
	}
	rest := mustReplay(t, s, ReplayOptions{})
	if rest.Pings+r.Pings != 60 || len(rest.Days) != 3 {
		t.Errorf("the other days: %+v", rest)
	}
	for _, o := range []ReplayOptions{
		{Classes: []string{"json", "duplicate"}}, {From: "2018-03-01"}, {To: "20180230"}, {From: "20180302", To: "20180301"},
		{Decode: ingest.Config{Schemas: filepath.Join(t.TempDir(), "none")}},
	} {
		if _, err := Replay(context.Background(), s, o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Replay(ended, s, ReplayOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

// TestReplayStale makes tables, replays, and finds which are not current.
func TestReplayStale(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	sitetest.Pings(t, s.Archive, 7, 200)
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	loadStrictly(t, s, strictSchemas(t), []sitetest.Sent{
		{Id: "a", DocType: "main", Body: `{"version":3,"application":{"name":"Firefox"}}`, At: sitetest.Arrival}, // passes at once
		{Id: "b", DocType: "new-profile", Body: sitetest.NewProfile, At: sitetest.Arrival},
	})
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	if r := mustReplay(t, s, ReplayOptions{}); r.Pings != 1 || len(r.Stale) != 0 || len(r.Days) != 1 {
		t.Errorf("a direct table: %+v", r)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: s.Direct()})
	if rows := sitetest.RowsOf(t, s, s.Direct()[0], sitetest.Day); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
	w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{})
	require.NoError(t, err)
	e := archive.Rejected{Class: "json", Message: "x", Body: []byte(`{"version":4}`)}
	e.Meta.SetString(ping.DocTypeField, "main")
	e.Meta.SetString(ping.DocumentID, "c")
	e.Meta.SetInt(ping.Timestamp, sitetest.Arrival.UnixNano())
	require.NoError(t, w.AppendError(&e))
	if _, err := w.Close(context.Background(), "late"); err != nil {
		t.Fatal(err)
	}
	r := mustReplay(t, s, ReplayOptions{})
	var stale []string
	for _, u := range r.Stale {
		stale = append(stale, u.Table)
	}
	slices.Sort(stale)
	if want := []string{"addons", "clients_daily", "main_summary", "search_clients_daily"}; !slices.Equal(stale, want) {
		t.Errorf("stale are %v", stale)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	if r := mustReplay(t, s, ReplayOptions{}); len(r.Stale) != 0 {
		t.Errorf("after a run stale are %v", r.Stale)
	}
}

func TestCountsAreBounded(t *testing.T) {
	c := counts{}
	for i := range maxCounts + 10 {
		c.add("json", fmt.Sprint(i))
	}
	all := c.list()
	i := slices.IndexFunc(all, func(r RejectedCount) bool { return r.DocType == OtherTypes })
	if len(all) != maxCounts+1 || all[i].Rows != 10 {
		b, _ := json.Marshal(all[i])
		t.Errorf("%d counts, the last of %s", len(all), b)
	}
}
