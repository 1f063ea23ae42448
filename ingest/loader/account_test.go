package loader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// accountID returns the n-th document id of the tests.
func accountID(n int) string { return fmt.Sprintf("c0ffee00-0000-4000-8000-%012x", n) }

// arrived is a row of the archive.
type arrived struct {
	id, day, class, path string
	docType              string
	nameless             bool // the metadata has no document id
}

// accountArchive puts rows into the archive, each load of them on its own.
func accountArchive(t *testing.T, b store.Bucket, load string, rows []arrived) {
	t.Helper()
	w, err := archive.NewWriter(context.Background(), b, archive.Options{})
	require.NoError(t, err)
	for _, r := range rows {
		var m ping.Meta
		if !r.nameless {
			m.SetString(ping.DocumentID, r.id)
		}
		if r.day != "" {
			m.SetString(ping.SubmissionDate, r.day)
		}
		if r.class != "" {
			err = w.AppendError(&archive.Rejected{Meta: m, Class: r.class, Path: r.path, Body: []byte("{}")})
		} else {
			m.SetString(ping.DocTypeField, r.docType)
			err = w.Append(&m, []byte("{}"))
		}
		require.NoError(t, err)
	}
	if _, err := w.Close(context.Background(), load); err != nil {
		t.Fatal(err)
	}
}

func acknowledged(ids ...string) *send.IDs {
	s := &send.IDs{}
	for _, id := range ids {
		s.Add([]byte(id))
	}
	return s
}

func TestAccount(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	empty, err := AccountFor(context.Background(), s.Archive, acknowledged(accountID(1)))
	if err != nil || empty.Missing != 1 || empty.Faultless() {
		t.Errorf("of an empty archive: %+v, %v", empty, err)
	}
	id := accountID
	path := func(n int) string { return "/submit/telemetry/" + id(n) + "/main/Firefox/58.0/release/2018?v=4" }
	accountArchive(t, s.Archive, "one", []arrived{
		{id: id(1), day: "20180301", docType: "main"},
		{id: id(2), day: "20180301", docType: "crash"},
		{id: id(2), day: "20180302", class: "duplicate"},
		{id: id(3), day: "20180302", class: "json"},
		{id: id(4), class: "uri", nameless: true, path: path(4)},
		{id: id(5), day: "20180301", class: "uri", nameless: true, path: "/submit/own/kind/3/" + id(5)},
		{id: id(6), day: "20180301", docType: "main"},
		{id: id(7), day: "20180301", docType: "main"},
		{id: id(8), day: "20180301", class: "json"},
		{id: id(9), day: "20180301", class: "duplicate"},
		{id: id(9), day: "20180301", class: "duplicate"},
		{id: id(100), day: "20180301", docType: "main"},
		{class: "uri", nameless: true, path: "/submit/nothing"},
		{id: "odd one", day: "20180301", docType: "main"},
	})
	accountArchive(t, s.Archive, "two", []arrived{
		{id: id(6), day: "20180301", docType: "main"},
		{id: id(7), day: "20180302", class: "internal"},
		{id: id(7), day: "20180302", class: "duplicate"},
		{id: id(8), day: "20180302", class: "json"},
	})
	all := acknowledged("odd one", id(1), id(1), id(2), id(3), id(4), id(5), id(6), id(7), id(8), id(9), id(10), id(11))
	a, err := AccountFor(context.Background(), s.Archive, all)
	require.NoError(t, err)
	if a.Acked != 12 || a.InPings != 3 || a.InErrors != 3 || a.OnlyDuplicates != 1 || a.Missing != 2 || a.Repeated != 3 ||
		a.Duplicates != 4 || a.Others != 2 || a.Faultless() ||
		!maps.Equal(a.ByClass, map[string]int64{"json": 3, "uri": 2, "internal": 1}) ||
		!slices.Equal(a.MissingIDs, []string{id(10), id(11)}) ||
		!slices.Equal(a.RepeatedIDs, []string{id(6), id(7), id(8)}) || !slices.Equal(a.OnlyDuplicateIDs, []string{id(9)}) {
		t.Errorf("account %+v", a)
	}
	a, err = AccountFor(context.Background(), s.Archive, acknowledged(id(1), id(2), id(3), id(4), id(5)))
	if err != nil || !a.Faultless() || a.InPings != 2 || a.InErrors != 3 || a.Others != 12 {
		t.Errorf("account %+v, %v", a, err)
	}
	var many []string
	for n := range 50 {
		many = append(many, id(1000+n))
	}
	if a, err = AccountFor(context.Background(), s.Archive, acknowledged(many...)); err != nil || a.Missing != 50 || len(a.MissingIDs) != 10 {
		t.Errorf("account %+v, %v", a, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = AccountFor(ended, s.Archive, all); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

// TestAccountOfPopulation loads a population, with some of it twice, and accounts
// for all of it.
func TestAccountOfPopulation(t *testing.T) {
	g, err := generate.New(generate.Config{Seed: 12, Clients: 120, Days: 2, MeanBytes: 16_000, Damaged: 0.3, Duplicates: 0.1})
	require.NoError(t, err)
	var lines bytes.Buffer
	if _, err := g.WriteSubmissions(&lines, generate.Options{}); err != nil {
		t.Fatal(err)
	}
	ids, copies := &send.IDs{}, int64(0)
	for sub := range g.Submissions() {
		if id := send.DocumentID(sub.URI); id != nil {
			if _, ok := ids.Find(id); ok {
				copies++
			}
			ids.Add(id)
		}
	}
	s := sitetest.Memory(t, store.NewMemory())
	if _, err := Load(context.Background(), s, &lines, LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	a, err := AccountFor(context.Background(), s.Archive, ids)
	if err != nil || !a.Faultless() || a.Duplicates != copies || a.InPings+a.InErrors != int64(ids.Len()) ||
		copies == 0 || a.ByClass["json"] != a.InErrors || a.InErrors == 0 {
		t.Errorf("%+v, %v, want %d ids and %d copies", a, err, ids.Len(), copies)
	}
}

func TestAwaitAccount(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	now := time.Unix(0, 0)
	pauses := 0
	var during map[int]func()
	o := AwaitOptions{Wait: 20 * time.Second, Every: 3 * time.Second, Clock: clock.Clock{Now: func() time.Time { return now }}}
	o.Clock.Wait = func(ctx context.Context, d time.Duration) error {
		now = now.Add(d)
		if pauses++; during[pauses] != nil {
			during[pauses]()
		}
		return ctx.Err()
	}
	ids := acknowledged(accountID(1), accountID(2))
	load := func(name string, n ...int) func() {
		return func() {
			var rows []arrived
			for _, n := range n {
				rows = append(rows, arrived{id: accountID(n), day: sitetest.Day, docType: "main"})
			}
			accountArchive(t, s.Archive, name, rows)
		}
	}
	var reported []int64
	o.Waiting = func(rows int64) { reported = append(reported, rows) }
	during = map[int]func(){2: load("first", 1), 3: load("second", 3), 4: load("third", 2)}
	a, err := AwaitAccount(context.Background(), s.Archive, ids, o)
	if err != nil || !a.Faultless() || pauses != 4 || a.Others != 1 {
		t.Errorf("%+v, %v after %d pauses", a, err, pauses)
	}
	if !slices.Equal(reported, []int64{0, 0, 1, 2, 3}) {
		t.Errorf("told of %d rows", reported)
	}
	pauses, during, o.Every = 0, nil, 0
	ids.Add([]byte(accountID(4)))
	start := now
	if a, err = AwaitAccount(context.Background(), s.Archive, ids, o); err != nil || a.Missing != 1 || now.Sub(start) != o.Wait {
		t.Errorf("%+v, %v after %v", a, err, now.Sub(start))
	}
	ctx, cancel := context.WithCancel(context.Background())
	pauses, during = 0, map[int]func(){1: cancel}
	if _, err = AwaitAccount(ctx, s.Archive, ids, o); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

// TestAccountOfDamagedArchive waits in vain for an archive that can be read.
func TestAccountOfDamagedArchive(t *testing.T) {
	b := store.NewMemory()
	s := sitetest.Memory(t, b)
	accountArchive(t, b, "one", []arrived{{id: accountID(1), day: sitetest.Day, docType: "main"},
		{id: accountID(2), day: sitetest.Day, class: "json"}})
	for _, kind := range []string{"errors", "pings"} {
		for e, err := range b.List(context.Background(), kind) {
			require.NoError(t, err)
			require.NoError(t, store.WriteFile(context.Background(), b, e.Name, bytes.Repeat([]byte("x"), int(e.Size))))
		}
		now := time.Unix(0, 0)
		_, err := AwaitAccount(context.Background(), s.Archive, acknowledged(accountID(1)), AwaitOptions{
			Wait: 3 * time.Second, Clock: clock.Clock{Now: func() time.Time { return now },
				Wait: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }},
		})
		if err == nil || !strings.Contains(err.Error(), "account for acknowledged submissions: ") || now.Unix() != 3 {
			t.Errorf("damaged %s: %v at %v", kind, err, now)
		}
	}
}
