package archive

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// twoLoads is an archive of two loads, of packed and other pings.
func twoLoads(t *testing.T, b store.Bucket, n int) {
	t.Helper()
	all := distinct(n)
	loadPacked(t, b, "a", Options{Requests: 3}, all[:n/2], func(i int) bool { return i%2 == 0 })
	loadPacked(t, b, "b", Options{Requests: 5}, all[n/2:], func(int) bool { return true })
}

func generation(t *testing.T, b store.Bucket) (string, *Day) {
	t.Helper()
	d, err := OpenDay(ctx, b, "20180601", "main")
	require.NoError(t, err)
	return d.Generation(), d
}

// TestCompact brings a day into one file, with the same pings and the same generation; done again it changes nothing.
func TestCompact(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		twoLoads(t, b, 400)
		want, before := texts(t, b, "main", 0, 100), 0
		was, d := generation(t, b)
		require.False(t, d.Compact())
		before = d.Files()
		others := texts(t, b, "crash", 0, 100)
		r, err := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay"})
		require.NoError(t, err)
		if r.Files != before || r.Rows != 0 || r.Before != was || r.After != was {
			t.Errorf("%+v of %d files", r, before)
		}
		now, d := generation(t, b)
		if now != was || d.Files() != 1 || !d.Compact() || d.Rows() != int64(len(want)) {
			t.Errorf("%s instead of %s, %d files, %d rows", now, was, d.Files(), d.Rows())
		}
		require.Equal(t, want, texts(t, b, "main", 0, 100))
		require.Equal(t, others, texts(t, b, "crash", 0, 100))
		l, _, err := Loaded(ctx, b, r.Load)
		require.NoError(t, err)
		if l.Format != loadFormat || l.Requests != 3 || len(l.Files[0].For) != before {
			t.Errorf("%+v", l)
		}
		again, err := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay"})
		require.NoError(t, err)
		require.Equal(t, Rewritten{Before: was, After: was}, again)
		_, damage, err := Files(ctx, b)
		require.NoError(t, err)
		require.Empty(t, damage)
	})
}

// TestCompactMore compacts a day to which pings came later, and one of which rows were removed.
func TestCompactMore(t *testing.T) {
	b := store.NewMemory()
	twoLoads(t, b, 400)
	was, _ := generation(t, b)
	_, err := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay", BufferBytes: 100 << 10})
	require.NoError(t, err)
	now, d := generation(t, b)
	if now != was || d.Files() < 3 {
		t.Fatalf("%s instead of %s, %d files", now, was, d.Files())
	}
	late := distinct(450)[400:]
	load(t, b, "late", Options{}, late)
	want := texts(t, b, "main", 0, 100)
	other, _ := generation(t, b)
	require.NotEqual(t, was, other)
	_, err = CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay", BufferBytes: 100 << 10})
	require.NoError(t, err)
	now, d = generation(t, b)
	require.Equal(t, other, now)
	require.True(t, d.Compact())
	require.Equal(t, want, texts(t, b, "main", 0, 100))

	removed := func(m *ping.Meta) bool { s, ok := m.Int(ping.SampleID); return ok && s < 10 }
	r, err := RewriteDay(ctx, b, "20180601", "main",
		RewriteOptions{Load: RewriteName("20180601", "main", "x"), Owner: "replay", Drop: removed})
	require.NoError(t, err)
	now, d = generation(t, b)
	if r.Before != other || r.After != now || now == other || r.Rows == 0 || !d.Compact() {
		t.Errorf("%+v, before %s, now %s", r, other, now)
	}
	want = texts(t, b, "main", 0, 100)
	c, err := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay"})
	require.NoError(t, err)
	require.Equal(t, Rewritten{Before: now, After: now}, c)

	// Some of the files that the removal made are replaced again, and then pings come.
	replaced := d.files[slices.IndexFunc(d.files, func(f *dayFile) bool { return strings.HasSuffix(f.Name, ".x-000001.parquet") })].Name
	first := func(m *ping.Meta) bool { s, ok := m.Int(ping.SampleID); return ok && s >= 10 && s < 20 }
	r, err = RewriteDay(ctx, b, "20180601", "main",
		RewriteOptions{Load: RewriteName("20180601", "main", "y"), Owner: "replay", Drop: first})
	require.NoError(t, err)
	later, d := generation(t, b)
	if r.Before != now || r.After != later || r.Rows == 0 || slices.Contains(d.Names(), replaced) || !d.Compact() || d.Files() <= r.Files {
		t.Errorf("%+v, before %s, now %s: %v", r, now, later, d.Names())
	}
	load(t, b, "later", Options{}, distinct(460)[450:])
	want = texts(t, b, "main", 0, 100)
	now, d = generation(t, b)
	require.False(t, d.Compact())
	c, err = CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay"})
	require.NoError(t, err)
	if c.Before != now || c.After != now || c.Load == "" {
		t.Errorf("%+v, want %s", c, now)
	}
	require.Equal(t, want, texts(t, b, "main", 0, 100))
}

// TestCompactCrash kills a compaction at every call of the bucket: readers find all pings at any time, and the
// next compaction finishes it.
func TestCompactCrash(t *testing.T) {
	full := store.NewMemory()
	twoLoads(t, full, 40)
	want := texts(t, full, "main", 0, 100)
	was, _ := generation(t, full)
	for n := 1; ; n++ {
		b := store.NewMemory()
		twoLoads(t, b, 40)
		faulty := storetest.NewFaults(b)
		faulty.StopAfter(n)
		_, err := CompactDay(ctx, faulty, "20180601", "main", RewriteOptions{Owner: "replay"})
		require.Equal(t, want, texts(t, b, "main", 0, 100), "call %d", n)
		now, _ := generation(t, b)
		require.Equal(t, was, now)
		_, again := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay"})
		require.NoError(t, again)
		require.Equal(t, want, texts(t, b, "main", 0, 100), "call %d", n)
		now, d := generation(t, b)
		if now != was || !d.Compact() {
			t.Fatalf("call %d: %s instead of %s", n, now, was)
		}
		if err == nil {
			break
		}
	}
}

// TestCompactTies compacts days of pings with equal places in the order: without timestamp, document id or sample, packed and
// not, in several loads and row groups.
func TestCompactTies(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := store.NewMemory()
		share := func(n int) bool { return r.IntN(n) == 0 }
		for load := range 2 + r.IntN(2) {
			all := randomSamples(r, 20+r.IntN(400), 3000)
			for _, s := range all {
				s.meta.SetInt(ping.SampleID, int64(r.IntN(3)))
				s.meta.SetInt(ping.Timestamp, int64(r.IntN(4)))
				s.meta.SetString(ping.DocumentID, fmt.Sprint("d", r.IntN(3)))
				for _, field := range []ping.MetaField{ping.SampleID, ping.Timestamp, ping.DocumentID} {
					if share(3) {
						s.meta.Clear(field)
					}
				}
			}
			loadPacked(t, b, fmt.Sprint("load", load), Options{BufferBytes: 50 << 10}, all, func(int) bool { return share(2) })
		}
		want := texts(t, b, "main", 0, 100)
		_, err := CompactDay(ctx, b, "20180601", "main", RewriteOptions{Owner: "replay", BufferBytes: 60 << 10})
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want, texts(t, b, "main", 0, 100), "seed %d", seed)
	}
}
