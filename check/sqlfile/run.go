package sqlfile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// sqlCheck is a query whose rows break a rule.
type sqlCheck struct {
	definition
	options query.Options
}

// find runs the query over a partition and what is published beside it.
func (c *sqlCheck) find(ctx context.Context, p *check.Partition) (f check.Finding, err error) {
	views, err := c.views(ctx, p)
	if err != nil {
		return f, err
	}
	db, err := query.Open(ctx, views, c.options)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.Query(ctx, render(c.sql, p.Day))
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for {
		values, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if err != nil {
			return f, err
		}
		if f.Total++; len(f.Rows) < check.MaxRows {
			f.Rows = append(f.Rows, row(rows.Columns, values))
		}
	}
}

// row names a row of the result.
func row(columns []query.Column, values []any) check.Row {
	var r check.Row
	for i, v := range values {
		f := check.Field{Column: columns[i].Name}
		if v != nil {
			text := valueText(v)
			f.Value = &text
		}
		r.Key = append(r.Key, f)
	}
	return r
}

func valueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.RawMessage:
		return string(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = valueText(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case query.Object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = m.Name + "=" + valueText(m.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

// views are the tables. Those that the query does not speak of are empty: it
// takes time to list what is published.
func (c *sqlCheck) views(ctx context.Context, p *check.Partition) ([]query.View, error) {
	views := emptyViews(p.Data.Tables)
	sql := strings.ToLower(c.sql)
	for i, t := range p.Data.Tables {
		if !strings.Contains(sql, strings.ToLower(t.Name)) {
			continue
		}
		files, err := tableFiles(ctx, p, t)
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", t.Name, err)
		}
		views[i].Files = files
	}
	return views, nil
}

// tableFiles are the files of a table: what is published, but for the day of the
// partition, if it is the partition's table, what that has.
func tableFiles(ctx context.Context, p *check.Partition, t *schema.Table) ([]string, error) {
	lt, err := p.Data.Table(t.Name)
	if err != nil {
		return nil, err
	}
	dir, ok := store.LocalDir(lt.Bucket())
	if !ok {
		return nil, errors.New("they are not on the local disk")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	var files []string
	add := func(list []lake.File, path func(string) string) {
		for _, f := range list {
			files = append(files, filepath.Join(dir, path(f.Name)))
		}
	}
	all, err := lt.Partitions(ctx)
	if err != nil {
		return nil, err
	}
	own := t.Name == p.Table.Schema.Name
	for _, m := range all {
		if own && m.Day == p.Day {
			add(p.Kept, lt.Paths(ctx, m))
		} else {
			add(m.Files, lt.Paths(ctx, m))
		}
	}
	if own {
		add(p.Files, p.Path)
	}
	return files, nil
}
