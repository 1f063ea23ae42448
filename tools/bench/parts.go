package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// gigabytes returns a rate of JSON in GB/s of processor time.
func gigabytes(bytes int64, r result) float64 { return float64(bytes) / r.Seconds / 1e9 }

// mainPart compares pings → main_summary: from plain lines, from lines that are
// a gzip member each, and from the archive.
func mainPart(ctx context.Context, o *options, p *page) error {
	c, err := makeCorpus(ctx, filepath.Join(o.dir, "main"), o.bytes)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Join(o.dir, "main"))
	compact := c.archive + "-compact"
	if err := makeCompact(ctx, c.archive, compact); err != nil {
		return fmt.Errorf("compact the archive: %w", err)
	}
	m, err := alternate(ctx, o.dir, o.rounds, []trial{
		{"pingmill-file", c.plain}, {"duckdb-main", c.plain}, {"pingmill-archive", c.archive}, {"pingmill-compact", compact}, {"zstd", c.zstd},
		{"fastjson", c.plain},
	})
	if err != nil {
		return err
	}
	z, err := alternate(ctx, o.dir, o.rounds, []trial{{"pingmill-file", c.gzip}, {"duckdb-main", c.gzip}})
	if err != nil {
		return err
	}
	line := func(what string, r, to result) {
		p.printf("| %s | %.0f | %.2f | %.2f | %.0f |\n", what, float64(c.pings)/r.Seconds, gigabytes(c.bytes, r), to.Seconds/r.Seconds,
			float64(r.Peak)/1e6)
	}
	p.printf("\n## Pings to main_summary\n\n%d main pings, %.2f GB of JSON (%.0f MB gzipped one by one, %.0f MB archived), into one "+
		"parquet file; %d columns here, fewer in DuckDB, which reads the same paths with `read_ndjson` and exact types.\n\n",
		c.pings, float64(c.bytes)/1e9, float64(c.gzipBytes)/1e6, float64(c.archiveBytes)/1e6, len(schema.MainSummary(probes()).Columns))
	p.printf("| what | pings/s | GB/s | ÷ DuckDB, same input | peak MB |\n|---|---|---|---|---|\n")
	line("pingmill, plain NDJSON", m["pingmill-file"], m["duckdb-main"])
	line("DuckDB, plain NDJSON", m["duckdb-main"], m["duckdb-main"])
	line("pingmill, gzip a ping", z["pingmill-file"], z["duckdb-main"])
	line("DuckDB, the same file", z["duckdb-main"], z["duckdb-main"])
	line("pingmill, from the archive, which has the gzip of clients", m["pingmill-archive"], m["duckdb-main"])
	line("pingmill, from days in their smallest form", m["pingmill-compact"], m["duckdb-main"])
	p.printf("\nThe archive is compared with DuckDB from plain NDJSON; from gzip DuckDB takes %.2f times as long as pingmill from the "+
		"archive. From the archive pingmill reaches %.0f %% of its rate from plain NDJSON.\n",
		z["duckdb-main"].Seconds/m["pingmill-archive"].Seconds, 100*m["pingmill-file"].Seconds/m["pingmill-archive"].Seconds)
	p.printf("Yardsticks: bare zstd decompression of the plain file %.2f GB/s, parsing every line with a general parser (fastjson) %.2f "+
		"GB/s.\n",
		gigabytes(c.bytes, m["zstd"]), gigabytes(c.bytes, m["fastjson"]))
	return nil
}

// memoryPart compares the peak memory of a corpus with the peak of one four times as large.
func memoryPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "memory")
	defer os.RemoveAll(dir)
	peaks := map[string][2]float64{}
	for i, factor := range []int64{1, 4} {
		c, err := makeCorpus(ctx, dir, o.bytes*factor)
		if err != nil {
			return err
		}
		m, err := alternate(ctx, o.dir, 3, []trial{{"pingmill-file", c.plain}, {"pingmill-archive", c.archive}})
		if err != nil {
			return err
		}
		for name, r := range m {
			v := peaks[name]
			v[i] = float64(r.Peak) / 1e6
			peaks[name] = v
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	p.printf("\n## Memory\n\n| what | peak MB | at four times the input | ratio |\n|---|---|---|---|\n")
	for _, name := range []string{"pingmill-file", "pingmill-archive"} {
		v := peaks[name]
		p.printf("| %s | %.0f | %.0f | %.2f |\n", name, v[0], v[1], v[1]/v[0])
	}
	return nil
}

// dailyPart compares clients_daily, one sample after the other.
func dailyPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "daily")
	defer os.RemoveAll(dir)
	clients, err := makeRows(ctx, dir, o.rows)
	if err != nil {
		return err
	}
	m, err := alternate(ctx, o.dir, o.rounds, []trial{{"pingmill-daily", dir}, {"duckdb-daily", dir}})
	if err != nil {
		return err
	}
	p.printf("\n## main_summary to clients_daily\n\n%d rows of %d clients in 100 files, one a sample; output written on both sides.\n\n| "+
		"what | rows/s | ÷ DuckDB | peak MB |\n|---|---|---|---|\n",
		o.rows, clients)
	for _, c := range []struct{ what, name string }{{"pingmill", "pingmill-daily"}, {"DuckDB SQL, one query a sample", "duckdb-daily"}} {
		r := m[c.name]
		p.printf("| %s | %.0f | %.2f | %.0f |\n", c.what, float64(o.rows)/r.Seconds, m["duckdb-daily"].Seconds/r.Seconds, float64(r.Peak)/1e6)
	}
	return nil
}

// kernelPart measures the scanner alone, in this process: the transform of a
// ping without writing it, and validation beside it.
func kernelPart(_ context.Context, _ *options, p *page) error {
	bodies, err := sampleBodies(200)
	if err != nil {
		return err
	}
	size := len(slices.Concat(bodies...))
	transform, batch := mainTransform()
	var meta ping.Meta
	meta.SetString(ping.DocumentID, "d")
	meta.SetString(ping.SubmissionDate, "20180301")
	meta.SetInt(ping.Timestamp, 1)
	rate := func(f func(b []byte)) float64 {
		gbs, _ := rateOf(size, func() error {
			for _, body := range bodies {
				f(body)
			}
			return nil
		})
		return gbs
	}
	scan := rate(func(b []byte) {
		batch.Reset()
		_, _ = transform.Append(batch, &meta, b) // sound pings: their verdict is tested elsewhere
	})
	validate := rate(func(b []byte) { _ = ping.Validate(b) })
	both := rate(func(b []byte) {
		_ = ping.Validate(b)
		batch.Reset()
		_, _ = transform.Append(batch, &meta, b)
	})
	p.printf("\n## Kernel\n\nIn memory, without writing: all columns of main_summary from a ping's bytes %.2f GB/s, validation alone "+
		"%.2f GB/s, one after the other %.2f GB/s.\n",
		scan, validate, both)
	return nil
}
