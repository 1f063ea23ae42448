package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// plain makes n pings of one day, spread evenly over samples and in time.
func plain(n, size int) []sample {
	r := rand.New(rand.NewPCG(20, 20))
	all := make([]sample, n)
	for i := range all {
		m := telemetryMeta(r, benchDay)
		m.SetInt(ping.SampleID, int64(i%100))
		m.SetInt(ping.Timestamp, benchDay+int64(i))
		all[i] = sample{m, telemetryBody(r, size)}
	}
	return all
}

// TestForeignReader reads a file with another maker's library.
func TestForeignReader(t *testing.T) {
	b := store.NewMemory()
	all := plain(500, 5000)
	all[0].meta.Clear(ping.GeoCity)
	all[0].meta.SetString(ping.OS, "")
	load(t, b, "x", Options{}, all)
	data, err := store.ReadFile(ctx, b, "pings/v1/submission_date_obj=20180604/doc_type=main/x-000001.parquet")
	require.NoError(t, err)
	type row struct {
		DocumentID string  `parquet:"documentId,optional"`
		SampleID   *int64  `parquet:"sampleId,optional"`
		Timestamp  *int64  `parquet:"timestamp,optional"`
		OS         *string `parquet:"os,optional"`
		GeoCity    *string `parquet:"geoCity,optional"`
		Host       *string `parquet:"Host,optional"`
		URI        *string `parquet:"uri,optional"`
		Ping       []byte  `parquet:"ping"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	byID := map[string]sample{}
	for _, s := range all {
		byID[string(s.meta.Text(ping.DocumentID))] = s
	}
	last := int64(-1)
	for _, r := range rows {
		s, ok := byID[r.DocumentID]
		if !ok {
			t.Fatalf("document %q is not ours", r.DocumentID)
		}
		n, _ := s.meta.Int(ping.SampleID)
		ns, _ := s.meta.Int(ping.Timestamp)
		if *r.SampleID != n || *r.Timestamp != ns || string(r.Ping) != string(s.body) || *r.OS != string(s.meta.Text(ping.OS)) ||
			(r.GeoCity == nil) != (s.meta.Text(ping.GeoCity) == nil) || r.URI != nil || *r.Host != string(s.meta.Text(ping.Host)) {
			t.Fatalf("row %+v is not %s", r, s.meta.AppendJSON(nil))
		}
		if n < last {
			t.Fatalf("sample %d after %d", n, last)
		}
		last = n
	}
	if len(rows) != len(all) {
		t.Errorf("%d rows instead of %d", len(rows), len(all))
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	if n := len(f.RowGroups()); n < 2 || !strings.HasPrefix(f.Metadata().CreatedBy, "pingmill") {
		t.Errorf("%d row groups, created by %s", n, f.Metadata().CreatedBy)
	}
}

// counted counts the bytes read through it.
type counted struct {
	store.Bucket
	mu    sync.Mutex
	bytes int64
	open  int
	most  int
}

type countedReader struct {
	store.Reader
	b *counted
}

func (c *counted) Open(ctx context.Context, name string) (store.Reader, error) {
	r, err := c.Bucket.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open++
	c.most = max(c.most, c.open)
	return &countedReader{r, c}, nil
}

func (r *countedReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(p, off)
	r.b.mu.Lock()
	defer r.b.mu.Unlock()
	r.b.bytes += int64(n)
	return n, err
}

func (r *countedReader) Close() error {
	r.b.mu.Lock()
	defer r.b.mu.Unlock()
	r.b.open--
	return r.Reader.Close()
}

// TestReadsLittle checks that a sample costs its row groups only, and that
// files whose turn has not come are not open.
func TestReadsLittle(t *testing.T) {
	b := &counted{Bucket: store.NewMemory()}
	all := plain(600, 40_000)
	for i, s := range all { // enough of each sample for a row group in each load
		s.meta.SetInt(ping.SampleID, int64(i%4*25))
	}
	const loads = 3
	for i := range loads { // each of its own time
		part := all[i*len(all)/loads : (i+1)*len(all)/loads]
		load(t, b, fmt.Sprintf("x%d", i), Options{BufferBytes: 1 << 30}, part)
	}
	d, err := OpenDay(ctx, b, "20180604", "main")
	require.NoError(t, err)
	read := func(lo, hi int) (rows int) {
		b.bytes, b.most = 0, 0
		for _, err := range d.Pings(ctx, lo, hi) {
			require.NoError(t, err)
			rows++
		}
		if b.open != 0 {
			t.Errorf("%d files are still open", b.open)
		}
		return rows
	}
	if n := read(0, 100); n != len(all) {
		t.Fatalf("%d rows instead of %d", n, len(all))
	}
	whole := b.bytes
	if b.most > loads {
		t.Errorf("%d files of %d were open at a time", b.most, loads)
	}
	if n := read(20, 30); n != len(all)/4 {
		t.Errorf("%d rows of sample 25", n)
	}
	if b.most > 2 { // each stays open until its last row
		t.Errorf("%d files of %d were open at a time for one sample", b.most, loads)
	}
	if b.bytes > whole/3 {
		t.Errorf("one sample took %d bytes of %d", b.bytes, whole)
	}
	if n := read(100, 100); n != 0 || b.bytes != 0 {
		t.Errorf("no sample took %d bytes for %d rows", b.bytes, n)
	}
}

// TestConcurrentReaders reads one Day by several goroutines.
func TestConcurrentReaders(t *testing.T) {
	b := store.NewMemory()
	all := plain(1000, 3000)
	load(t, b, "x", Options{BufferBytes: 1 << 20}, all)
	d, err := OpenDay(ctx, b, "20180604", "main")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for lo := 0; lo < 100; lo += 10 {
		wg.Go(func() {
			n := 0
			for p, err := range d.Pings(ctx, lo, lo+9) {
				if err != nil {
					t.Error(err)
					return
				}
				if s, _ := p.Meta.Int(ping.SampleID); int(s) < lo || int(s) > lo+9 {
					t.Errorf("sample %d in %d to %d", s, lo, lo+9)
				}
				n++
			}
			if n != 100 {
				t.Errorf("%d rows from sample %d on", n, lo)
			}
		})
	}
	wg.Wait()
}

func TestReadStops(t *testing.T) {
	b := &counted{Bucket: store.NewMemory()}
	load(t, b, "x", Options{}, plain(300, 3000))
	d, err := OpenDay(ctx, b, "20180604", "main")
	require.NoError(t, err)
	for range d.Pings(ctx, 0, 100) {
		break
	}
	if b.open != 0 {
		t.Errorf("%d files stay open after a break", b.open)
	}
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	n := 0
	for _, err := range d.Pings(c, 0, 100) {
		if n++; n == 10 {
			cancel()
		}
		if n == 11 && !errors.Is(err, context.Canceled) || n > 11 {
			t.Fatalf("step %d after the end of the context: %v", n, err)
		}
	}
	for _, r := range [][2]int{{-1, 5}, {5, 4}, {0, 101}} {
		for _, err := range d.Pings(ctx, r[0], r[1]) {
			if err == nil {
				t.Errorf("samples %v: no error", r)
			}
		}
	}
}
