package sqlfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/fetch"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/reads"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store"
)

// sqlCheck is a query whose rows break a rule.
type sqlCheck struct {
	definition
	runner *worker.Runner
}

func (c *sqlCheck) request(day string, views []query.View) worker.Request {
	return worker.Request{SQL: render(c.sql, day), Dialect: c.dialect, Views: views, Format: query.FormatNDJSON}
}

// start runs a request in a worker, as the operator.
func (c *sqlCheck) start(ctx context.Context, q worker.Request, out io.Writer) error {
	_, err := c.runner.Run(ctx, q, out, nil)
	return err
}

// errPlanned ends a query that needs not run.
var errPlanned = errors.New("the query can run")

// try finds out whether the query can run on the tables.
func (c *sqlCheck) try(ctx context.Context, tables []*schema.Table) error {
	q := c.request(sampleDay, emptyViews(tables))
	q.Allow = func(context.Context, worker.Plan) error { return errPlanned }
	err := c.start(ctx, q, io.Discard)
	if errors.Is(err, errPlanned) {
		return nil
	}
	return err
}

// find runs the query over a partition and what is published beside it.
func (c *sqlCheck) find(ctx context.Context, p *check.Partition) (check.Finding, error) {
	cached := map[string]fetch.File{}
	views, err := c.views(ctx, p, cached)
	if err != nil {
		return check.Finding{}, err
	}
	found := &rows{}
	q := c.request(p.Day, views)
	if len(cached) > 0 {
		q.Verify = func(ctx context.Context, scans []query.Scan) error { return bring(ctx, p.Data.Cache, cached, scans) }
	}
	if err = c.start(ctx, q, found); err != nil {
		return check.Finding{}, err
	}
	return found.Finding, nil
}

// views returns the tables. Those that the query cannot read are empty, because listing the published files takes time.
func (c *sqlCheck) views(ctx context.Context, p *check.Partition, cached map[string]fetch.File) ([]query.View, error) {
	views := emptyViews(p.Data.Tables)
	read := reads.Named(c.dialect, render(c.sql, p.Day), p.Data.Tables)
	for i, t := range p.Data.Tables {
		if !read(t) {
			continue
		}
		files, err := tableFiles(ctx, p, t, cached)
		if err != nil {
			return nil, fmt.Errorf("list files of %s: %w", t.Name, err)
		}
		views[i].Files = files
	}
	return views, nil
}

// tableFiles returns the files of a table: what is published, but for the day of the partition, if it is the
// partition's table, what that has. Those in a bucket are added to cached, by their paths in the cache.
func tableFiles(ctx context.Context, p *check.Partition, t *schema.Table, cached map[string]fetch.File) ([]string, error) {
	lt, err := p.Data.Table(t.Name)
	if err != nil {
		return nil, err
	}
	dir, local := store.LocalDir(lt.Bucket())
	if !local && p.Data.Cache == nil {
		return nil, errors.New("they are in a bucket, and there is no cache")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	var files []string
	var failed error
	add := func(list []lake.File, path func(string) string) {
		for _, f := range list {
			if local {
				files = append(files, filepath.Join(dir, path(f.Name)))
				continue
			}
			in := fetch.File{Bucket: lt.Bucket(), Name: path(f.Name), Size: f.Bytes}
			in.Place = "checks/" + fetch.Key(f.Name, f.SHA256) + "/" + in.Name
			name, err := p.Data.Cache.Reserve(in)
			failed = errors.Join(failed, err)
			files, cached[name] = append(files, name), in
		}
	}
	all, err := lt.Partitions(ctx)
	if err != nil {
		return nil, err
	}
	own := t.Name == p.Table.Schema.Name
	for _, m := range all {
		if own && m.Day == p.Day {
			add(p.Unchecked, lt.Paths(ctx, m))
		} else {
			add(m.Files, lt.Paths(ctx, m))
		}
	}
	if own {
		add(p.Files, p.Path)
	}
	return files, failed
}

// bring brings what a query reads of files in a bucket.
func bring(ctx context.Context, cache *fetch.Cache, cached map[string]fetch.File, scans []query.Scan) error {
	for _, s := range scans {
		var files []fetch.File
		for _, name := range s.Files {
			if f, is := cached[name]; is {
				files = append(files, f)
			}
		}
		if err := cache.Bring(ctx, files, s.Columns); err != nil {
			return err
		}
	}
	return nil
}
