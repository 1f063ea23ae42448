package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// parquetPart compares pingmill's parquet encoder and decoder with arrow-go's
// column writers and readers: alone, and in their place in the pipelines.
func parquetPart(ctx context.Context, o *options, p *page) error {
	rows, err := mainRows()
	if err != nil {
		return err
	}
	pair, err := compareCoders(rows)
	if err != nil {
		return err
	}
	dir := filepath.Join(o.dir, "parquet")
	defer os.RemoveAll(dir)
	c, err := makeCorpus(ctx, filepath.Join(dir, "main"), o.bytes)
	if err != nil {
		return err
	}
	daily := filepath.Join(dir, "daily")
	if _, err := makeRows(ctx, daily, o.rows); err != nil {
		return err
	}
	m, err := alternate(ctx, o.dir, o.rounds, []trial{
		{"pingmill-archive", c.archive}, {"arrow-archive", c.archive},
		{"pingmill-daily", daily}, {"arrow-daily", daily}, {"arrow-daily-write", daily},
	})
	if err != nil {
		return err
	}
	writeParquet(p, rows, pair, m)
	return nil
}

func writeParquet(p *page, rows *column.Batch, pair [2]coder, m map[string]result) {
	p.printf("\n## Parquet\n\npingmill's encoder and decoder against arrow-go's column writers and readers, on the same shredded "+
		"columns, in the same run: "+
		"zstd of the fastest level, dictionaries, bloom filters of the same columns, row groups of %d rows of %d columns (%d leaves). "+
		"Processor time with that of the garbage collector; "+
		"end to end is the whole pipeline of which only the encoder, or encoder and decoder, is exchanged.\n\n", rows.Rows, len(rows.Columns),
		len(rows.Leaves))
	p.printf("| what | pingmill | arrow-go | arrow-go ÷ pingmill |\n|---|---|---|---|\n")
	each := func(s float64) float64 { return s / float64(rows.Rows) * 1e6 }
	line := func(what string, a, b float64) { p.printf("| %s | %.1f | %.1f | %.2f |\n", what, a, b, b/a) }
	line("encode, µs a row", each(pair[0].encode), each(pair[1].encode))
	line("decode all columns, µs a row", each(pair[0].decode), each(pair[1].decode))
	line("size, bytes a row", float64(len(pair[0].file))/float64(rows.Rows), float64(len(pair[1].file))/float64(rows.Rows))
	end := func(what string, a, b result) {
		line(what+", µs a row", 1e6/a.rate(), 1e6/b.rate())
		line(what+", peak MB", float64(a.Peak)/1e6, float64(b.Peak)/1e6)
	}
	end("archive to main_summary", m["pingmill-archive"], m["arrow-archive"])
	end("main_summary to clients_daily", m["pingmill-daily"], m["arrow-daily"])
	end("the same, arrow-go only writes", m["pingmill-daily"], m["arrow-daily-write"])
	p.printf("\n| in the files of main_summary | pingmill | arrow-go |\n|---|---|---|\n")
	for i := range pair[0].facts {
		p.printf("| %s | %s | %s |\n", pair[0].facts[i][0], pair[0].facts[i][1], pair[1].facts[i][1])
	}
}

// mainRows returns main_summary rows of generated documents, a row group of them.
func mainRows() (*column.Batch, error) {
	const rows, documents = 2500, 500
	bodies, err := sampleBodies(documents)
	if err != nil {
		return nil, err
	}
	transform, b := mainTransform()
	var m ping.Meta
	for i := range rows {
		describe(&m, uint32(i)*2654435761, i*7%750, 42, i)
		if _, err := transform.Append(b, &m, bodies[i%documents]); err != nil {
			return nil, err
		}
	}
	b.Finish()
	return b, nil
}

// coder is one make's side of the comparison.
type coder struct {
	open           fileOpener
	read           func(data []byte, in *column.Batch) error
	file           []byte
	encode, decode float64 // seconds of processor time for all rows
	facts          [][2]string
}

// compareCoders measures both implementations alternately, pingmill first.
func compareCoders(rows *column.Batch) (pair [2]coder, err error) {
	pair[0] = coder{open: laptopFile, read: func(data []byte, in *column.Batch) error { return readAll(readLake, data, in) }}
	pair[1] = coder{open: arrowFile, read: func(data []byte, in *column.Batch) error { return readAll(readArrow, data, in) }}
	for i := range pair {
		c := &pair[i]
		var buf bytes.Buffer
		if err := c.write(&buf, rows); err != nil {
			return pair, err
		}
		c.file = buf.Bytes()
		if c.facts, err = fileFacts(c.file); err != nil {
			return pair, err
		}
	}
	in := column.NewBatch(rows.Columns)
	const rounds = 5
	for range rounds {
		for i := range pair {
			c := &pair[i]
			encode, err1 := cost(0.5, func() error { return c.write(io.Discard, rows) })
			decode, err2 := cost(0.5, func() error { return c.read(c.file, in) })
			if err := errors.Join(err1, err2); err != nil {
				return pair, err
			}
			c.encode, c.decode = c.encode+encode/rounds, c.decode+decode/rounds
		}
	}
	return pair, nil
}

func (c *coder) write(w io.Writer, rows *column.Batch) error {
	return writeRows(w, c.open, rows)
}

func readAll(read rowReader, data []byte, in *column.Batch) error {
	return read(memoryFile{bytes.NewReader(data)}, in, func() error { return nil })
}

// memoryFile is a store.Reader of bytes.
type memoryFile struct{ *bytes.Reader }

// Close implements store.Reader.
func (memoryFile) Close() error { return nil }

var _ store.Reader = memoryFile{}

// fileFacts looks up in a file's footer what its columns have.
func fileFacts(data []byte) ([][2]string, error) {
	f, err := arrowReader.Open(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	own, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var chunks, dict, packed, stats, bloom, index int
	for g := range f.NumRowGroups() {
		for i := range f.MetaData().RowGroup(g).NumColumns() {
			c, err := f.MetaData().RowGroup(g).ColumnChunk(i)
			if err != nil {
				return nil, err
			}
			set, err := c.StatsSet()
			if err != nil {
				return nil, err
			}
			chunks++
			dict += count(c.HasDictionaryPage())
			packed += count(c.Compression().String() != "UNCOMPRESSED")
			stats += count(set)
			bloom += count(c.BloomFilterOffset() > 0)
			index += count(c.GetColumnIndexLocation() != nil || c.GetOffsetIndexLocation() != nil)
		}
	}
	share := func(n int) string { return fmt.Sprintf("%d of %d", n, chunks) }
	sums := "none"
	if own.Sealed() {
		sums = "CRC-32 of every page, of the footer and of the bytes between"
	}
	return [][2]string{
		{"pages", "version 1, at most 1 MiB"}, {"levels", "RLE and bit-packing hybrid"},
		{"column chunks with a dictionary, else PLAIN", share(dict)},
		{"compressed column chunks", share(packed)}, {"column chunks with statistics", share(stats)}, {"bloom filters", share(bloom)},
		{"page indexes (pingmill: of row groups with several pages)", share(index)}, {"checksums", sums},
	}, nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
