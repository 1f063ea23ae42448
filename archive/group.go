package archive

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// group is what is known of a row group before it is opened. A file with a
// group for every sample has thousands of column chunks, so only the bytes of
// its own part of the footer are kept of each.
type group struct {
	footer []byte // file metadata with this row group alone
	rows   int64
	lo, hi int   // samples in it
	first  key   // no row comes before it
	start  int64 // offset of the first column
	body   int64 // offset of the body column
	end    int64 // offset behind it
	sums   sums
	known  []known
}

// known is what the statistics say of a text column's rows. Most columns of a
// row group hold one value, or none, and need not be read.
type known struct {
	all   bool   // every row has value
	value []byte // nil when absent
}

// load reads the footer of the file once and takes the row groups from it.
func (f *dayFile) load(ctx context.Context, b store.Bucket, k *kind) ([]group, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.groups == nil {
		groups, err := readGroups(ctx, b, f, k)
		if err != nil {
			return nil, f.unreadable(err)
		}
		f.groups = groups
	}
	return f.groups, nil
}

func readGroups(ctx context.Context, b store.Bucket, f *dayFile, k *kind) (_ []group, err error) {
	r, err := b.Open(ctx, f.Name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	defer guard(&err)
	if err := f.checkFooter(r); err != nil {
		return nil, err
	}
	pr, err := file.NewParquetReader(r)
	if err != nil {
		return nil, err
	}
	md := pr.MetaData()
	if err := k.check(md); err != nil {
		return nil, err
	}
	all, err := readSums(md)
	if err != nil {
		return nil, err
	}
	groups := make([]group, md.NumRowGroups())
	values := map[string][]byte{}
	for i := range groups {
		if groups[i], err = newGroup(md, i, k, values); err != nil {
			return nil, fmt.Errorf("row group %d: %w", i, err)
		}
		groups[i].sums = all[i]
	}
	return groups, nil
}

// check reports whether a file has the columns of its kind. (Columns are found
// by their place: a new one needs a new version of the directory.)
func (k *kind) check(md *metadata.FileMetaData) error {
	if n := md.NumColumns(); n != k.numColumns()+1 {
		return fmt.Errorf("%d columns instead of %d", n, k.numColumns()+1)
	}
	for i := range md.NumColumns() {
		if name := md.Schema.Column(i).Path(); name != k.column(i) {
			return fmt.Errorf("column %d is %s instead of %s", i, name, k.column(i))
		}
	}
	return nil
}

// newGroup takes row group i from the file's metadata. Known values are shared
// through the map.
func newGroup(md *metadata.FileMetaData, i int, k *kind, values map[string][]byte) (g group, err error) {
	rg := md.RowGroup(i)
	g.rows = rg.NumRows()
	own, err := md.Subset([]int{i})
	if err != nil {
		return g, err
	}
	own.FileMetaData.KeyValueMetadata = nil // the sums of all row groups
	var footer bytes.Buffer
	if _, err := own.WriteTo(&footer, nil); err != nil {
		return g, err
	}
	g.footer = bytes.Clone(footer.Bytes())
	if g.start, err = chunkStart(rg, 0); err != nil {
		return g, err
	}
	if g.body, err = chunkStart(rg, k.numColumns()); err != nil {
		return g, err
	}
	body, err := rg.ColumnChunk(k.numColumns())
	if err != nil {
		return g, err
	}
	g.end = g.body + body.TotalCompressedSize()
	samples, err := intRange(rg, int(ping.SampleID))
	if err != nil {
		return g, err
	}
	times, err := intRange(rg, int(ping.Timestamp))
	if err != nil {
		return g, err
	}
	g.lo, g.hi = samples.samples()
	g.first = key{sample: g.lo, time: times.min, timeless: times.nulls == g.rows}
	g.known = make([]known, k.numColumns())
	for i := range g.known {
		if !isInt(i) {
			if g.known[i], err = knownText(rg, i, values); err != nil {
				return g, err
			}
		}
	}
	return g, nil
}

// knownText looks whether all rows of a text column are the same.
func knownText(rg *metadata.RowGroupMetaData, i int, values map[string][]byte) (known, error) {
	c, err := rg.ColumnChunk(i)
	if err != nil {
		return known{}, err
	}
	stats, err := c.Statistics()
	if err != nil {
		return known{}, err
	}
	s, ok := stats.(*metadata.ByteArrayStatistics)
	switch {
	case !ok || !s.HasNullCount():
		return known{}, nil
	case s.NullCount() == rg.NumRows():
		return known{all: true}, nil
	case s.NullCount() > 0 || !s.HasMinMax() || !bytes.Equal(s.Min(), s.Max()):
		return known{}, nil
	}
	v := values[string(s.Min())]
	if v == nil {
		v = append([]byte{}, s.Min()...)
		values[string(v)] = v
	}
	return known{all: true, value: v}, nil
}

func chunkStart(rg *metadata.RowGroupMetaData, i int) (int64, error) {
	c, err := rg.ColumnChunk(i)
	if err != nil {
		return 0, err
	}
	if c.HasDictionaryPage() && c.DictionaryPageOffset() > 0 {
		return min(c.DictionaryPageOffset(), c.DataPageOffset()), nil
	}
	return c.DataPageOffset(), nil
}

// span is the range of an integer column's values.
type span struct {
	min, max, nulls int64
}

// intRange reads the statistics of an integer column; without any, the range
// is everything.
func intRange(rg *metadata.RowGroupMetaData, i int) (span, error) {
	all := span{min: math.MinInt64, max: math.MaxInt64}
	c, err := rg.ColumnChunk(i)
	if err != nil {
		return all, err
	}
	stats, err := c.Statistics()
	if err != nil || stats == nil {
		return all, err
	}
	s, ok := stats.(*metadata.Int64Statistics)
	switch {
	case !ok:
		return all, fmt.Errorf("column %d is not of integers", i)
	case s.HasNullCount() && s.NullCount() == rg.NumRows():
		return span{math.MaxInt64, math.MinInt64, rg.NumRows()}, nil
	case !s.HasMinMax() || !s.HasNullCount():
		return all, nil
	}
	return span{s.Min(), s.Max(), s.NullCount()}, nil
}

// samples turns the range of sample ids into places of the order.
func (s span) samples() (lo, hi int) {
	switch {
	case s.min >= noSample: // also when all are absent
		return noSample, noSample
	case s.min < 0:
		return 0, noSample
	case s.max >= noSample || s.nulls > 0:
		return int(s.min), noSample
	}
	return int(s.min), int(s.max)
}

// guard turns a panic of the parquet reader over damaged bytes into an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("damaged file: %v", p)
	}
}
