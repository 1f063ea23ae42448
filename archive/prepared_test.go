package archive

import (
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

var preparedTable = rowfile.PreparedTable{Name: "t", Key: "k"}

// loadPrepared is tryLoad with prepared rows of all samples.
func loadPrepared(b store.Bucket, name string, all []sample) error {
	tables := func(ping.DocType) []rowfile.PreparedTable { return []rowfile.PreparedTable{{Name: "other"}, preparedTable} }
	w, err := NewWriter(ctx, b, Options{Prepared: tables})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, s := range all {
		w.Prepare([]byte("rows of " + string(s.meta.Text(ping.DocumentID))))
		if err := w.Append(s.meta, s.body); err != nil {
			return err
		}
	}
	_, err = w.Close(ctx, name)
	return err
}

// checkPrepared compares PreparedPings with Pings, and returns how many pings came with prepared rows.
func checkPrepared(t *testing.T, b store.Bucket, day ping.Day, docType ping.DocType, lo, hi int) (prepared int) {
	t.Helper()
	d, err := OpenDay(ctx, b, day, docType)
	require.NoError(t, err)
	var want []string
	var bodies []string
	for p, err := range d.Pings(ctx, lo, hi) {
		require.NoError(t, err)
		want, bodies = append(want, string(p.Meta.AppendJSON(nil))), append(bodies, string(p.Body))
	}
	i := 0
	rows := &rowfile.Preparations{Table: preparedTable, Damaged: func(err error) { t.Error(err) }}
	for p, err := range d.PreparedPings(ctx, lo, hi, rows) {
		require.NoError(t, err)
		require.Less(t, i, len(want))
		require.Equal(t, want[i], string(p.Meta.AppendJSON(nil)))
		if p.Prepared == nil {
			require.Equal(t, bodies[i], string(p.Body))
		} else {
			require.Equal(t, "rows of "+string(p.Meta.Text(ping.DocumentID)), string(p.Prepared))
			require.Equal(t, 1, p.Place)
			require.Nil(t, p.Body)
			prepared++
		}
		i++
	}
	require.Len(t, want, i)
	return prepared
}

var preparedParts = []struct {
	day     ping.Day
	docType ping.DocType
}{{"20180601", "main"}, {"20180601", "crash"}, {"20180602", "main"}, {"20180602", "crash"}}

// TestPreparedPings reads ranges of samples of loads with prepared rows and without, in several row groups.
func TestPreparedPings(t *testing.T) {
	b := store.NewMemory()
	all := distinct(7000)
	require.NoError(t, loadPrepared(b, "a", all[:5000]))
	load(t, b, "b", Options{}, all[5000:5500])
	require.NoError(t, loadPrepared(b, "c", all[5500:]))
	prepared := 0
	for _, p := range preparedParts {
		prepared += checkPrepared(t, b, p.day, p.docType, 0, rowfile.NoSample)
	}
	require.Equal(t, 6500, prepared)
	r := rand.New(rand.NewPCG(1, 28))
	for range 30 {
		lo := r.IntN(101)
		p := preparedParts[r.IntN(len(preparedParts))]
		checkPrepared(t, b, p.day, p.docType, lo, lo+r.IntN(101-lo))
	}

	// The files of pings have the same bytes as without.
	other := store.NewMemory()
	load(t, other, "a", Options{}, all[:5000])
	load(t, other, "b", Options{}, all[5000:5500])
	load(t, other, "c", Options{}, all[5500:])
	files := func(b store.Bucket) []string {
		return slices.DeleteFunc(contents(t, b), func(c string) bool { return !strings.HasPrefix(c, naming.Pings) })
	}
	require.Equal(t, files(other), files(b))
}

// TestPreparedCrash kills a load with prepared rows at every operation. After the next writer, or when it is loaded again, each
// ping comes with its prepared rows or with its document.
func TestPreparedCrash(t *testing.T) {
	all := distinct(60)
	storetest.Each(t, func(t *testing.T, _ store.Bucket) {
		prepared := 0
		for n := 0; ; n++ {
			b := crashBucket(t)
			f := storetest.NewFaults(b)
			f.StopAfter(n)
			err := loadPrepared(f, "a", all)
			stopped := f.Stopped()
			if !stopped {
				require.NoError(t, err)
			}
			w, err := NewWriter(ctx, b, Options{})
			require.NoError(t, err)
			require.NoError(t, w.Abort())
			if n%2 == 0 {
				require.NoError(t, loadPrepared(b, "a", all))
			} else {
				load(t, b, "a", Options{}, all)
			}
			prepared = 0
			for _, p := range preparedParts {
				prepared += checkPrepared(t, b, p.day, p.docType, 0, rowfile.NoSample)
			}
			if !stopped {
				break
			}
			require.Contains(t, []int{0, len(all)}, prepared)
		}
		require.Equal(t, len(all), prepared)
	})
}

// TestPreparedRowsOfReplacedFiles: they go with the file.
func TestPreparedRowsOfReplacedFiles(t *testing.T) {
	b := store.NewMemory()
	all := distinct(200)
	require.NoError(t, loadPrepared(b, "a", all[:100]))
	require.NoError(t, loadPrepared(b, "b", all[100:]))
	dropped := string(all[0].meta.Text(ping.DocumentID))
	for _, p := range preparedParts {
		_, err := RewriteDay(ctx, b, p.day, p.docType, RewriteOptions{
			Load: RewriteName(p.day, p.docType, "1"), Owner: "rewrite",
			Drop: func(m *ping.Meta) bool { return string(m.Text(ping.DocumentID)) == dropped },
		})
		require.NoError(t, err)
	}
	prepared := 0
	for _, p := range preparedParts {
		prepared += checkPrepared(t, b, p.day, p.docType, 0, rowfile.NoSample)
	}
	require.Less(t, prepared, 200)
	require.Greater(t, prepared, 100)
	for _, c := range contents(t, b) {
		name, _, _ := strings.Cut(c, " ")
		if !strings.HasPrefix(name, naming.Prepared) {
			continue
		}
		r, err := b.Open(ctx, naming.FileOfPrepared(name))
		require.NoError(t, err)
		require.NoError(t, r.Close())
		data, err := store.ReadFile(ctx, b, name)
		require.NoError(t, err)
		require.NotContains(t, string(data), dropped)
	}
}
