package lake

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// compaction decides which partitions also get compact files, and how these are written. An engine spends
// milliseconds on each file of hundreds of columns, however few rows it has. Compact files therefore pay off
// for several small files.
var compaction = struct {
	files     int   // at least
	meanBytes int64 // of the files, at most
	options   WriterOptions
}{
	files: 2, meanBytes: 256 << 10,
	// Each row group has its own metadata in the footer.
	options: WriterOptions{RowGroupRows: 10_000},
}

// compactPrefix begins the names of compact files. Hive, Spark, Trino, Athena and pyarrow ignore names that
// begin with an underscore. The names do not end in .parquet, so glob patterns do not match them either.
const compactPrefix = "_compact-"

// compactKinds lists the compact files of a partition: one with the columns that most queries read, so that
// such a query loads no others, and one with all columns.
var compactKinds = []struct {
	name    string
	columns func(t *schema.Table) []schema.Column // nil: all
}{
	{"narrow", (*schema.Table).NarrowColumns},
	{"all", nil},
}

// All returns the files of the partition followed by its compact files, which repeat the same rows.
func (m *Manifest) All() []File { return slices.Concat(m.Files, m.Compact) }

// compacts reports whether a partition gets compact files. A partition to which rows of a direct table are
// still added gets none: they would be rewritten every few seconds.
func (m *Manifest) compacts() bool {
	return len(m.Parts) > 0 && len(m.Files) >= compaction.files && m.Bytes <= compaction.meanBytes*int64(len(m.Files))
}

// LacksCompact reports whether Compact would add compact files to a partition, judging by its manifest. An
// earlier version of the program published such partitions without them.
func (m *Manifest) LacksCompact() bool { return len(m.Compact) == 0 && m.compacts() }

// Compact publishes the partition of a day again under the same generation, with compact files, if it
// qualifies. Only the process that writes the day may call it, as for Begin.
func (t *Table) Compact(ctx context.Context, day string) error {
	base, err := t.Partition(ctx, day)
	if err != nil || !base.LacksCompact() {
		return err
	}
	g, err := t.Begin(ctx, day, base.Generation)
	if err != nil {
		return err
	}
	if err := g.publish(ctx, *base, base, base.Files); err != nil {
		return fmt.Errorf("compact %s %s: %w", t.Schema.Name, day, err)
	}
	return nil
}

// UsableCompact returns the compact files of a partition, or none if one of them is missing, has another size
// or is recorded as damaged; readers then use the other files, which have the same rows. place is the result
// of Paths. records reports whether the day has damage records.
func (t *inspector) UsableCompact(ctx context.Context, m *Manifest, place func(file string) string, records bool) []File {
	if records && t.Recorded(ctx, m, m.Compact) != nil {
		return nil
	}
	if !t.rename { // a check costs a request per file: the reader finds a damaged one
		return m.Compact
	}
	for _, f := range m.Compact {
		if id, err := t.bucket.Identify(ctx, place(f.Name)); err != nil || id.Size != f.Bytes {
			return nil
		}
	}
	return m.Compact
}

// compact writes the compact files of a generation whose other files are complete and in place. It writes none if the
// files have different columns or one of them is damaged; the damage is reported when that file is read.
func (g *Generation) compact(ctx context.Context, m *Manifest, place func(file string) string) error {
	m.Compact = nil
	if !m.compacts() {
		return nil
	}
	files := slices.Clone(m.Files)
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Lo, b.Lo) })
	c := &compacting{g: g, place: place}
	defer c.abort()
	for _, f := range files {
		err := c.add(ctx, f)
		if _, damaged := Damage(err); damaged || errors.Is(err, errColumns) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("compact %s: %w", f.Name, err)
		}
	}
	made, err := c.finish()
	if err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	for i := range made {
		made[i].Lo, made[i].Hi = files[0].Lo, files[len(files)-1].Hi
		if len(g.table.Schema.PartitionKeys) > 1 && made[i].Columns == "" {
			made[i].Samples = samplesOf(files)
		}
	}
	m.Compact = made
	return nil
}

// samplesOf returns the first samples of files, which must be sorted by sample, joined by commas.
func samplesOf(files []File) string {
	var all []string
	for _, f := range files {
		all = append(all, strconv.Itoa(f.Lo))
	}
	return strings.Join(slices.Compact(all), ",")
}

// errColumns means that the files of a partition have different columns.
var errColumns = errors.New("the files have different columns")

// compacting writes the compact files of a generation. Rows of a row group are copies, from the cache
// or its own, and are gathered leaf by leaf while the group is encoded. Gathering all leaves at once would hold the
// whole day in memory a second time.
type compacting struct {
	g     *Generation
	place func(file string) string
	files []*compactFile

	own   *rowKind      // of rows that were read from files; nil: none yet
	read  *column.Batch // rows of a file
	group []rowRange    // the current row group
	rows  int           // its rows
	size  int64         // their size
	leaf  column.Leaf   // memory of a leaf of it
}

// rowRange is a range of n rows of a file, starting at row done.
type rowRange struct {
	cachedReader
	n int
}

// compactFile is a compact file that is being written.
type compactFile struct {
	sink   *FileSink
	out    *FileWriter
	leaves []int  // the leaves of the rows that it contains
	narrow string // fingerprint of its columns, unless it has all
}

// add adds the rows of a complete, unpublished file. The files are small, so each is read in one request.
func (c *compacting) add(ctx context.Context, f File) error {
	t := c.g.table
	file := t.Footers.Written(f)
	if file == nil {
		data, err := store.ReadFile(ctx, t.bucket, c.place(f.Name))
		if err != nil {
			return taken(err)
		}
		if file, err = t.Footers.Open(inMemory{bytes.NewReader(data)}, f); err != nil {
			return t.Blame(ctx, c.g.day, f, err)
		}
	}
	if c.read == nil {
		if err := c.start(ctx, file.Columns()); err != nil {
			return err
		}
	}
	if !schema.SameColumns(c.read.Columns, file.Columns()) {
		return errColumns
	}
	if file.cached != nil {
		return c.take(*file.cached)
	}
	defer file.Release()
	err := each(ctx, file, c.read, readRows, c.addRead)
	var unread *readError
	if errors.As(err, &unread) {
		return t.Blame(ctx, c.g.day, f, unread.error)
	}
	return err
}

// addRead adds the rows of the batch read.
func (c *compacting) addRead() error {
	if err := c.files[len(c.files)-1].out.check(c.read); err != nil { // the last one has all columns
		return err
	}
	if c.own == nil {
		c.own = newRowKind(c.read.Columns)
	}
	return c.take(cachedReader{cachedFile: newCachedFile(c.own, c.read, c.read.Size())})
}

// inMemory is a store.Reader over the bytes of a file.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// start creates the compact files for rows with these columns.
func (c *compacting) start(ctx context.Context, all []schema.Column) error {
	c.read = column.NewBatch(all)
	for _, kind := range compactKinds {
		f, cols := &compactFile{}, all
		if kind.columns != nil {
			if cols = kind.columns(c.g.table.Schema); len(cols) == 0 {
				continue
			}
			f.narrow = Fingerprint(cols)
		}
		var ok bool
		if f.leaves, ok = c.pick(cols); !ok { // the list of columns is older: without this file, readers use others
			continue
		}
		c.files = append(c.files, f)
		var err error
		if f.sink, err = c.g.Create(ctx, compactPrefix+kind.name+"-"+tag(c.g.name)); err != nil {
			return err
		}
		if f.out, err = NewFileWriter(f.sink, cols, compaction.options); err != nil {
			return err
		}
	}
	return nil
}

// pick returns the leaves of the given columns; ok is false if the rows lack one of the columns, or have another order.
func (c *compacting) pick(cols []schema.Column) (leaves []int, ok bool) {
	all := c.read.Columns
	for i := range cols {
		at := slices.IndexFunc(all, func(c schema.Column) bool { return c.Name == cols[i].Name })
		if at < 0 || !schema.SameColumns(all[at:at+1], cols[i:i+1]) {
			return nil, false
		}
		for n := range c.read.Node(at).Leaves {
			leaves = append(leaves, c.read.Node(at).Leaf+n)
		}
	}
	return leaves, slices.IsSorted(leaves)
}

// finish writes the remaining rows and commits the files.
func (c *compacting) finish() (made []File, err error) {
	if err := c.flush(); err != nil {
		return nil, err
	}
	for _, f := range c.files {
		info, err := f.out.Close()
		if err != nil {
			return nil, err
		}
		file, err := f.sink.Finish()
		if err != nil {
			return nil, err
		}
		file.Rows, file.Columns = info.Rows, f.narrow
		made = append(made, file)
	}
	return made, nil
}

// abort discards the uncommitted files.
func (c *compacting) abort() {
	for _, f := range c.files {
		if f.sink != nil {
			_ = f.sink.Abort()
		}
	}
}
