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

// compaction is the rule by which a partition also gets its rows in compact files, and
// how these are written. An engine needs milliseconds for each file of hundreds of columns,
// however few rows it has: compact files pay where the files are small and several.
var compaction = struct {
	files     int   // at least
	meanBytes int64 // of the files, at most
	options   WriterOptions
}{
	files: 2, meanBytes: 256 << 10,
	// Each row group takes a footer of its own.
	options: WriterOptions{RowGroupRows: 10_000},
}

// compactPrefix begins the names of compact files: with the underscore Hive, Spark, Trino, Athena and
// pyarrow pass over them. They do not end in .parquet, so that no pattern finds them either.
const compactPrefix = "_compact-"

// compactKinds are the compact files of a partition: one with the part of the columns that most queries are
// about, so that these pay for no other, and one with all.
var compactKinds = []struct {
	name    string
	columns func(t *schema.Table) []schema.Column // nil: all
}{
	{"narrow", (*schema.Table).NarrowColumns},
	{"all", nil},
}

// All are the files of the partition with those that have the same rows once more.
func (m *Manifest) All() []File { return slices.Concat(m.Files, m.Compact) }

// compacts says whether a partition is to have compact files. While rows of a direct
// table arrive it has none: they would be written again every few seconds.
func (m *Manifest) compacts() bool {
	return len(m.Parts) > 0 && len(m.Files) >= compaction.files && m.Bytes <= compaction.meanBytes*int64(len(m.Files))
}

// LacksCompact says whether Compact would give a partition compact files, as far as its manifest shows: an earlier
// version published it.
func (m *Manifest) LacksCompact() bool { return len(m.Compact) == 0 && m.compacts() }

// Compact publishes the partition of a day again under its name, with compact files, if it is to have some. Like
// Begin it is for the one process that writes the day.
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

// UsableCompact are the compact files of a partition, or none if one of them is lost, of another size or recorded as
// damaged: the others have the same rows. place is that of Paths; records says that the day has
// damage records.
func (t *Table) UsableCompact(ctx context.Context, m *Manifest, place func(file string) string, records bool) []File {
	if records && t.Recorded(ctx, m, m.Compact) != nil {
		return nil
	}
	if !t.rename { // a request for each: who reads them finds out
		return m.Compact
	}
	for _, f := range m.Compact {
		if id, err := t.bucket.Identify(ctx, place(f.Name)); err != nil || id.Size != f.Bytes {
			return nil
		}
	}
	return m.Compact
}

// compact writes the compact files of a generation whose other files are complete and in their place. A
// partition whose files have different columns gets none, and one with a damaged file:
// that is found where the file is read.
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

// samplesOf lists the first samples of files, which are in their order.
func samplesOf(files []File) string {
	var all []string
	for _, f := range files {
		all = append(all, strconv.Itoa(f.Lo))
	}
	return strings.Join(slices.Compact(all), ",")
}

// errColumns says that the files of a partition have not the same columns.
var errColumns = errors.New("the files have different columns")

// compacting is the work on the compact files of a generation. The rows of a row group wait on shelves, those that were
// kept on theirs, and are put together leaf by leaf while it is encoded: all at once would be the day once more in memory.
type compacting struct {
	g     *Generation
	place func(file string) string
	files []*compactFile

	all   shelves       // only for its lock: own is on none
	own   *shelf        // rows that were read; nil: none yet
	read  *column.Batch // rows of a file
	group []rowRange    // the row group begun
	rows  int           // its rows
	size  int64         // their size
	leaf  column.Leaf   // memory of a leaf of it
}

// rowRange is some rows of a file: so many from those on that are done.
type rowRange struct {
	keptReader
	n int
}

// compactFile is one that is being made.
type compactFile struct {
	sink   *FileSink
	out    *FileWriter
	leaves []int  // of the rows that it has
	narrow string // fingerprint of its columns if it has not all
}

// add adds the rows of a file that is complete and not published yet. The files are small: each is read at once.
func (c *compacting) add(ctx context.Context, f File) error {
	t := c.g.table
	file := t.Footers.Written(f)
	if file == nil {
		data, err := store.ReadFile(ctx, t.bucket, c.place(f.Name))
		if err != nil {
			return taken(err)
		}
		if file, err = t.Footers.Open(inMemory{bytes.NewReader(data)}, f); err != nil {
			return t.blame(ctx, c.g.day, f, err)
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
	if file.kept != nil {
		return c.take(*file.kept)
	}
	defer file.Release()
	err := each(ctx, file, c.read, readRows, c.addRead)
	var unread *readError
	if errors.As(err, &unread) {
		return t.blame(ctx, c.g.day, f, unread.error)
	}
	return err
}

// addRead adds rows that were read.
func (c *compacting) addRead() error {
	if err := c.files[len(c.files)-1].out.check(c.read); err != nil { // that one has all columns
		return err
	}
	if c.own == nil {
		c.own = newShelf(column.NewBatch(c.read.Columns))
	}
	return c.take(keptReader{keptFile: c.own.add(c.read, c.read.Size()), all: &c.all})
}

// inMemory is a file that was read.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// start begins the compact files of rows with these columns.
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
		if f.leaves, ok = c.pick(cols); !ok { // an older list of columns: without the file others are read
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

// pick gives the leaves of the rows that columns have; ok is false if the rows lack one.
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
	return leaves, true
}

// finish completes the files.
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

// abort drops what is not complete.
func (c *compacting) abort() {
	for _, f := range c.files {
		if f.sink != nil {
			_ = f.sink.Abort()
		}
	}
}
