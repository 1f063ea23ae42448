package archive

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// oddRecords returns rows that Append and AppendError would not keep as they are.
func oddRecords() []rowfile.Record {
	var all []rowfile.Record
	add := func(f func(r *rowfile.Record)) {
		r := rowfile.Record{Body: fmt.Appendf(nil, "body %d", len(all))}
		r.Meta.SetString(ping.URI, fmt.Sprint(len(all)))
		f(&r)
		all = append(all, r)
	}
	add(func(*rowfile.Record) {})
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.SubmissionDate, "") })
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.SubmissionDate, "20190101") })
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.SubmissionDate, "../..") })
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.DocTypeField, strings.Repeat("x", 100)) })
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.DocTypeField, "") })
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.OS, "bad \xff text") })
	add(func(r *rowfile.Record) { r.Meta.SetString(ping.Host, strings.Repeat("long ", 5000)) })
	add(func(r *rowfile.Record) { r.Meta.SetInt(ping.SampleID, -5) })
	add(func(r *rowfile.Record) { r.Meta.SetInt(ping.SampleID, 1<<40) })
	add(func(r *rowfile.Record) { r.Body = nil })
	add(func(r *rowfile.Record) { r.Extra = [rowfile.NumExtra][]byte{} })
	add(func(r *rowfile.Record) { r.Extra[rowfile.ExtraHeaders] = []byte("{}") })
	add(func(r *rowfile.Record) {
		r.Extra[rowfile.ExtraHeaders] = []byte(`{ "Via":"1.1 x", "B":"\u0041", "A":"<" }`)
	})
	add(func(r *rowfile.Record) { r.Extra[rowfile.ExtraPath], r.Extra[rowfile.ExtraClass] = nil, []byte{} })
	add(func(r *rowfile.Record) { r.Extra[rowfile.ExtraMessage] = []byte("\xff") })
	add(func(r *rowfile.Record) { r.Body = []byte("gone") })
	return all
}

// TestRewriteVerbatim keeps rows in every column as they are, also those that
// only another version can have written.
func TestRewriteVerbatim(t *testing.T) {
	for _, p := range []partition{mainDay, {day: "20180601", kind: rowfile.Rejected}, {kind: rowfile.Rejected}} {
		storetest.Each(t, func(t *testing.T, b store.Bucket) {
			w, err := NewWriter(ctx, b, Options{})
			require.NoError(t, err)
			for _, r := range oddRecords() {
				w.record = r
				require.NoError(t, w.add(p.kind, []byte(p.day), []byte(p.docType)))
			}
			if _, err := w.Close(ctx, "x"); err != nil {
				t.Fatal(err)
			}
			want := rowsOf(t, b, p, func(r *rowfile.Record) bool { return string(r.Body) != "gone" })
			removed := func(body []byte) bool { return string(body) == "gone" }
			o := RewriteOptions{
				Load: "re-1", DropBody: func(_ *ping.Meta, body []byte) bool { return removed(body) },
				DropRejected: func(r *Rejected) bool { return removed(r.Body) },
			}
			rewritten := Rewritten{}
			if p.kind == rowfile.Pings {
				rewritten, err = RewriteDay(ctx, b, p.day, p.docType, o)
			} else {
				rewritten, err = RewriteErrors(ctx, b, p.day, o)
			}
			if err != nil || rewritten.Rows != 1 || rewritten.Files != 1 {
				t.Fatalf("%s: %+v, %v", p.dir(), rewritten, err)
			}
			if got := rowsOf(t, b, p, nil); !slices.Equal(got, want) {
				t.Errorf("%s: got\n%s\ninstead of\n%s", p.dir(), strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if l, _, _ := Loaded(ctx, b, "re-1"); len(l.Files) != 1 || !l.Files[0].in(p) {
				t.Errorf("%s: the files are %+v", p.dir(), l.Files)
			}
		})
	}
}

// TestRewriteBodies asks for the documents of pings without a client id, and of
// no others, whatever their sample.
func TestRewriteBodies(t *testing.T) {
	b := store.NewMemory()
	r := rand.New(rand.NewPCG(51, 51))
	p := partition{"20180604", "main", rowfile.Pings}
	var all []sample
	for i := range 120 {
		m := telemetryMeta(r, benchDay)
		m.SetInt(ping.SampleID, int64(i%100))
		body := telemetryBody(r, 2000)
		if i%30 == 0 {
			body = telemetryBody(r, 6<<20) // several pages, several row groups
		}
		switch i % 10 {
		case 3: // of no client, and so of no sample
			m.Clear(ping.ClientID)
			m.Clear(ping.SampleID)
			body = fmt.Appendf(nil, `{"payload":{"clientId":"client-%d"}}`, i)
		case 4: // loaded from elsewhere with a sample
			m.SetString(ping.ClientID, "")
			body = fmt.Appendf(nil, `{"clientID":"client-%d"}`, i)
		}
		all = append(all, sample{m, body})
	}
	load(t, b, "x", Options{}, all)
	load(t, b, "y", Options{}, plain(50, 100)) // all have clients
	o := forget("client-23", "client-104")
	inner := o.DropBody
	calls := 0
	o.DropBody = func(m *ping.Meta, body []byte) bool {
		if len(m.Text(ping.ClientID)) > 0 || len(body) > 100 {
			t.Errorf("asked for %.50q of client %q", body, m.Text(ping.ClientID))
		}
		calls++
		return inner(m, body)
	}
	o.BufferBytes = 4 << 20
	keep := func(r *rowfile.Record) bool {
		return !bytes.Contains(r.Body, []byte(`"client-23"`)) && !bytes.Contains(r.Body, []byte(`"client-104"`))
	}
	want := rowsOf(t, b, p, keep)
	got, err := RewriteDay(ctx, b, p.day, p.docType, o)
	if err != nil || got.Rows != 2 || got.Files != 1 || calls < 24 || calls > 48 {
		t.Fatalf("%+v, %v, asked %d times", got, err, calls)
	}
	if rows := rowsOf(t, b, p, nil); !slices.Equal(rows, want) {
		t.Error("the rows or their order changed")
	}
	o.Load = "re-d2"
	if got, err := RewriteDay(ctx, b, p.day, p.docType, o); err != nil || got.Load != "" {
		t.Errorf("once more: %+v, %v", got, err)
	}
}

// TestRewriteErrors removes rejected submissions of several days by body,
// headers and path.
func TestRewriteErrors(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		for i := range 3 {
			w, err := NewWriter(ctx, b, Options{})
			require.NoError(t, err)
			for j := range 30 {
				e := &Rejected{Class: "json", Message: "no <object>", Path: fmt.Sprintf("/submit/%d", j),
					Headers: map[string]string{"Date": "x & y", "User": fmt.Sprint("u", j)}, Body: fmt.Appendf(nil, "\x1f\x8b%d\xff", j)}
				if j%2 == 0 {
					e.Meta.SetString(ping.SubmissionDate, "20180601")
				}
				require.NoError(t, w.AppendError(e))
			}
			if _, err := w.Close(ctx, fmt.Sprint("x", i)); err != nil {
				t.Fatal(err)
			}
		}
		drop := func(path, user string, body []byte) bool {
			return path == "/submit/4" || user == "u6" || bytes.Contains(body, []byte("\x8b8\xff")) || user == "u9"
		}
		for _, day := range []ping.Day{"20180601", ""} {
			p := partition{day: day, kind: rowfile.Rejected}
			o := RewriteOptions{Load: "re-" + string(day) + "-1", DropRejected: func(r *Rejected) bool {
				return drop(r.Path, r.Headers["User"], r.Body)
			}}
			total := len(rowsOf(t, b, p, nil))
			want := rowsOf(t, b, p, func(r *rowfile.Record) bool { d, _ := o.dropsRejected(r); return !d })
			got, err := RewriteErrors(ctx, b, day, o)
			if err != nil || got.Files != 3 || got.Rows != int64(total-len(want)) || got.Rows == 0 {
				t.Errorf("day %q: %+v, %v", day, got, err)
			}
			if rows := rowsOf(t, b, p, nil); !slices.Equal(rows, want) {
				t.Errorf("day %q: the rows or their order changed", day)
			}
		}
	})
}

// TestRewriteSameBytes rewrites equal archives.
func TestRewriteSameBytes(t *testing.T) {
	build := func() []string {
		b := store.NewMemory()
		r := rand.New(rand.NewPCG(52, 52))
		for i := range 3 {
			all := randomSamples(r, 300, 10_000)
			clients(r, all, 10)
			load(t, b, fmt.Sprint("x", i), Options{}, all)
		}
		o := forget("client-3")
		o.BufferBytes = 1 << 20
		if _, err := RewriteDay(ctx, b, "20180601", "main", o); err != nil {
			t.Fatal(err)
		}
		return contents(t, b)
	}
	if x, y := build(), build(); !slices.Equal(x, y) {
		t.Errorf("they differ:\n%s\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
}
