package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/saved/examples"
	"github.com/pingmill/pingmill/terminal/cli"
)

func (t *demonstration) queries(ctx context.Context, s *site.Site, temp string) (err error) {
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return fmt.Errorf("make folder for temporary files: %w", err)
	}
	db, err := catalog.Open(ctx, s, query.Options{TempDir: temp})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	from, err := job.ParseDay(t.from)
	if err != nil {
		return err
	}
	to, err := job.ParseDay(t.to)
	if err != nil {
		return err
	}
	if t.Serve != nil {
		t.printf("\n4. Asked them:")
	}
	for i, e := range examples.First() {
		sql, err := e.Query(examples.Days{From: from, To: to})
		if err != nil {
			return err
		}
		start := t.Now()
		if t.Serve != nil { // the query tool shows it better
			n, err := t.runQuery(ctx, db, sql, io.Discard)
			if err != nil {
				return err
			}
			t.printf("   %s: %d rows in %s", e.Title, n, t.took(start).Round(time.Millisecond))
			continue
		}
		t.printf("\n%d. %s\n\n%s\n", i+4, e.Title, sql)
		if _, err := t.runQuery(ctx, db, sql, t.Out); err != nil {
			return err
		}
		t.printf("   in %s", t.took(start).Round(time.Millisecond))
	}
	return nil
}

// ask writes the result of a query.
func (t *demonstration) runQuery(ctx context.Context, db *query.DB, sql string, w io.Writer) (int64, error) {
	rows, err := db.QueryIn(ctx, query.Presto, sql)
	if err != nil {
		return 0, fmt.Errorf("query: %w", err)
	}
	n, err := rows.Write(w, query.FormatTable, query.WriteOptions{Width: cli.TerminalWidth(w)})
	if err = errors.Join(err, rows.Close()); err != nil {
		return n, fmt.Errorf("query: %w", err)
	}
	return n, nil
}
