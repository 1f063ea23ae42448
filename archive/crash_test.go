package archive

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

func newHash() hash.Hash { return sha256.New() }

// visible counts the rows that a reader finds.
func visible(t *testing.T, b store.Bucket) int64 {
	t.Helper()
	all, err := Days(ctx, b)
	require.NoError(t, err)
	n := int64(0)
	for _, i := range all {
		d, err := OpenDay(ctx, b, i.Day, i.DocType)
		require.NoError(t, err)
		for _, err := range d.Pings(ctx, 0, 100) {
			require.NoError(t, err)
			n++
		}
	}
	return n
}

// TestCrash kills a load at every operation. Readers see nothing or all of it,
// and doing it again gives the same archive as if nothing had happened.
func TestCrash(t *testing.T) {
	all := randomSamples(rand.New(rand.NewPCG(5, 5)), 120, 10_000)
	opts := Options{BufferBytes: 600 << 10}
	reference := store.NewMemory()
	load(t, reference, "x", opts, all)
	want := contents(t, reference)
	for name, open := range map[string]func(t *testing.T) store.Bucket{
		"memory": func(t *testing.T) store.Bucket { return store.NewMemory() },
		"local": func(t *testing.T) store.Bucket {
			b, err := store.OpenLocal(t.TempDir())
			require.NoError(t, err)
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			seenNothing, seenAll := false, false
			for n := 0; ; n++ {
				b := open(t)
				f := storetest.NewFaults(b)
				f.StopAfter(n)
				_, err := tryLoad(f, "x", opts, all)
				rows := visible(t, b)
				if rows != 0 && rows != int64(len(all)) {
					t.Fatalf("stopped after %d operations: %d rows of %d are visible", n, rows, len(all))
				}
				seenNothing, seenAll = seenNothing || rows == 0, seenAll || rows > 0
				if err == nil && !f.Stopped() {
					break
				}
				if _, err := tryLoad(b, "x", opts, all); err != nil {
					t.Fatalf("stopped after %d operations, then: %v", n, err)
				}
				if got := contents(t, b); !slices.Equal(got, want) {
					t.Fatalf("stopped after %d operations, then:\n%s\ninstead of\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			if !seenNothing || !seenAll {
				t.Errorf("saw nothing: %t, saw all: %t", seenNothing, seenAll)
			}
		})
	}
}

// TestFailures lets single operations fail; the process lives on.
func TestFailures(t *testing.T) {
	all := randomSamples(rand.New(rand.NewPCG(6, 6)), 120, 10_000)
	opts := Options{BufferBytes: 600 << 10}
	broken := errors.New("broken")
	for n := 1; ; n++ {
		b := store.NewMemory()
		f := storetest.NewFaults(b)
		f.FailAt(n, broken)
		_, err := tryLoad(f, "x", opts, all)
		if err == nil {
			if f.Ops() < n {
				break
			}
			continue // only the cleaning failed
		}
		if !errors.Is(err, broken) {
			t.Fatalf("operation %d failed, the load says %v", n, err)
		}
		if rows := visible(t, b); rows != 0 {
			t.Fatalf("operation %d failed: %d rows are visible", n, rows)
		}
		load(t, b, "x", opts, all)
		if rows := visible(t, b); rows != int64(len(all)) {
			t.Fatalf("operation %d failed, then %d rows", n, rows)
		}
	}
}

func TestFullDisk(t *testing.T) {
	all := randomSamples(rand.New(rand.NewPCG(7, 7)), 200, 10_000)
	dir := t.TempDir()
	b, err := store.OpenLocal(dir)
	require.NoError(t, err)
	for _, space := range []int64{0, 1000, 60_000} {
		f := storetest.NewFaults(b)
		f.FullAfter(space)
		if _, err := tryLoad(f, "x", Options{BufferBytes: 600 << 10}, all); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("with %d bytes left the error is %v", space, err)
		}
		if c := contents(t, b); len(c) != 0 {
			t.Errorf("with %d bytes left this stays: %s", space, c)
		}
	}
}

// TestLeftovers checks that the next writer of an owner removes what a dead
// one left, and only that.
func TestLeftovers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		all := randomSamples(rand.New(rand.NewPCG(8, 8)), 200, 10_000)
		f := storetest.NewFaults(b)
		f.StopAfter(20)
		if _, err := tryLoad(f, "dead", Options{BufferBytes: 600 << 10}, all); !errors.Is(err, storetest.ErrStopped) {
			t.Fatal(err)
		}
		if len(contents(t, b)) == 0 {
			t.Fatal("nothing is left over")
		}
		other, err := NewWriter(ctx, b, Options{Owner: "other"})
		require.NoError(t, err)
		if len(contents(t, b)) == 0 {
			t.Error("another owner removed it")
		}
		require.NoError(t, other.Abort())
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		if c := contents(t, b); len(c) != 0 {
			t.Errorf("still there: %s", c)
		}
		require.NoError(t, w.Abort())
		if _, err := OpenDay(ctx, b, "20180601", "main"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the day opens: %v", err)
		}
	})
}

// TestWithoutRename places files by copying.
func TestWithoutRename(t *testing.T) {
	f := storetest.NewFaults(store.NewMemory())
	f.Without("rename")
	all := randomSamples(rand.New(rand.NewPCG(9, 9)), 50, 100)
	load(t, f, "x", Options{}, all)
	checkDays(t, f, all)
}

func TestDamage(t *testing.T) {
	all := randomSamples(rand.New(rand.NewPCG(10, 10)), 300, 2000)
	for i := range all {
		all[i].meta.SetString(ping.SubmissionDate, "20180601")
		all[i].meta.SetString(ping.DocTypeField, "main")
	}
	b := store.NewMemory()
	load(t, b, "x", Options{}, all)
	name := "pings/v1/submission_date_obj=20180601/doc_type=main/x-000001.parquet"
	data, err := store.ReadFile(ctx, b, name)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(11, 11))
	for range 300 {
		bad := slices.Clone(data)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(bad))
			if r.IntN(2) == 0 { // the footer and the metadata columns, too
				at = len(bad) - 1 - r.IntN(min(len(bad), 12_000))
			}
			bad[at] ^= 1 << r.IntN(8)
		}
		require.NoError(t, store.WriteFile(ctx, b, name, bad))
		d, err := OpenDay(ctx, b, "20180601", "main")
		require.NoError(t, err)
		n := 0
		for _, err := range d.Pings(ctx, 0, 100) {
			if err != nil && !strings.Contains(err.Error(), name) {
				t.Fatalf("the error does not name the file: %v", err)
			}
			n++
		}
		if n > len(all)+1 {
			t.Fatalf("%d rows from a damaged file", n)
		}
	}
	require.NoError(t, store.WriteFile(ctx, b, name, data[:len(data)-1]))
	if _, err := OpenDay(ctx, b, "20180601", "main"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of another size: %v", err)
	}
}
