package sqlfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

// sampleDay is the day when queries are tried on empty tables.
const sampleDay = "20180301"

// Load reads the checks in a folder, sorted by file. A file without a subject, with the name of another check (those in
// others are taken), with an unknown table or with SQL that cannot run on the tables is an error; all such files are in
// it.
func Load(ctx context.Context, dir string, tables []*schema.Table, others []check.Check, runner *worker.Runner) ([]check.Check, error) {
	files, err := filepath.Glob(filepath.Join(escaped(dir), "*.sql"))
	if err != nil {
		return nil, fmt.Errorf("list checks in %s: %w", dir, err)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("list checks: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("list checks in %s: there is no file that ends in .sql", dir)
	}
	l := &loader{runner: runner, tables: tables, taken: map[string]string{}}
	for _, c := range others {
		l.taken[c.Name] = "the checks of the tables"
	}
	var checks []check.Check
	var bad []error
	for _, file := range files {
		c, err := l.load(ctx, file)
		if err != nil {
			bad = append(bad, fmt.Errorf("read check %s: %w", file, err))
			continue
		}
		checks = append(checks, c)
	}
	return checks, errors.Join(bad...)
}

// escaped keeps characters of a path from being read as a pattern.
func escaped(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

func emptyViews(tables []*schema.Table) []query.View {
	views := make([]query.View, len(tables))
	for i, t := range tables {
		views[i] = query.TableView(t, nil)
	}
	return views
}

// loader reads files one after the other.
type loader struct {
	runner *worker.Runner
	tables []*schema.Table
	taken  map[string]string // where a name is from
}

func (l *loader) load(ctx context.Context, file string) (c check.Check, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	d, err := parse(filepath.Base(file), string(text))
	if err != nil {
		return c, err
	}
	if other, taken := l.taken[d.name]; taken {
		return c, fmt.Errorf("its name %s belongs to another check, from %s", d.name, other)
	}
	l.taken[d.name] = file
	if _, err := schema.Find(l.tables, d.table); err != nil {
		return c, err
	}
	q := &sqlCheck{definition: d, runner: l.runner}
	if err := q.try(ctx, l.tables); err != nil {
		return c, err
	}
	return check.Check{Name: d.name, Table: d.table, Severity: d.severity, Rule: d.rule, Func: q.find}, nil
}
