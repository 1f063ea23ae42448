package archive

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// earlierSamples returns the pings of testdata/earlier, which a version made that wrote its files with arrow-go: pages
// without checksums, sums of row groups.
func earlierSamples() []sample { return randomSamples(rand.New(rand.NewPCG(31, 32)), 200, 1500) }

// earlierRejected returns its rejected submissions.
func earlierRejected() (all []*Rejected) {
	for i := range 20 {
		e := &Rejected{Class: "json", Message: "broken", Path: "/submit", Headers: map[string]string{"DNT": "1"}, Body: []byte{byte(i), 0xff, 0}}
		e.Meta.SetString(ping.SubmissionDate, "20180601")
		if i%3 == 0 {
			e.Meta.SetInt(ping.Timestamp, int64(i))
			e.Headers = nil
		}
		all = append(all, e)
	}
	return all
}

// earlier returns a copy of that archive.
func earlier(t *testing.T) store.Bucket {
	t.Helper()
	b, from := store.NewMemory(), os.DirFS("testdata/earlier")
	err := fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(from, name)
		return errors.Join(err, store.WriteFile(ctx, b, name, data))
	})
	require.NoError(t, err)
	return b
}

// TestEarlierFiles reads files of an earlier layout, and replaces them.
func TestEarlierFiles(t *testing.T) {
	b, all := earlier(t), earlierSamples()
	check := func(want []sample) {
		t.Helper()
		d, err := OpenDay(ctx, b, "20180601", "main")
		require.NoError(t, err)
		checkRange(t, d, expected(want, "20180601", "main", 0, 100), 0, 100)
		checkRange(t, d, expected(want, "20180601", "main", 20, 40), 20, 40)
	}
	check(all)
	e, err := OpenErrors(ctx, b, "20180601")
	require.NoError(t, err)
	rejected := 0
	for r, err := range e.All(ctx) {
		require.NoError(t, err)
		if want := earlierRejected()[r.Body[0]]; string(r.Body) != string(want.Body) || r.Headers["DNT"] != want.Headers["DNT"] {
			t.Errorf("rejected submission %v is not %v", r, want)
		}
		rejected++
	}
	if rejected != len(earlierRejected()) {
		t.Errorf("%d rejected submissions", rejected)
	}
	drop := func(m *ping.Meta) bool { s, _ := m.Int(ping.SampleID); return s%2 == 1 }
	if _, err := RewriteDay(ctx, b, "20180601", "main", RewriteOptions{Load: RewriteName("20180601", "main", "x"), Drop: drop}); err != nil {
		t.Fatal(err)
	}
	check(slices.DeleteFunc(all, func(s sample) bool { return drop(s.meta) }))
}

// TestEarlierFlippedBits finds a wrong bit anywhere in a file of an earlier layout.
func TestEarlierFlippedBits(t *testing.T) {
	b, all := earlier(t), earlierSamples()
	flipBits(t, b, "pings/v1/submission_date_obj=20180601/doc_type=main/x-000002.parquet", expected(all, "20180601", "main", 0, 100))
}
