package main

import (
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/parquet/arrowgo"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// arrowOptions set arrow-go up as a lake's files are: pages of at most 1 MiB,
// bloom filters of the same columns and size, dictionaries but for the columns
// whose values all differ. It has no option for checksums of pages.
func arrowOptions() []parquet.WriterProperty {
	l := lake.Laptop()
	opts := []parquet.WriterProperty{
		parquet.WithCreatedBy("bench"), parquet.WithDataPageSize(1 << 20), parquet.WithMaxRowGroupLength(int64(l.RowGroupRows)),
		parquet.WithDictionaryFor("document_id", false), parquet.WithDictionaryFor("client_id", false),
	}
	for _, name := range l.Bloom {
		opts = append(opts, parquet.WithBloomFilterEnabledFor(name, true), parquet.WithBloomFilterNDVFor(name, int64(l.RowGroupRows)))
	}
	return opts
}

// arrowWriter writes each batch as a row group.
type arrowWriter struct{ *arrowgo.Writer }

// Write implements rowFile.
func (w arrowWriter) Write(b *column.Batch) error {
	b.Finish()
	return w.Group(b.Leaves)
}

func arrowFile(w io.Writer, cols []schema.Column) (rowFile, error) {
	f, err := arrowgo.NewWriter(struct{ io.Writer }{w}, cols, arrowOptions()...) // it would close w
	return arrowWriter{f}, err
}

// arrowSource is the reader interface of arrow-go.
type arrowSource struct {
	io.ReaderAt
	io.Seeker
}

// arrowReader keeps its memory from file to file.
var arrowReader = arrowgo.NewReader()

// readArrow reads a row group at a time.
func readArrow(r store.Reader, in *column.Batch, next func() error) (err error) {
	f, err := arrowReader.Open(arrowSource{r, io.NewSectionReader(r, 0, r.Size())})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for g := range f.NumRowGroups() {
		in.Reset()
		if err := arrowReader.Group(f, g, in); err != nil {
			return err
		}
		in.Filled(int(f.MetaData().RowGroup(g).NumRows()))
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}
