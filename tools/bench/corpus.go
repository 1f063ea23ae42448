package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/generate"
)

// corpus is the same main pings in several forms.
type corpus struct {
	plain, gzip, zstd              string // paths
	archive                        string // of the submissions as clients compressed them
	pings                          int64
	bytes, gzipBytes, archiveBytes int64 // of the documents; of the files
}

// mainPings yields sound main pings of a population that has some n of them.
func mainPings(seed uint64, n int, gzip bool) (iter.Seq[*generate.Submission], error) {
	g, err := generate.New(generate.Config{
		Seed: seed, Clients: max(100, n/4), Days: 3, Damaged: -1, Duplicates: -1, Gzip: gzip,
	})
	if err != nil {
		return nil, err
	}
	return func(yield func(*generate.Submission) bool) {
		for s := range g.Submissions() {
			if s.DocType == "main" && !yield(s) {
				return
			}
		}
	}, nil
}

// meanPing is about the size of a main ping.
const meanPing = 80_000

// makeCorpus writes about size bytes of main pings in all forms.
func makeCorpus(ctx context.Context, dir string, size int64) (c corpus, err error) {
	c = corpus{
		plain: filepath.Join(dir, "pings.ndjson"), gzip: filepath.Join(dir, "pings.ndjson.gz"),
		zstd: filepath.Join(dir, "pings.ndjson.zst"), archive: filepath.Join(dir, "archive"),
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return c, err
	}
	plain, err1 := create(c.plain, nil)
	packed, err2 := create(c.gzip, packLines)
	stream, err3 := create(c.zstd, packFrame)
	bucket, err4 := store.OpenLocal(c.archive)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return c, err
	}
	output, err := archive.NewWriter(ctx, bucket, archive.Options{})
	if err != nil {
		return c, err
	}
	pings, err := mainPings(1, int(size/meanPing), true)
	if err != nil {
		return c, err
	}
	files := io.MultiWriter(plain, packed, stream)
	var line []byte
	for s := range pings {
		if c.bytes >= size {
			break
		}
		line = append(s.Meta.AppendJSON(append(line[:0], `{"meta":`...)), `,"ping":`...)
		line = append(append(line, s.Document...), '}', '\n')
		c.pings++
		c.bytes += int64(len(s.Document))
		_, err := files.Write(line)
		if err := errors.Join(err, output.AppendPacked(&s.Meta, s.Body)); err != nil {
			return c, err
		}
	}
	summary, err := output.Close(ctx, "bench")
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

// makeCompact copies an archive and brings the pings of the copy into their smallest form.
func makeCompact(ctx context.Context, from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	b, err := store.OpenLocal(to)
	if err != nil {
		return err
	}
	days, err := archive.Days(ctx, b)
	if err != nil {
		return err
	}
	for _, d := range days {
		if _, err := archive.CompactDay(ctx, b, d.Day, d.DocType, archive.RewriteOptions{Owner: "bench"}); err != nil {
			return err
		}
	}
	return nil
}

// sampleBodies returns the documents of n main pings.
func sampleBodies(n int) (bodies [][]byte, err error) {
	pings, err := mainPings(2, 1<<30/meanPing, false)
	if err != nil {
		return nil, err
	}
	for s := range pings {
		if bodies = append(bodies, bytes.Clone(s.Document)); len(bodies) == n {
			break
		}
	}
	return bodies, nil
}

// makeRows writes main_summary rows, one file for each of 100 samples, and returns the number of clients. The rows
// come from real documents, with other clients, document ids and times.
func makeRows(ctx context.Context, dir string, rows int) (clients int, err error) {
	bodies, err := sampleBodies(500)
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
	// Groups of 10,000 rows, which DuckDB reads faster than smaller ones.
	m, done, err := newMainFile(filepath.Join(dir, fmt.Sprintf("sample-%02d.parquet", sample)),
		lakeFile(lake.WriterOptions{RowGroupRows: 10_000}))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(sample), 3))
	var meta ping.Meta
	for i := range rows {
		client := r.IntN(clients)
		describe(&meta, r.Uint32(), client, sample, i)
		if err := m.add(&meta, bodies[(client*7+i)%len(bodies)]); err != nil {
			return err
		}
	}
	return done()
}

// describe sets the metadata of the i-th row of a sample, by its client.
func describe(m *ping.Meta, document uint32, client, sample, i int) {
	m.SetString(ping.DocumentID, fmt.Sprintf("%08x-%04x-4000-8000-%012x", document, sample, i))
	m.SetString(ping.ClientID, fmt.Sprintf("%08x-%04x-4000-9000-%012x", uint32(client)*2654435761, sample, client))
	m.SetString(ping.SubmissionDate, "20180301")
	m.SetString(ping.GeoCountry, "DE")
	m.SetInt(ping.SampleID, int64(sample))
	m.SetInt(ping.Timestamp, 1519862400e9+int64(i)*8e9)
}
