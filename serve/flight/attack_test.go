package flight

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/metadata"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/query"
)

// fetched returns the rows of a ticket as text.
func fetched(ctx context.Context, c *flightsql.Client, ticket *flight.Ticket) (string, error) {
	r, err := c.DoGet(ctx, ticket)
	if err != nil {
		return "", err
	}
	defer r.Release()
	var all strings.Builder
	for r.Next() {
		fmt.Fprint(&all, r.RecordBatch())
	}
	return all.String(), r.Err()
}

// ways are those in which a client can send a statement.
var ways = []struct {
	name string
	send func(ctx context.Context, c *flightsql.Client, sql string) (string, error)
}{
	{"statement", func(ctx context.Context, c *flightsql.Client, sql string) (string, error) {
		info, err := c.Execute(ctx, sql)
		if err != nil {
			return "", err
		}
		return fetched(ctx, c, info.Endpoint[0].Ticket)
	}},
	{"schema", func(ctx context.Context, c *flightsql.Client, sql string) (string, error) {
		s, err := c.GetExecuteSchema(ctx, sql)
		return fmt.Sprint(s), err
	}},
	{"prepared", func(ctx context.Context, c *flightsql.Client, sql string) (string, error) {
		p, err := c.Prepare(ctx, sql)
		if err != nil {
			return "", err
		}
		info, err := p.Execute(ctx)
		if err != nil {
			return "", err
		}
		return fetched(ctx, c, info.Endpoint[0].Ticket)
	}},
	{"ticket", func(ctx context.Context, c *flightsql.Client, sql string) (string, error) {
		text, err := json.Marshal(handle{"forged", bi.Request{SQL: sql, Dialect: query.DuckDB}})
		if err != nil {
			return "", err
		}
		ticket, err := flightsql.CreateStatementQueryTicket(text)
		if err != nil {
			return "", err
		}
		return fetched(ctx, c, &flight.Ticket{Ticket: ticket})
	}},
	{"update", func(ctx context.Context, c *flightsql.Client, sql string) (string, error) {
		n, err := c.ExecuteUpdate(ctx, sql)
		return fmt.Sprint(n), err
	}},
	{"behind a query", func(ctx context.Context, c *flightsql.Client, sql string) (string, error) {
		info, err := c.Execute(ctx, "SELECT 1 --\r; "+sql)
		if err != nil {
			return "", err
		}
		return fetched(ctx, c, info.Endpoint[0].Ticket)
	}},
}

// TestAttacks: no attack passes any entrance, no answer shows secrets, and nothing is written.
func TestAttacks(t *testing.T) {
	at, o := served(t, nil)
	c, ctx := dialed(t, at, "common")
	ctx = metadata.AppendToOutgoingContext(ctx, dialectHeader, string(query.DuckDB))
	before := []string(nil)
	for n, way := range ways {
		attacks := o.Attacks(t, n, len(ways))
		if n == 0 {
			before = o.Files(t)
		}
		for _, a := range attacks {
			got, err := way.send(ctx, c, a.SQL)
			bitest.Unharmed(t, o, a, fmt.Sprint(got, err))
			if !a.Harmless {
				assert.Error(t, err, "%s: %s: %s", way.name, a.SQL, got)
			}
		}
	}
	assert.Subset(t, before, o.Files(t))
	got, err := ways[0].send(ctx, c, "SELECT list_sum([1, 2]) AS x")
	require.NoError(t, err)
	assert.Contains(t, got, "3", "the server goes on")
}
