package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/tools/bench/duckdb"
	"github.com/pingmill/pingmill/tools/generate"
)

func init() {
	candidates["pingmill-glean"] = pingmillGlean
	candidates["duckdb-glean"] = duckdbGlean
}

// baselineTable returns the table of baseline pings of Firefox desktop by the built-in definitions.
func baselineTable() (*schema.Table, error) {
	defs, err := glean.Firefox()
	if err != nil {
		return nil, err
	}
	return schema.Find(defs.Tables(), "firefox_desktop_baseline")
}

// pingmillGlean makes the table from a file of {"meta","ping"} lines.
func pingmillGlean(_ context.Context, input, output string) (rows, bytes int64, err error) {
	t, err := baselineTable()
	if err != nil {
		return 0, 0, err
	}
	return fileRows(table.NewPings(t, nil), column.NewBatch(t.Columns), input, output)
}

func duckdbGlean(ctx context.Context, input, output string) (int64, int64, error) {
	t, err := baselineTable()
	if err != nil {
		return 0, 0, err
	}
	rows, err := duck(ctx, duckdb.GleanPing(t, input, output))
	return rows, 0, err
}

// baselines returns some baseline pings of Firefox desktop as clients send them.
func baselines(n int) (all []generate.Submission, err error) {
	g, err := generate.New(generate.Config{
		Seed: 6, Clients: max(100, n/4), Days: 3, Damaged: -1, Duplicates: -1, MeanBytes: 16_000, Start: "20261118", Gzip: true, Glean: true,
	})
	if err != nil {
		return nil, err
	}
	kind := ping.KindOf("firefox-desktop", "baseline")
	for s := range g.Submissions() {
		if s.DocType != kind || s.Fate != generate.Accepted {
			continue
		}
		var meta ping.Meta
		if err := meta.ParseJSON(s.Meta.AppendJSON(nil)); err != nil {
			return nil, err
		}
		all = append(all, generate.Submission{
			URI: bytes.Clone(s.URI), Timestamp: s.Timestamp, Body: bytes.Clone(s.Body), Document: bytes.Clone(s.Document), Meta: meta,
		})
		if len(all) == n {
			break
		}
	}
	return all, nil
}

// gleanRounds is how many times a file has the pings.
const gleanRounds = 20

// gleanPart measures small Glean pings: from a submission to a checked ping, and from pings to the typed table of a day.
func gleanPart(ctx context.Context, o *options, p *page) error {
	all, err := baselines(10_000)
	if err != nil {
		return err
	}
	if err := gleanDecode(all, o, p); err != nil {
		return err
	}
	dir := filepath.Join(o.dir, "glean")
	defer os.RemoveAll(dir)
	input := filepath.Join(dir, "baseline.ndjson")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	size, err := writeBaselines(input, all)
	if err != nil {
		return err
	}
	m, err := alternate(ctx, o.dir, o.rounds, []trial{{"pingmill-glean", input}, {"duckdb-glean", input}})
	if err != nil {
		return err
	}
	n := len(all) * gleanRounds
	p.printf("\n%d pings, %.2f GB of JSON with metadata, into one parquet file with the typed columns of `firefox_desktop_baseline`. "+
		"DuckDB reads them with `read_ndjson` and the exact type, and makes no `additional_properties`.\n\n| what | pings/s | GB/s | ÷ "+
		"DuckDB | peak MB |\n|---|---|---|---|---|\n",
		n, float64(size)/1e9)
	for _, c := range []struct{ what, name string }{{"pingmill", "pingmill-glean"}, {"DuckDB", "duckdb-glean"}} {
		r := m[c.name]
		p.printf("| %s | %.0f | %.2f | %.2f | %.0f |\n", c.what, float64(n)/r.Seconds, gigabytes(size, r), m["duckdb-glean"].Seconds/r.Seconds,
			float64(r.Peak)/1e6)
	}
	return gleanClientsPart(ctx, o, p)
}

func writeBaselines(path string, all []generate.Submission) (size int64, err error) {
	out, err := create(path, nil)
	if err != nil {
		return 0, err
	}
	var line []byte
	for range gleanRounds {
		for i := range all {
			line = append(all[i].Meta.AppendJSON(append(line[:0], `{"meta":`...)), `,"ping":`...)
			line = append(append(line, all[i].Document...), '}', '\n')
			size += int64(len(line))
			if _, err := out.Write(line); err != nil {
				return size, errors.Join(err, out.Close())
			}
		}
	}
	return size, out.Close()
}
