package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	_ "github.com/duckdb/duckdb-go/v2" // the system that is compared with
	"github.com/klauspost/compress/zstd"
	"github.com/valyala/fastjson"

	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/tools/bench/duckdb"
)

func init() {
	candidates["pingmill-file"] = pingmillFile
	candidates["pingmill-archive"] = archiveMain(laptopFile)
	candidates["pingmill-compact"] = archiveMain(laptopFile)
	candidates["arrow-archive"] = archiveMain(arrowFile)
	candidates["pingmill-daily"] = rowsDaily(laptopFile, readLake)
	candidates["arrow-daily"] = rowsDaily(arrowFile, readArrow)
	candidates["arrow-daily-write"] = rowsDaily(arrowFile, readLake)
	candidates["duckdb-main"] = duckdbMain
	candidates["duckdb-daily"] = duckdbDaily
	candidates["zstd"] = zstdOnly
	candidates["fastjson"] = fastjsonOnly
}

// mainFile is the transform of pings into one parquet file.
type mainFile struct {
	transform *table.Pings
	batch     *column.Batch
	file      rowFile
	out       *outFile
	rows      int64
	bytes     int64
}

func probes() *schema.Probes {
	p, err := schema.LoadProbes("")
	if err != nil {
		panic(err) // the embedded set is tested
	}
	return p
}

// mainTransform returns the transform of main pings, with a batch for its rows.
func mainTransform() (*table.Pings, *column.Batch) {
	p := probes()
	t := schema.MainSummary(p)
	return table.NewPings(t, p), column.NewBatch(t.Columns)
}

func newMainFile(path string, open fileOpener) (*mainFile, func() error, error) {
	t, b := mainTransform()
	return newRowFile(t, b, path, open)
}

// newRowFile begins the file of a transform, whose rows a batch takes.
func newRowFile(t *table.Pings, b *column.Batch, path string, open fileOpener) (*mainFile, func() error, error) {
	out, err := create(path, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("create output: %w", err)
	}
	m := &mainFile{out: out, transform: t, batch: b}
	if m.file, err = open(out, m.batch.Columns); err != nil {
		return nil, nil, errors.Join(err, out.Close())
	}
	return m, func() error {
		if err := m.flushLast(); err != nil {
			return errors.Join(err, out.Close())
		}
		return errors.Join(m.file.Close(), out.Close())
	}, nil
}

func (m *mainFile) add(meta *ping.Meta, body []byte) error {
	_, err := m.transform.Append(m.batch, meta, body)
	return m.added(len(body), err)
}

// added counts a ping and writes the rows of a whole row group.
func (m *mainFile) added(size int, err error) error {
	if err != nil {
		return fmt.Errorf("transform ping %d: %w", m.rows, err)
	}
	m.rows++
	m.bytes += int64(size)
	if m.batch.Rows == lake.Laptop().RowGroupRows {
		return m.flush()
	}
	return nil
}

func (m *mainFile) flush() error {
	defer m.batch.Reset()
	return m.file.Write(m.batch)
}

// flushLast is flush of the rows that the file ends with, as tasks write them.
func (m *mainFile) flushLast() error {
	if f, ok := m.file.(lakeWriter); ok {
		return f.WriteLast(m.batch, nil)
	}
	return m.flush()
}

// pingmillFile makes main_summary from a file of {"meta","ping"} lines.
func pingmillFile(_ context.Context, input, output string) (int64, int64, error) {
	t, b := mainTransform()
	return fileRows(t, b, input, output)
}

// fileRows makes the rows of a file of {"meta","ping"} lines.
func fileRows(t *table.Pings, b *column.Batch, input, output string) (int64, int64, error) {
	f, err := os.Open(input)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	r, err := format.Open(f)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	m, done, err := newRowFile(t, b, output, laptopFile)
	if err != nil {
		return 0, 0, err
	}
	var rec format.Record
	for {
		if err := r.Next(&rec); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, 0, err
		}
		_, err := m.transform.AppendValue(m.batch, &rec.Meta, rec.Document)
		if err := m.added(len(rec.Body), err); err != nil {
			return 0, 0, err
		}
	}
	return m.rows, m.bytes, done()
}

// duck runs statements in DuckDB on one thread.
func duck(ctx context.Context, statements ...string) (rows int64, err error) {
	db, err := sql.Open("duckdb", "?threads=1")
	if err != nil {
		return 0, fmt.Errorf("open DuckDB: %w", err)
	}
	defer db.Close()
	for _, s := range statements {
		r, err := db.ExecContext(ctx, s)
		if err != nil {
			return rows, fmt.Errorf("DuckDB: %w", err)
		}
		n, err := r.RowsAffected()
		if err != nil {
			return rows, fmt.Errorf("DuckDB: %w", err)
		}
		rows += n
	}
	return rows, nil
}

func duckdbMain(ctx context.Context, input, output string) (int64, int64, error) {
	rows, err := duck(ctx, duckdb.MainSummary(schema.MainSummary(probes()), input, output))
	return rows, 0, err
}

func duckdbDaily(ctx context.Context, input, output string) (int64, int64, error) {
	files, err := filepath.Glob(filepath.Join(input, "*.parquet"))
	if err != nil {
		return 0, 0, err
	}
	if err := os.MkdirAll(output, 0o755); err != nil {
		return 0, 0, err
	}
	statements := []string{"SET preserve_insertion_order = true"}
	for _, f := range files {
		statements = append(statements, duckdb.ClientsDaily(schema.ClientsDaily(), f, filepath.Join(output, filepath.Base(f))))
	}
	_, err = duck(ctx, statements...)
	return 0, 0, err
}

// zstdOnly decompresses the file and does nothing else.
func zstdOnly(_ context.Context, input, _ string) (int64, int64, error) {
	f, err := os.Open(input)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return 0, 0, err
	}
	defer z.Close()
	n, err := io.Copy(io.Discard, z)
	return 0, n, err
}

// fastjsonOnly parses every line with a general parser and does nothing else.
func fastjsonOnly(_ context.Context, input, _ string) (lines, size int64, err error) {
	f, err := os.Open(input)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 4<<20)
	var p fastjson.Parser
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return lines, size, nil
		}
		if err != nil {
			return lines, size, err
		}
		if _, err := p.ParseBytes(bytes.TrimSpace(line)); err != nil {
			return lines, size, err
		}
		lines++
		size += int64(len(line))
	}
}
