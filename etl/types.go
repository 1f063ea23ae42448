package etl

import (
	"context"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// ErrRetyped marks a column that would change its type within a version of its
// table: readers could not read old and new partitions together.
var ErrRetyped = errors.New("a column keeps its type within a version of a table")

// checkAllTypes refuses tables with a column that published partitions have with
// another type.
func checkAllTypes(ctx context.Context, d *site.Data, tables []string) error {
	var all []error
	for _, name := range tables {
		lt, err := d.Table(name)
		if err != nil {
			return err
		}
		all = append(all, checkTypes(ctx, lt))
	}
	return errors.Join(all...)
}

// checkTypes compares with one partition of each list of columns there is.
// Partitions that cannot be read are for the units that need them to report.
func checkTypes(ctx context.Context, lt *lake.Table) error {
	seen := map[string]bool{lake.Fingerprint(lt.Schema.Columns): true}
	manifests, _ := lt.Partitions(ctx)
	for _, m := range manifests {
		if seen[m.Columns] || len(m.Files) == 0 {
			continue
		}
		seen[m.Columns] = true
		cols, err := publishedColumns(ctx, lt, m)
		if err != nil {
			continue
		}
		for _, c := range schema.Retypings(schema.Diff(cols, lt.Schema.Columns)) {
			return fmt.Errorf("%s: column %s is %s in published partitions, such as %s, and would become %s: %w: "+
				"give what is measured now another name, or the table another version (%s)",
				lt.Schema.Name, c.Column, c.Old, m.Day, c.New, ErrRetyped, versionHint(lt.Schema))
		}
	}
	return nil
}

// versionHint says where the version of a table is set.
func versionHint(t *schema.Table) string {
	if t.FromProbes {
		return "table_version in main_summary.yaml"
	}
	return "its definition in the program"
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
