package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table"
)

// corpus is the same main pings in several forms.
type corpus struct {
	plain, gzip, zstd, archive     string // paths
	pings                          int64
	bytes, gzipBytes, archiveBytes int64 // of the documents; of the files
}

// pings yields sound main pings of a generated population until stopped.
func pings(seed uint64, size int64, use func(s *generate.Submission) error) error {
	return submissions(seed, int(size/80_000), false, use)
}

// submissions yields at least n sound main pings, until stopped.
func submissions(seed uint64, n int, gzip bool, use func(s *generate.Submission) error) error {
	g, err := generate.New(generate.Config{
		Seed: seed, Clients: max(100, n/4), Days: 3, Damaged: -1, Duplicates: -1, Gzip: gzip,
	})
	if err != nil {
		return err
	}
	for s := range g.Submissions() {
		if s.DocType != "main" {
			continue
		}
		if err := use(s); err != nil {
			return err
		}
	}
	return nil
}

var errEnough = errors.New("enough")

// makeCorpus writes about size bytes of main pings in all forms.
func makeCorpus(ctx context.Context, dir string, size int64) (c corpus, err error) {
	c = corpus{
		plain: filepath.Join(dir, "pings.ndjson"), gzip: filepath.Join(dir, "pings.ndjson.gz"),
		zstd: filepath.Join(dir, "pings.ndjson.zst"), archive: filepath.Join(dir, "archive"),
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return c, err
	}
	plain, err := newLineFile(c.plain)
	if err != nil {
		return c, err
	}
	packed, err := newGzipLines(c.gzip)
	if err != nil {
		return c, err
	}
	stream, err := newZstdFile(c.zstd)
	if err != nil {
		return c, err
	}
	bucket, err := store.OpenLocal(c.archive)
	if err != nil {
		return c, err
	}
	kept, err := archive.NewWriter(ctx, bucket, archive.Options{})
	if err != nil {
		return c, err
	}
	var line []byte
	err = pings(1, size, func(s *generate.Submission) error {
		if c.bytes >= size {
			return errEnough
		}
		line = append(s.Meta.AppendJSON(append(line[:0], `{"meta":`...)), `,"ping":`...)
		line = append(append(line, s.Document...), '}', '\n')
		c.pings++
		c.bytes += int64(len(s.Document))
		_, err1 := plain.Write(line)
		_, err2 := stream.Write(line)
		return errors.Join(err1, err2, packed.add(line), kept.Append(&s.Meta, s.Document))
	})
	if err != nil && !errors.Is(err, errEnough) {
		return c, err
	}
	summary, err := kept.Close(ctx, "bench")
	if err := errors.Join(err, plain.Close(), stream.Close(), packed.Close()); err != nil {
		return c, err
	}
	c.archiveBytes = summary.Bytes
	info, err := os.Stat(c.gzip)
	if err == nil {
		c.gzipBytes = info.Size()
	}
	return c, err
}

// sampleBodies are the documents of n main pings.
func sampleBodies(_ context.Context, n int) (bodies [][]byte, err error) {
	err = pings(2, 1<<30, func(s *generate.Submission) error {
		bodies = append(bodies, append([]byte{}, s.Document...))
		if len(bodies) == n {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return bodies, err
}

// makeRows writes main_summary rows, a file for each of 100 samples, and
// returns the number of clients. The rows are those of real documents under
// other clients, documents and times.
func makeRows(ctx context.Context, dir string, rows int) (clients int, err error) {
	bodies, err := sampleBodies(ctx, 500)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	each := rows / 100
	perSample := each*3/10 + 1
	g, _ := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for sample := range 100 {
		g.Go(func() error { return writeSample(dir, sample, each, perSample, bodies) })
	}
	return perSample * 100, g.Wait()
}

func writeSample(dir string, sample, rows, clients int, bodies [][]byte) error {
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("sample-%02d.parquet", sample)))
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	p := probes()
	t := schema.MainSummary(p)
	// Groups of 10,000 rows, which DuckDB reads faster than smaller ones.
	w, err := lake.NewFileWriter(out, t.Columns, lake.WriterOptions{RowGroupRows: 10_000})
	if err != nil {
		return err
	}
	transform, batch := table.NewPings(t, p), column.NewBatch(t.Columns)
	r := rand.New(rand.NewPCG(uint64(sample), 3))
	var m ping.Meta
	for i := range rows {
		client := r.IntN(clients)
		m.SetString(ping.DocumentID, fmt.Sprintf("%08x-%04x-4000-8000-%012x", r.Uint32(), sample, i))
		m.SetString(ping.ClientID, fmt.Sprintf("%08x-%04x-4000-9000-%012x", uint32(client)*2654435761, sample, client))
		m.SetString(ping.SubmissionDate, "20180301")
		m.SetString(ping.GeoCountry, "DE")
		m.SetInt(ping.SampleID, int64(sample))
		m.SetInt(ping.Timestamp, 1519862400e9+int64(i)*8e9)
		if _, err := transform.Append(batch, &m, bodies[(client*7+i)%len(bodies)]); err != nil {
			return err
		}
		if batch.Rows == 1000 || i == rows-1 {
			if err := w.Write(batch); err != nil {
				return err
			}
			batch.Reset()
		}
	}
	if _, err := w.Close(); err != nil {
		return err
	}
	return out.Flush()
}
