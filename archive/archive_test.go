package archive

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

var ctx = context.Background()

// randomMeta has any mix of present, absent and odd members, but a day.
func randomMeta(r *rand.Rand) *ping.Meta {
	var m ping.Meta
	texts := []string{"", "a", "release", "ÄÖ", "\x00", "q\"uote", "a much longer text than the others have"}
	for f := range ping.XDebugID { // the others make another layout: TestHeaders
		switch {
		case r.IntN(3) == 0:
		case f.IsInt():
			m.SetInt(f, int64(r.Uint64()))
		default:
			m.SetString(f, texts[r.IntN(len(texts))])
		}
	}
	m.SetString(ping.AppName, "Firefox") // one value in every row
	m.SetString(ping.SourceName, ping.Telemetry)
	m.Clear(ping.Host) // and none
	m.SetString(ping.DocTypeField, []string{"main", "crash"}[r.IntN(2)])
	m.SetString(ping.SubmissionDate, fmt.Sprintf("2018060%d", 1+r.IntN(2)))
	if r.IntN(4) > 0 {
		m.SetInt(ping.SampleID, r.Int64N(100))
	}
	if r.IntN(4) > 0 {
		m.SetInt(ping.Timestamp, r.Int64N(5))
	}
	if r.IntN(4) > 0 {
		m.SetString(ping.DocumentID, fmt.Sprint(r.IntN(50)))
	}
	return &m
}

func randomSamples(r *rand.Rand, n, size int) []sample {
	all := make([]sample, n)
	for i := range all {
		all[i] = sample{randomMeta(r), telemetryBody(r, r.IntN(size+1))}
		if r.IntN(10) == 0 {
			all[i].body = nil
		}
	}
	return all
}

// load appends the samples in one load.
func load(t testing.TB, b store.Bucket, name string, opts Options, all []sample) Summary {
	t.Helper()
	s, err := tryLoad(b, name, opts, all)
	require.NoError(t, err)
	return s
}

func tryLoad(b store.Bucket, name string, opts Options, all []sample) (Summary, error) {
	w, err := NewWriter(ctx, b, opts)
	if err != nil {
		return Summary{}, err
	}
	defer w.Abort()
	var m ping.Meta
	for _, s := range all {
		// The writer must copy what it is given.
		body := bytes.Clone(s.body)
		if err := m.ParseJSON(s.meta.AppendJSON(nil)); err != nil {
			return Summary{}, err
		}
		if err := w.Append(&m, body); err != nil {
			return Summary{}, err
		}
		clear(body)
	}
	return w.Close(ctx, name)
}

// expected returns the order in which the archive must give the samples of a day.
func expected(all []sample, day, docType string, lo, hi int) []sample {
	var want []sample
	for _, s := range all {
		n := rowfile.SampleOf(s.meta)
		if string(s.meta.Text(ping.SubmissionDate)) == day && string(s.meta.Text(ping.DocTypeField)) == docType && n >= lo && n <= hi {
			want = append(want, s)
		}
	}
	slices.SortStableFunc(want, func(x, y sample) int {
		kx, ky := rowfile.KeyOf(x.meta), rowfile.KeyOf(y.meta)
		return kx.Compare(&ky)
	})
	return want
}

func render(m *ping.Meta, body []byte) string {
	return string(m.AppendJSON(nil)) + string(body)
}

func checkRange(t *testing.T, d *Day, want []sample, lo, hi int) {
	t.Helper()
	i := 0
	for p, err := range d.Pings(ctx, lo, hi) {
		require.NoError(t, err)
		if i == len(want) {
			t.Fatalf("samples %d to %d: more than %d pings", lo, hi, len(want))
		}
		if got, want := render(&p.Meta, p.Body), render(want[i].meta, want[i].body); got != want {
			t.Fatalf("samples %d to %d, ping %d:\n got %.300s\nwant %.300s", lo, hi, i, got, want)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("samples %d to %d: %d pings instead of %d", lo, hi, i, len(want))
	}
}

func checkDays(t *testing.T, b store.Bucket, all []sample) {
	t.Helper()
	for _, day := range []string{"20180601", "20180602"} {
		for _, docType := range []string{"main", "crash"} {
			d, err := OpenDay(ctx, b, ping.Day(day), ping.DocType(docType))
			require.NoError(t, err)
			for _, r := range [][2]int{{0, 100}, {0, 99}, {100, 100}, {0, 0}, {7, 7}, {40, 62}, {99, 100}} {
				checkRange(t, d, expected(all, day, docType, r[0], r[1]), r[0], r[1])
			}
			if want := expected(all, day, docType, 0, 100); d.Rows() != int64(len(want)) {
				t.Errorf("day %s has %d rows instead of %d", day, d.Rows(), len(want))
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		all := randomSamples(rand.New(rand.NewPCG(1, 1)), 3000, 3000)
		s := load(t, b, "one", Options{}, all)
		if s.Pings != 3000 || s.Errors != 0 || s.Files != 4 || s.AlreadyLoaded || s.Load != "one" ||
			!slices.Equal(s.Days, []ping.Day{"20180601", "20180602"}) {
			t.Errorf("summary is %+v", s)
		}
		checkDays(t, b, all)
	})
}

// TestManyFiles makes far more than the buffers hold, so that files are
// written on the way, bodies wait compressed, and reading merges.
func TestManyFiles(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		r := rand.New(rand.NewPCG(2, 2))
		var all []sample
		for i, opts := range []Options{{BufferBytes: 2 << 20}, {BufferBytes: 3 << 20, Flushers: 3}, {}} {
			more := randomSamples(r, 1500, 20_000)
			s := load(t, b, fmt.Sprintf("load-%d", i), opts, more)
			if opts.BufferBytes > 0 && s.Files < 8 {
				t.Errorf("load %d made only %d files", i, s.Files)
			}
			all = append(all, more...)
		}
		// Equal rows come in the order of files; make them the same.
		for i := range all {
			all[i].meta.SetString(ping.URI, "same")
		}
		checkDaysUnordered(t, b, all)
	})
}

// checkDaysUnordered checks that the order is right and the rows are all
// there, but not the order among rows with equal keys.
func checkDaysUnordered(t *testing.T, b store.Bucket, all []sample) {
	t.Helper()
	d, err := OpenDay(ctx, b, "20180601", "main")
	require.NoError(t, err)
	for _, r := range [][2]int{{0, 100}, {13, 13}, {90, 100}} {
		want := expected(all, "20180601", "main", r[0], r[1])
		left := map[string]int{}
		for _, s := range want {
			left[string(s.body)]++
		}
		i := 0
		for p, err := range d.Pings(ctx, r[0], r[1]) {
			require.NoError(t, err)
			k, wk := rowfile.KeyOf(&p.Meta), rowfile.KeyOf(want[i].meta)
			if k.Compare(&wk) != 0 {
				t.Fatalf("ping %d has key %+v instead of %+v", i, k, wk)
			}
			left[string(p.Body)]--
			i++
		}
		for body, n := range left {
			if n != 0 {
				t.Fatalf("body %.40q: %d too few", body, n)
			}
		}
		if i != len(want) {
			t.Fatalf("%d pings instead of %d", i, len(want))
		}
	}
}

// TestSameBytes loads the same input twice into different places.
func TestSameBytes(t *testing.T) {
	all := randomSamples(rand.New(rand.NewPCG(3, 3)), 1000, 20_000)
	opts := Options{BufferBytes: 2 << 20, Flushers: 2}
	a, b := store.NewMemory(), store.NewMemory()
	load(t, a, "x", opts, all)
	load(t, b, "x", opts, all)
	if x, y := contents(t, a), contents(t, b); !slices.Equal(x, y) {
		t.Errorf("two loads of the same input differ:\n%s\n%s", x, y)
	}
}

// contents lists the objects of a bucket, without the mark that the index is complete.
func contents(t testing.TB, b store.Bucket) []string { return storetest.Contents(t, b, indexComplete) }

func TestLoadTwice(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		all := randomSamples(rand.New(rand.NewPCG(4, 4)), 300, 500)
		first := load(t, b, "same", Options{}, all)
		before := contents(t, b)
		d, err := OpenDay(ctx, b, "20180601", "main")
		require.NoError(t, err)
		generation := d.Generation()
		again := load(t, b, "same", Options{BufferBytes: 100 << 10}, all)
		if !again.AlreadyLoaded {
			t.Errorf("the second load is not recognised: %+v", again)
		}
		again.AlreadyLoaded = false
		if fmt.Sprint(again) != fmt.Sprint(first) {
			t.Errorf("the second load says %+v, the first said %+v", again, first)
		}
		if after := contents(t, b); !slices.Equal(before, after) {
			t.Errorf("the second load changed the archive:\n%s\n%s", before, after)
		}
		if d, _ := OpenDay(ctx, b, "20180601", "main"); d.Generation() != generation {
			t.Error("the generation changed")
		}
		load(t, b, "other", Options{}, all)
		if d, _ := OpenDay(ctx, b, "20180601", "main"); d.Generation() == generation {
			t.Error("the generation did not change with a new load")
		}
	})
}
