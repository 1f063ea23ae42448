// Package catalog reads the published data of an installation: it opens the SQL engine on it, lists its files and
// counts rows of clients. Publishing may continue meanwhile.
package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/view"
	"github.com/pingmill/pingmill/sql/reads"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store"
)

// Open opens the SQL engine over the published files, without the rows of clients that asked to be forgotten. Its
// queries are trusted: no gate checks them.
func Open(ctx context.Context, s *site.Site, o query.Options, avoid ...string) (*query.DB, error) {
	hidden, err := s.Forgotten.Hidden(ctx) // before listing files: they may still have a client whose removal ends meanwhile
	if err != nil {
		return nil, err
	}
	views, published, err := views(ctx, s, everything{}, reading{days: func(*schema.Table) wanted { return everyDay }}, avoid)
	if err != nil {
		return nil, err
	}
	o.Verify, o.Hidden = verifying(published), hidden
	return query.Open(ctx, views, o)
}

// Request returns a query of the published files for a worker, without the rows of clients that asked to be forgotten.
// All tables are granted. It reads no compact file of the partitions in avoid: see Again.
func Request(ctx context.Context, s *site.Site, d query.Dialect, sql string, avoid ...string) (q worker.Request, err error) {
	return Granted(ctx, s, everything{}, d, sql, avoid...)
}

// Reader holds what somebody may read, as access.Person does.
type Reader interface {
	// Reads reports whether a table may be read, and returns its readable columns; nil means all.
	Reads(*schema.Table) (columns []string, may bool)
	// Rows returns the conditions that the readable rows meet; nil means all rows.
	Rows(*schema.Table) []rows.Selection
}

// everything is a Reader of all tables.
type everything struct{}

func (everything) Reads(*schema.Table) ([]string, bool) { return nil, true }
func (everything) Rows(*schema.Table) []rows.Selection  { return nil }

// Granted is like Request but has only the granted tables, columns and rows: for the query no others exist.
func Granted(ctx context.Context, s *site.Site, g Reader, d query.Dialect, sql string, avoid ...string) (q worker.Request, err error) {
	q = worker.Request{SQL: sql, Dialect: d, DoubleLiterals: s.DoubleLiterals, Format: query.FormatTable}
	if q.Hidden, err = s.Forgotten.HiddenHashes(ctx); err != nil { // before the files, as in Open
		return q, err
	}
	// Manifests of a bucket are remembered from query to query until the feed of changes names their table. Once a removal has
	// ended its clients are not hidden any more, so no manifest from before is used.
	ctx = store.Since(ctx, time.Now(), s.Forgotten.State())
	var published *etl.PublishedFiles
	if q.Views, published, err = views(ctx, s, g, named(s, d, sql), avoid); err != nil {
		return q, err
	}
	q.Verify, q.FilesRemoved = verifying(published), published.Replaced
	return q, nil
}

// tableView returns a table's view with its granted columns and rows. The partition columns are always included, because without them
// no query could limit what it reads.
func tableView(t *schema.Table, g Reader) (v query.View, may bool) {
	columns, may := g.Reads(t)
	may = may && !t.Internal()
	v = query.TableView(t, nil)
	for _, c := range g.Rows(t) {
		v.Rows = append(v.Rows, view.Condition{Column: columnOf(v, c.Column), Values: c.Values})
	}
	if columns == nil || !may {
		return v, may
	}
	granted := func(name string) bool {
		return slices.Contains(columns, name) || slices.Contains(t.PartitionKeys, name)
	}
	v.Columns = slices.DeleteFunc(v.Columns, func(c query.Column) bool { return !granted(c.Name) })
	if !granted(v.Sample) {
		v.Sample = ""
	}
	return v, true
}

// columnOf returns a column of a view. A partition key that is none of the columns is a text.
func columnOf(v query.View, name string) query.Column {
	if i := slices.IndexFunc(v.Columns, func(c query.Column) bool { return c.Name == name }); i >= 0 {
		return v.Columns[i]
	}
	return query.Column{Name: name, Type: "VARCHAR"}
}

// derived returns the views of a table whose columns are all granted.
func derived(t *schema.Table, g Reader) []query.View {
	if columns, may := g.Reads(t); columns != nil || !may {
		return nil
	}
	return query.Derived(t)
}

// Tables returns views of the granted tables without files.
func Tables(tables []*schema.Table, g Reader) (views []query.View) {
	for _, t := range tables {
		if v, may := tableView(t, g); may {
			views = append(append(views, v), derived(t, g)...)
		}
	}
	return views
}

// maxAgain limits the damaged compact files that one query avoids, maxReplaced its retries because files
// were removed: a removal of forgotten clients continues with other days meanwhile.
const (
	maxAgain    = 20
	maxReplaced = 20
)

// Again runs do and repeats it, with a longer list of partitions to avoid, while do fails on a damaged compact file:
// the other files of such a partition have the same rows. It also repeats do if a file was replaced after it was
// listed, and then remembers nothing of the bucket. do must have no visible effect before it fails.
func Again(ctx context.Context, do func(ctx context.Context, avoid []string) error) error {
	var avoid []string
	for replacements := 0; ; {
		err := do(ctx, avoid)
		var damaged *etl.CompactError
		switch {
		case errors.As(err, &damaged) && len(avoid) < maxAgain:
			avoid = append(avoid, damaged.Partition)
		case replaced(err) && replacements < maxReplaced:
			replacements++
			ctx = store.Present(ctx)
		default:
			return err
		}
	}
}

// replaced reports whether a file was replaced after the files were listed and before it was read. Replaced files are
// usually retained for a while. But a day that is made again from the same inputs (--force) reuses file names, and
// files with rows of forgotten clients or of expired days are removed at once.
func replaced(err error) bool {
	var e *query.Error
	var removed *worker.FilesRemovedError
	if errors.Is(err, etl.ErrReplaced) || errors.As(err, &removed) {
		return true
	}
	return errors.As(err, &e) && e.Table != "" &&
		slices.ContainsFunc(vanished, func(text string) bool { return strings.Contains(e.Message, text) })
}

// vanished lists DuckDB's messages for files that are missing or that it may not open.
var vanished = []string{"Permission denied", "No such file", "No files found"}

// wanted reports whether a day of a table must be listed. nil means that no day is listed, nor whether any exists.
type wanted func(day string) bool

func everyDay(string) bool { return true }

// reading holds what a query can read.
type reading struct {
	days   func(*schema.Table) wanted
	others bool // it can ask for the names of other tables, but not for their columns
}

// named returns the tables and days that a query can read, as far as its text shows.
func named(s *site.Site, d query.Dialect, sql string) reading {
	tables, q := s.Tables, reads.Parse(d, sql)
	found := q.Find(reads.Tables(tables))
	return reading{others: q.OnlyNamed(), days: func(t *schema.Table) wanted {
		r, ok := found[slices.Index(tables, t)]
		switch {
		case !ok:
			return nil
		case r.All():
			return everyDay
		}
		return func(day string) bool { return r.Has(t.PartitionValue(day)) }
	}}
}

// names returns the views of a table that a query does not read, without columns: a table can have thousands.
func names(t *schema.Table, g Reader) (views []query.View) {
	columns, may := g.Reads(t)
	if !may || t.Internal() {
		return nil
	}
	byTable := t.WithViews()
	if columns != nil {
		byTable = byTable[:1]
	}
	for _, t := range byTable {
		views = append(views, query.View{Name: t.Name, Aliases: t.Aliases(), Unlisted: true})
	}
	return views
}

// views returns the tables with their published files. It lists only the wanted days, because listing all takes time.
func views(ctx context.Context, s *site.Site, g Reader, read reading, avoid []string) (views []query.View, published *etl.PublishedFiles,
	err error) {
	published = etl.NewPublished(s, time.Now)
	published.Avoid = map[string]bool{}
	for _, partition := range avoid {
		published.Avoid[partition] = true
	}
	for _, t := range s.Tables {
		wanted := read.days(t)
		if wanted == nil && read.others {
			views = append(views, names(t, g)...)
			continue
		}
		v, may := tableView(t, g)
		if !may {
			continue
		}
		if v.Unlisted = wanted == nil; !v.Unlisted {
			lt, err := s.Table(t.Name)
			if err != nil {
				return nil, nil, err
			}
			if t.IsSnapshots() {
				views = append(views, snapshots(ctx, lt, v, published)...)
				continue
			}
			v.Files, v.Narrow, err = published.Files(ctx, lt, wanted)
			v.Err = view.NewListError(err)
			for _, f := range v.Files {
				v.Sizes = append(v.Sizes, published.Size(f))
				if in := published.Samples(f); in != "" {
					v.Inside = append(slices.Grow(v.Inside, len(v.Files)), make([]string, len(v.Sizes)-1-len(v.Inside))...)
					v.Inside = append(v.Inside, in)
				}
			}
		}
		views = append(append(views, v), derived(t, g)...)
	}
	return views, published, nil
}

// verifying returns a function that verifies the files of scans.
func verifying(published *etl.PublishedFiles) func(context.Context, []query.Scan) error {
	return func(ctx context.Context, scans []query.Scan) error {
		for _, scan := range scans {
			if err := published.Verify(ctx, scan.Files, scan.Columns); err != nil {
				return err
			}
		}
		return nil
	}
}
