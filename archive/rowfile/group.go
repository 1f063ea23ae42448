package rowfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// group describes a row group before it is opened.
type group struct {
	index  int // in the file
	rows   int
	lo, hi int   // samples in it
	first  Key   // no row comes before it
	start  int64 // offset of the first column
	body   int64 // offset of the body column
	end    int64 // offset behind it
	sums   sums
	known  []known
}

// known is the information of the statistics about a text column's rows. Most columns of a row group hold one
// value, or none, and need not be read.
type known struct {
	all   bool   // every row has value
	value []byte // nil when absent
}

// File is a data file for reading. It is safe for concurrent use.
type File struct {
	Name   string
	Footer *uint32           // the FooterSum recorded at writing; nil: none
	Failed func(error) error // converts a read error to the error for the caller

	Prepared *PreparedName // of its prepared rows; nil: none

	mu      sync.Mutex
	parquet *parquet.File // nil until it is read, and without a source
	kind    *Kind         // as which it was written
	groups  []group
}

func (f *File) failed(err error) error {
	if f.Failed == nil {
		return err
	}
	return f.Failed(err)
}

// load reads the footer of the file once and takes the row groups from it.
func (f *File) load(ctx context.Context, b store.Bucket, k *Kind) ([]group, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.groups == nil {
		if err := f.read(ctx, b, k); err != nil {
			return nil, f.failed(err)
		}
	}
	return f.groups, nil
}

// read reads the footer of the file.
func (f *File) read(ctx context.Context, b store.Bucket, k *Kind) error {
	r, err := b.Open(ctx, f.Name)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := f.checkFooter(r); err != nil {
		return err
	}
	g := grouper{kind: k.wide, values: map[string][]byte{}}
	pf, err := parquet.OpenStatistics(r, r.Size(), g.visit)
	if err != nil {
		return err
	}
	k = k.withColumns(len(pf.Columns))
	if err := k.check(pf); err != nil {
		return err
	}
	g.kind = k
	if err := pf.VerifyRest(); err != nil {
		return err
	}
	all, err := readSums(pf)
	if err != nil {
		return err
	}
	groups := make([]group, pf.Groups())
	for i := range groups {
		groups[i] = g.group(pf, i)
		groups[i].sums = all[i]
	}
	f.parquet, f.kind, f.groups = pf.At(nil), k, groups
	return nil
}

// withColumns returns the kind of a file with a number of columns that is read as k.
func (k *Kind) withColumns(columns int) *Kind {
	all := []*Kind{k, k.wide}
	if k.packed {
		all = append(all, Pings, Pings.wide)
	}
	for _, kind := range all {
		if len(kind.columns()) == columns {
			return kind
		}
	}
	return k
}

// check reports whether a file has the columns of its kind, which are found by their place.
func (k *Kind) check(f *parquet.File) error {
	if n := len(f.Columns); n != len(k.columns()) {
		return fmt.Errorf("%d columns instead of %d", n, len(k.columns()))
	}
	for i, have := range f.Columns {
		if want := k.columns()[i]; have.Name != want.Name || have.Type.Kind != want.Type.Kind || have.NotNull != want.NotNull {
			return fmt.Errorf("column %d is %s (%s) instead of %s (%s)", i, have.Name, have.Type, want.Name, want.Type)
		}
	}
	return nil
}

// grouper makes row groups of a footer.
type grouper struct {
	kind   *Kind
	groups [][]parquet.Statistics // of the columns beside the body
	values map[string][]byte      // known ones, shared
	bounds []byte                 // memory of the statistics
}

// visit keeps the statistics of a column chunk. They are checked when used: the
// file may not have the columns that it should.
func (g *grouper) visit(group, leaf int, s parquet.Statistics) {
	for group >= len(g.groups) {
		g.groups = append(g.groups, make([]parquet.Statistics, g.kind.numColumns()))
	}
	if leaf < g.kind.numColumns() {
		s.Min, s.Max = g.keep(s.Min), g.keep(s.Max)
		g.groups[group][leaf] = s
	}
}

// keep copies a bound from the footer, whose memory is reused for another file.
func (g *grouper) keep(bound []byte) []byte {
	if len(bound) == 0 {
		return bound
	}
	n := len(g.bounds)
	g.bounds = append(g.bounds, bound...)
	return g.bounds[n:len(g.bounds):len(g.bounds)]
}

func (g *grouper) group(f *parquet.File, i int) group {
	r := group{index: i, rows: f.GroupRows(i), known: make([]known, g.kind.numColumns())}
	r.start, _ = f.Chunk(i, 0)
	body, size := f.Chunk(i, g.kind.numColumns())
	r.body, r.end = body, body+size
	stats := g.groups[i]
	times := intRange(stats[ping.Timestamp], r.rows)
	r.lo, r.hi = intRange(stats[ping.SampleID], r.rows).samples()
	r.first = Key{sample: r.lo, time: times.min, timeless: times.nulls == int64(r.rows)}
	for c := range r.known {
		if !isInt(c) {
			r.known[c] = g.knownText(stats[c], r.rows)
		}
	}
	return r
}

// knownText looks whether all rows of a text column are the same.
func (g *grouper) knownText(s parquet.Statistics, rows int) known {
	if s.Nulls == int64(rows) {
		return known{all: true}
	}
	if s.Nulls != 0 || s.Min == nil || !bytes.Equal(s.Min, s.Max) {
		return known{}
	}
	v := g.values[string(s.Min)]
	if v == nil {
		v = append([]byte{}, s.Min...)
		g.values[string(v)] = v
	}
	return known{all: true, value: v}
}

// span is the range of an integer column's values.
type span struct {
	min, max, nulls int64
}

// intRange reads the statistics of an integer column; without any, the range
// is everything.
func intRange(s parquet.Statistics, rows int) span {
	switch {
	case s.Nulls == int64(rows):
		return span{math.MaxInt64, math.MinInt64, s.Nulls}
	case s.Nulls < 0 || len(s.Min) != 8 || len(s.Max) != 8:
		return span{min: math.MinInt64, max: math.MaxInt64}
	}
	number := func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }
	return span{number(s.Min), number(s.Max), s.Nulls}
}

// samples converts the range of sample ids to the order of samples.
func (s span) samples() (lo, hi int) {
	switch {
	case s.min >= NoSample: // also when all are absent
		return NoSample, NoSample
	case s.min < 0:
		return 0, NoSample
	case s.max >= NoSample || s.nulls > 0:
		return int(s.min), NoSample
	}
	return int(s.min), int(s.max)
}
