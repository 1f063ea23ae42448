package etl

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// ErrRetyped means that a column would change its type within a version of its table: readers could not read
// old and new partitions together.
var ErrRetyped = errors.New("a column keeps its type within a version of a table")

// checkAllTypes returns an error if published partitions have another type for a column of the tables. publish means
// that partitions will be published, so their lists of columns must be written before. log may be nil.
func checkAllTypes(ctx context.Context, d *site.Data, tables []string, publish bool, log *slog.Logger) (map[string]*columnLists, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	lists := map[string]*columnLists{}
	var all []error
	for _, name := range tables {
		lt, err := d.Table(name)
		if err != nil {
			return nil, err
		}
		if lt.Schema.IsSnapshots() {
			continue // each snapshot is read for itself
		}
		if store.HasDirs(lt.Bucket()) {
			_, err = checkPartitions(ctx, lt, nil)
		} else {
			lists[name], err = checkColumns(ctx, lt, publish, log)
		}
		all = append(all, err)
	}
	return lists, errors.Join(all...)
}

// checkPartitions compares the table with one partition of each list of columns. It calls found, if not nil,
// with each list; cols is nil for the present columns. It skips unreadable partitions, which the units that
// need them report; whole reports whether there are none.
func checkPartitions(ctx context.Context, lt *lake.Table, found func(fingerprint string, cols []schema.Column)) (whole bool, err error) {
	if found == nil {
		found = func(string, []schema.Column) {}
	}
	present := lake.Fingerprint(lt.Schema.Columns)
	seen := map[string]bool{}
	manifests, err := lt.Partitions(ctx)
	whole = err == nil
	for _, m := range manifests {
		if seen[m.Columns] || len(m.Files) == 0 {
			continue
		}
		seen[m.Columns] = true
		if m.Columns == present {
			found(present, nil)
			continue
		}
		cols, err := publishedColumns(ctx, lt, m)
		if err != nil {
			whole = false
			continue
		}
		found(m.Columns, cols)
		for _, c := range schema.Retypings(schema.Diff(cols, lt.Schema.Columns)) {
			return whole, fmt.Errorf("%s: column %s is %s in published partitions, such as %s, and would become %s: %w: %s",
				lt.Schema.Name, c.Column, c.Old, m.Day, c.New, ErrRetyped, retypeHint(lt.Schema))
		}
	}
	return whole, nil
}

// retypeHint explains how to change the type of a column.
func retypeHint(t *schema.Table) string {
	place := "its definition in the program"
	switch {
	case t.Made == schema.FromProbes:
		place = "table_version in main_summary.yaml"
	case t.Namespace != "" && t.Namespace != ping.Telemetry: // the lake keeps the definitions of all partitions
		return "the definitions of Glean in the lake have become more since this process began: start it again"
	}
	return "give what is measured now another name, or the table another version (" + place + ")"
}

// publishedColumns reads the columns of a partition from one of its files.
func publishedColumns(ctx context.Context, lt *lake.Table, m *lake.Manifest) (cols []schema.Column, err error) {
	name := lt.Paths(ctx, m)(m.Files[0].Name)
	r, err := lt.Bucket().Open(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	f, err := lake.OpenFile(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return f.Columns(), nil
}
