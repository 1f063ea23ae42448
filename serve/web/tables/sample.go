package tables

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
)

const (
	sampleRows    = 20
	sampleColumns = 40 // of a table with many hundred; the others are a query away
	sampleWait    = 20 * time.Second
)

type sampleOutput struct {
	Body struct {
		Day     string             `json:"day"`
		Columns int                `json:"columns" doc:"of those that you may read, how many it has; the first ones"`
		Query   queryservice.Query `json:"query" doc:"its rows are at /queries/{id}/rows"`
	}
}

// sample runs a query of some rows of the newest day as the person: with their grants and limits, in their history and
// the audit log. The idempotency key makes repeated requests within an hour share one query.
func (c *catalog) sample(ctx context.Context, in *Named) (*sampleOutput, error) {
	p := access.From(ctx)
	t, err := find(c.visible(p), in.Name)
	if err != nil {
		return nil, err
	}
	if _, reads := p.Reads(c.stored(t)); !reads {
		return nil, huma.Error403Forbidden("you may not read this table")
	}
	s, err := c.summary(ctx, p, t)
	if err != nil {
		return nil, err
	}
	day := cmp.Or(s.Fresh.Complete, s.Fresh.Newest)
	if day == "" {
		return nil, huma.Error409Conflict("nothing is published yet")
	}
	var out sampleOutput
	out.Body.Day, out.Body.Columns = day, min(sampleColumns, len(t.Columns))
	sql := sampleSQL(t, day)
	q, err := c.QueryService.Submit(ctx, p, queryservice.Request{
		SQL: sql, Dialect: query.DuckDB, Rows: sampleRows,
		Key: fmt.Sprintf("sample %x %s %s", sha256.Sum256([]byte(sql)), c.Now().UTC().Format("2006010215"), s.Fresh.Published),
	})
	var failed *queryservice.Failure
	switch {
	case errors.As(err, &failed):
		return nil, huma.Error422UnprocessableEntity(failed.Message)
	case errors.Is(err, queryservice.ErrFull):
		return nil, huma.Error429TooManyRequests(err.Error())
	case err != nil:
		return nil, err
	}
	out.Body.Query, err = c.QueryService.Wait(ctx, p, q.ID, sampleWait)
	return &out, err
}

// sampleSQL returns a query of some rows of a day, in DuckDB's dialect.
func sampleSQL(t *schema.Table, day string) string {
	var columns []string
	for _, c := range t.Columns[:min(sampleColumns, len(t.Columns))] {
		columns = append(columns, `"`+strings.ReplaceAll(c.Name, `"`, `""`)+`"`)
	}
	if t.IsSnapshots() {
		return fmt.Sprintf("SELECT %s\nFROM %s_%s\nLIMIT %d", strings.Join(columns, ", "), t.Name, t.PartitionDir(day), sampleRows)
	}
	return fmt.Sprintf("SELECT %s\nFROM %s\nWHERE %s = '%s'\nLIMIT %d",
		strings.Join(columns, ", "), t.Name, t.PartitionKeys[0], t.PartitionValue(day), sampleRows)
}
