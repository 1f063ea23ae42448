package loader

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// poisoned panics over some submissions; all others the decoder takes.
type poisoned struct {
	decoder
	is func(*ingest.Submission) bool
}

func (p *poisoned) Decode(s *ingest.Submission, out *ingest.Outcome) {
	if p.is(s) {
		panic("poison")
	}
	p.decoder.Decode(s, out)
}

// TestDecodeOutlivesPanics: submissions over which decoding panics are rejected and
// kept, all others are decoded, now and after a restart, and a replay with a
// mended decoder takes them.
func TestDecodeOutlivesPanics(t *testing.T) {
	g, records := population(t, 30, 2)
	want := loaded(t, g)
	s := sitetest.Memory(t, store.NewMemory())
	v := newService(t, s)
	bad := map[string]bool{}
	for _, r := range records[:len(records)/4] {
		bad[string(r.URI)] = true
	}
	v.opts.decode = func(d *ingest.Decoder) decoder {
		return &poisoned{d, func(s *ingest.Submission) bool { return bad[string(s.URI)] }}
	}
	counted := 0
	v.opts.Decoded = func(_ *ping.Meta, class, _ string) {
		if class == ingest.ClassInternal {
			counted++
		}
	}
	for _, part := range [][]int{{0, len(records) / 2}, {len(records) / 2, len(records)}} { // with a restart between
		v.start()
		v.send(records[part[0]:part[1]])
		v.finish()
	}
	n := 0
	for r, err := range mustErrors(t, s, "20180301").All(context.Background()) {
		require.NoError(t, err)
		if r.Class != ingest.ClassInternal {
			continue
		}
		n++
		if !bad[r.Path] || len(r.Body) == 0 || !strings.HasPrefix(r.Message, "panic: poison\n") ||
			!strings.Contains(r.Message, "poisoned).Decode") {
			t.Errorf("%s is kept with %q", r.Path, r.Message)
		}
	}
	if n == 0 || n != counted {
		t.Errorf("%d are kept as %s, %d were counted", n, ingest.ClassInternal, counted)
	}
	if _, err := Replay(context.Background(), s,
		ReplayOptions{Classes: []string{ingest.ClassInternal}, Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	got := archivedCounts(t, s)
	for key := range got {
		if !strings.HasPrefix(key, "ping ") {
			delete(got, key)
		}
	}
	for key := range want {
		if !strings.HasPrefix(key, "ping ") {
			delete(want, key)
		}
	}
	sameCounts(t, "pings after the replay", got, want)
}

func mustErrors(t *testing.T, s *site.Site, day ping.Day) *archive.Errors {
	t.Helper()
	e, err := archive.OpenErrors(context.Background(), s.Archive, day)
	require.NoError(t, err)
	return e
}

// spoilt is an archive's writer that panics over pings.
type spoilt struct{ *archive.Writer }

func (s spoilt) Append(*ping.Meta, []byte) error { panic("spoilt") }

// TestLoadRejectsPanics: the same where there is no decoder at all, and for what
// only the archive's writer panics over.
func TestLoadRejectsPanics(t *testing.T) {
	ctx := context.Background()
	s := sitetest.Memory(t, store.NewMemory())
	w, err := archive.NewWriter(ctx, s.Archive, archive.Options{})
	require.NoError(t, err)
	var loaded Loaded
	l := loader{writer: spoilt{w}, loaded: &loaded, forgets: &forgets{set: &forget.Set{}}}
	o := l.decode(ctx, &record{rec: format.Record{Kind: format.Submission, URI: []byte("/x"), Body: []byte("b"), Timestamp: 1}}, nil)
	if o.class != ingest.ClassInternal || !strings.HasPrefix(o.message, "panic: ") {
		t.Errorf("outcome %q %q", o.class, o.message)
	}
	var m ping.Meta
	m.SetString(ping.DocTypeField, "main")
	m.SetString(ping.SubmissionDate, "19700101")
	for _, o := range []outcome{o, {meta: m, body: []byte("{}")}} {
		assert.NoError(t, l.append(&o))
	}
	if _, err := w.Close(ctx, "load"); err != nil {
		t.Fatal(err)
	}
	var bodies []string
	for r, err := range mustErrors(t, s, "19700101").All(ctx) {
		require.NoError(t, err)
		if r.Class == ingest.ClassInternal {
			bodies = append(bodies, string(r.Body))
		}
	}
	if slices.Sort(bodies); !slices.Equal(bodies, []string{"b", "{}"}) {
		t.Errorf("kept are %q", bodies)
	}
}

// TestRowPanics: a ping that a transform panics over has no row, and those before
// and after it have theirs.
func TestRowPanics(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	tab, err := schema.Find(s.Tables, "main_summary")
	require.NoError(t, err)
	var m ping.Meta
	m.SetString(ping.DocumentID, "d")
	m.SetString(ping.SubmissionDate, "20180301")
	m.SetInt(ping.Timestamp, 1)
	body := []byte(`{"version":4,"environment":{"settings":{"locale":"de"}}}`)
	rows := etl.NewPingRows(tab, s.Probes, nil)
	good, small := column.NewBatch(tab.Columns), column.NewBatch(tab.Columns[:5])
	for range 3 {
		if !rows.Append(good, &m, body) {
			t.Error("no row")
		}
		if rows.Append(small, &m, body) || small.Rows != 0 { // it lacks columns: the transform panics
			t.Error("a row without its columns")
		}
	}
	good.Finish()
	w, lines := column.NewRowWriter(good), map[string]bool{}
	for range good.Rows {
		lines[string(w.AppendRow(nil))] = true
	}
	if good.Rows != 3 || len(lines) != 1 {
		t.Errorf("%d rows, %d different ones", good.Rows, len(lines))
	}
}
