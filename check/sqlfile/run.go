package sqlfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// sqlCheck is a query whose rows break a rule.
type sqlCheck struct {
	definition
	runner *ask.Runner
}

func (c *sqlCheck) request(day string, views []query.View) ask.Request {
	return ask.Request{SQL: render(c.sql, day), Dialect: c.dialect, Views: views, Format: query.FormatNDJSON}
}

// errPlanned ends a query that needs not run.
var errPlanned = errors.New("the query can run")

// try finds out whether the query can run on the tables.
func (c *sqlCheck) try(ctx context.Context, tables []*schema.Table) error {
	q := c.request(sampleDay, emptyViews(tables))
	q.Allow = func(context.Context, ask.Plan) error { return errPlanned }
	_, err := c.runner.Run(ctx, q, io.Discard, nil)
	if errors.Is(err, errPlanned) {
		return nil
	}
	return err
}

// find runs the query over a partition and what is published beside it.
func (c *sqlCheck) find(ctx context.Context, p *check.Partition) (check.Finding, error) {
	views, err := c.views(ctx, p)
	if err != nil {
		return check.Finding{}, err
	}
	found := &rows{}
	if _, err = c.runner.Run(ctx, c.request(p.Day, views), found, nil); err != nil {
		return check.Finding{}, err
	}
	return found.Finding, nil
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
