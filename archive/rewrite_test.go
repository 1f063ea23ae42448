package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// verbatim returns a row with all its columns, absent ones distinguished from empty ones.
func verbatim(r *rowfile.Record) string {
	var s strings.Builder
	for f := range ping.NumMetaFields {
		if f.IsInt() {
			n, ok := r.Meta.Int(f)
			fmt.Fprintf(&s, "%d,%t ", n, ok)
		} else {
			fmt.Fprintf(&s, "%q,%t ", r.Meta.Text(f), r.Meta.Text(f) != nil)
		}
	}
	for _, t := range r.Extra {
		fmt.Fprintf(&s, "%q,%t ", t, t != nil)
	}
	fmt.Fprintf(&s, "%d %x", len(r.Body), checksum(r.Body))
	return s.String()
}

func checksum(b []byte) []byte {
	h := newHash()
	h.Write(b)
	return h.Sum(nil)
}

// rowsOf returns the rows of a partition in their order; none if there is none.
func rowsOf(t *testing.T, b store.Bucket, p partition, keep func(r *rowfile.Record) bool) []string {
	t.Helper()
	d, err := open(ctx, b, p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	require.NoError(t, err)
	var all []string
	for r, err := range d.records(ctx, p.kind, 0, rowfile.NoSample, rowfile.AllColumns) {
		require.NoError(t, err)
		if keep == nil || keep(r) {
			all = append(all, verbatim(r))
		}
	}
	return all
}

func generationIn(t *testing.T, b store.Bucket, p partition) string {
	t.Helper()
	files, err := listPartition(ctx, b, p)
	require.NoError(t, err)
	return generationOrNone(files)
}

// clients gives samples one of n clients each, and every tenth none.
func clients(r *rand.Rand, all []sample, n int) {
	for i := range all {
		m := all[i].meta
		m.SetString(ping.ClientID, fmt.Sprintf("client-%d", r.IntN(n)))
		if r.IntN(10) == 0 {
			m.Clear(ping.ClientID)
			all[i].body = fmt.Appendf(nil, `{"clientId":"client-%d","i":%d}`, r.IntN(n), i)
		}
	}
}

func forget(clients ...string) RewriteOptions {
	inBody := func(body []byte) bool {
		return slices.ContainsFunc(clients, func(c string) bool { return bytes.Contains(body, []byte(`"`+c+`"`)) })
	}
	return RewriteOptions{
		Load: "re-d1", Owner: "replay", Requests: 7,
		Drop:         func(m *ping.Meta) bool { return slices.Contains(clients, string(m.Text(ping.ClientID))) },
		DropBody:     func(_ *ping.Meta, body []byte) bool { return inBody(body) },
		DropRejected: func(r *Rejected) bool { return inBody(r.Body) },
	}
}

var mainDay = partition{"20180601", "main", rowfile.Pings}

// TestRewriteDay removes some clients. Their rows are in some of the files,
// rows with equal keys in several.
func TestRewriteDay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		r := rand.New(rand.NewPCG(50, 50))
		for i := range 4 {
			all := randomSamples(r, 400, 3000)
			clients(r, all, 40)
			if i == 1 { // a load without any of the clients
				clients(r, all, 2)
			}
			load(t, b, fmt.Sprintf("load-%d", i), Options{BufferBytes: 700 << 10}, all)
		}
		o := forget("client-3", "client-17")
		keep := func(r *rowfile.Record) bool { drop, _ := o.dropsPing(r); return !drop }
		before, want := contents(t, b), rowsOf(t, b, mainDay, keep)
		total := rowsOf(t, b, mainDay, nil)
		gen := generationIn(t, b, mainDay)

		got, err := RewriteDay(ctx, b, "20180601", "main", o)
		require.NoError(t, err)
		want2 := Rewritten{Load: "re-d1", Rows: int64(len(total) - len(want)), Files: got.Files, Before: gen, After: generationIn(t, b, mainDay)}
		if got != want2 || got.Rows == 0 || got.Before == got.After {
			t.Errorf("got %+v instead of %+v", got, want2)
		}
		rows := rowsOf(t, b, mainDay, nil)
		if slices.Sort(rows); !slices.Equal(rows, slices.Sorted(slices.Values(want))) {
			t.Errorf("%d rows instead of %d, or others", len(rows), len(want))
		}
		l, ok, err := Loaded(ctx, b, "re-d1")
		if err != nil || !ok || l.Requests != 7 || len(l.Replaces) != got.Files {
			t.Fatalf("the record is %+v, %v", l, err)
		}
		checkUntouched(t, b, before, l)
		again, err := RewriteDay(ctx, b, "20180601", "main", o)
		if err != nil || again != got {
			t.Errorf("again: %+v, %v", again, err)
		}
	})
}

// checkUntouched checks that only the replaced files are removed, only the load's files and its record are new, and no
// file of load-1 was replaced.
func checkUntouched(t *testing.T, b store.Bucket, before []string, l *Load) {
	t.Helper()
	after := contents(t, b)
	for _, c := range before {
		name, _, _ := strings.Cut(c, " ")
		if slices.Contains(after, c) == slices.Contains(l.Replaces, name) {
			t.Errorf("%s is there: %t, replaced: %t", name, slices.Contains(after, c), slices.Contains(l.Replaces, name))
		}
		if slices.Contains(l.Replaces, name) && strings.Contains(name, "load-1-") {
			t.Errorf("%s was replaced", name)
		}
	}
	for _, c := range after {
		if !slices.Contains(before, c) && !strings.Contains(c, "/re-d1") {
			t.Errorf("%s is new", c)
		}
	}
}

// TestRewriteOrder checks that rows with equal keys stay in their order, also
// over several files of the result.
func TestRewriteOrder(t *testing.T) {
	b := store.NewMemory()
	for i := range 3 {
		all := plain(400, 4000)
		for j, s := range all {
			s.meta.SetInt(ping.SampleID, int64(j%2))
			s.meta.SetInt(ping.Timestamp, benchDay)
			s.meta.SetString(ping.DocumentID, "same")
			s.meta.SetString(ping.ClientID, fmt.Sprint(j%7))
			s.meta.SetString(ping.URI, fmt.Sprintf("/%d/%d", i, j))
		}
		load(t, b, fmt.Sprint("x", i), Options{}, all)
	}
	p := partition{"20180604", "main", rowfile.Pings}
	o := forget("3")
	want := rowsOf(t, b, p, func(r *rowfile.Record) bool { return !o.dropsMeta(&r.Meta) })
	o.BufferBytes = 300 << 10
	got, err := RewriteDay(ctx, b, p.day, p.docType, o)
	if err != nil || got.Files != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	if l, _, err := Loaded(ctx, b, o.Load); err != nil || len(l.Files) < 2 {
		t.Errorf("the record is %+v, %v", l, err)
	}
	if rows := rowsOf(t, b, p, nil); !slices.Equal(rows, want) {
		t.Error("the rows or their order changed")
	}
}

// TestRewriteNothing finds nothing to remove.
func TestRewriteNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		none, err := RewriteDay(ctx, b, "20180604", "main", forget("x"))
		if err != nil || none != (Rewritten{}) {
			t.Errorf("without the day: %+v, %v", none, err)
		}
		load(t, b, "x", Options{}, plain(50, 100))
		rejectLoad(t, b, "y")
		before := contents(t, b)
		for _, o := range []RewriteOptions{forget("x"), {Load: "re-1"}} {
			g := generationIn(t, b, partition{"20180604", "main", rowfile.Pings})
			if got, err := RewriteDay(ctx, b, "20180604", "main", o); err != nil || got != (Rewritten{Before: g, After: g}) {
				t.Errorf("pings: %+v, %v", got, err)
			}
			g = generationIn(t, b, partition{day: "20180601", kind: rowfile.Rejected})
			if got, err := RewriteErrors(ctx, b, "20180601", o); err != nil || got != (Rewritten{Before: g, After: g}) {
				t.Errorf("rejected submissions: %+v, %v", got, err)
			}
		}
		if after := contents(t, b); !slices.Equal(before, after) {
			t.Errorf("the archive changed: %s", after)
		}
	})
}

// TestRewriteAll removes all that a day has.
func TestRewriteAll(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		load(t, b, "x", Options{}, plain(50, 100))
		rejectLoad(t, b, "y")
		o := RewriteOptions{Load: "re-1", Drop: func(*ping.Meta) bool { return true }, DropRejected: func(*Rejected) bool { return true }}
		p := partition{"20180604", "main", rowfile.Pings}
		g := generationIn(t, b, p)
		for range 2 {
			if got, err := RewriteDay(ctx, b, p.day, p.docType, o); err != nil || got != (Rewritten{Load: "re-1", Rows: 50, Files: 1, Before: g}) {
				t.Errorf("pings: %+v, %v", got, err)
			}
			if err := b.Delete(ctx, naming.Record("x")); err != nil { // as nothing depends on it any more
				t.Fatal(err)
			}
		}
		if _, err := OpenDay(ctx, b, p.day, p.docType); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the day opens: %v", err)
		}
		types, err := DocTypes(ctx, b, p.day)
		if err != nil || len(types) != 0 {
			t.Errorf("document types: %v, %v", types, err)
		}
		states, err := States(ctx, b, "")
		if err != nil || len(states) != 0 {
			t.Errorf("states: %v, %v", states, err)
		}
		o.Load = "re-2"
		if got, err := RewriteErrors(ctx, b, "20180601", o); err != nil || got.Rows != 2 || got.After != "" {
			t.Errorf("rejected submissions: %+v, %v", got, err)
		}
		if got := state(t, b); got != "errors 20180602:y3," {
			t.Errorf("left: %s", got)
		}
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		if s, err := w.Close(ctx, "re-1"); err == nil {
			t.Errorf("a load of that name without anything to replace: %+v", s)
		}
		load(t, b, "z", Options{}, plain(20, 100))
		if got, err := RewriteDay(ctx, b, p.day, p.docType, forget("x")); err != nil || got.Load != "" || got.After == "" {
			t.Errorf("after another load: %+v, %v", got, err)
		}
	})
}

// TestRewriteOpenDay checks what readers see who have opened the day before.
func TestRewriteOpenDay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		all := plain(50, 100)
		all[7].meta.SetString(ping.ClientID, "gone")
		load(t, b, "x", Options{}, all)
		d, err := OpenDay(ctx, b, "20180604", "main")
		require.NoError(t, err)
		if _, err := RewriteDay(ctx, b, "20180604", "main", forget("gone")); err != nil {
			t.Fatal(err)
		}
		for _, err := range d.Pings(ctx, 0, 100) {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("reading what was replaced: %v", err)
			}
		}
	})
}
