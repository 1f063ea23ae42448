package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/flight"
	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// metadata that drivers of PostgreSQL ask for.
var drivers = []string{
	"SELECT c.relname, c.relkind, n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace",
	"SELECT attname FROM pg_catalog.pg_attribute",
	"SELECT * FROM pg_catalog.pg_tables", "SELECT table_name FROM information_schema.tables",
	"SELECT table_name, column_name FROM information_schema.columns",
}

// trinoMetadata lists questions that drivers of Trino ask for.
var trinoMetadata = []string{
	"SELECT * FROM system.jdbc.tables", "SELECT * FROM system.jdbc.columns", "SELECT * FROM system.metadata.table_comments",
}

// said returns an answer of a program's protocol, with the error if it is one.
func errorText(text string, err error) answer {
	if err != nil {
		text += " error: " + err.Error()
	}
	return answer{text: text}
}

// protocols returns the ways in which programs ask with a statement; "" asks for the tables there are.
func (a asker) protocols() map[string]func(sql string) answer {
	a.t.Helper()
	postgres, err := pgconn.Connect(a.t.Context(), fmt.Sprintf("postgres://token:%s@%s/hive?sslmode=disable", a.token, a.postgres))
	require.NoError(a.t, err)
	a.t.Cleanup(func() { _ = postgres.Close(context.WithoutCancel(a.t.Context())) })
	client, err := flightsql.NewClient(a.flight, nil, nil, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(a.t, err)
	a.t.Cleanup(func() { _ = client.Close() })
	ctx := metadata.AppendToOutgoingContext(a.t.Context(), "authorization", "Bearer "+a.token)
	return map[string]func(string) answer{
		"PostgreSQL": func(sql string) answer {
			var b strings.Builder
			results, err := postgres.Exec(a.t.Context(), sql).ReadAll()
			for _, r := range results {
				fmt.Fprintf(&b, "%s %q\n", r.CommandTag, r.Rows)
			}
			if serverErr := (*pgconn.PgError)(nil); errors.As(err, &serverErr) {
				err = fmt.Errorf("%+v", *serverErr)
			}
			return errorText(b.String(), err)
		},
		"Flight SQL": func(sql string) answer {
			info, err := client.Execute(ctx, sql)
			if sql == "" {
				info, err = client.GetTables(ctx, &flightsql.GetTablesOpts{IncludeSchema: true})
			}
			if err != nil {
				return errorText("", err)
			}
			return fetched(ctx, client, info)
		},
		"Trino": func(sql string) answer {
			if sql == "" {
				sql = trinoMetadata[0]
			}
			_, _, text, err := a.trino(ctx, sql)
			return errorText(text, err)
		},
	}
}

// fetched returns the text of a result of Flight SQL.
func fetched(ctx context.Context, client *flightsql.Client, info *flight.FlightInfo) answer {
	var b strings.Builder
	for _, e := range info.Endpoint {
		r, err := client.DoGet(ctx, e.Ticket)
		if err != nil {
			return errorText(b.String(), err)
		}
		for r.Next() {
			for _, c := range r.RecordBatch().Columns() {
				fmt.Fprintln(&b, c)
			}
		}
		err = r.Err()
		fmt.Fprintln(&b, r.Schema())
		r.Release()
		if err != nil {
			return errorText(b.String(), err)
		}
	}
	return errorText(b.String(), nil)
}

// testPrograms is TestHiddenTable over the protocols of programs.
func testPrograms(inside, outside asker, betrays []string) {
	t, secret := inside.t, inside.secret.Name
	for name, run := range outside.protocols() {
		for _, sql := range append(append([]string{}, innocent...), append(drivers, trinoMetadata...)...) {
			got := run(sql)
			for _, w := range betrays {
				if got.mentions(w) && !strings.Contains(sql, w) {
					t.Errorf("%s: %q shows %q: %s", name, sql, w, around(got.text, w))
				}
			}
		}
		statements := [2][]string{named(secret), named(like(secret))}
		for i := range statements[0] {
			swap := [2]string{secret, like(secret)}
			if got, nothing := same(run(statements[0][i]), swap), same(run(statements[1][i]), swap); got != nothing {
				t.Errorf("%s: %s: %s\nbut of nothing: %s", name, statements[0][i], got, nothing)
			}
		}
	}
	run := inside.protocols()
	require.Contains(t, run["Flight SQL"]("").text, secret)
	require.Contains(t, run["PostgreSQL"](drivers[0]).text, secret)
	require.Contains(t, run["Trino"]("").text, secret)
	require.Contains(t, run["PostgreSQL"]("SELECT count(*) AS telling FROM "+secret).text, "SELECT 1")
}
