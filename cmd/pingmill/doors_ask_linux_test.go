package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/pingmill/pingmill/sql/query"
)

// outcome is the result of one statement.
type outcome struct {
	rows     answerRows
	refused  string // the query is wrong, may not be asked, or met a limit
	internal string // a mistake of the program
}

// door is a way to ask.
type door struct {
	name     string
	dialects []query.Dialect
	run      func(ctx context.Context, d query.Dialect, sql string) outcome
}

var bothDialects, prestoAlone = []query.Dialect{query.Presto, query.DuckDB}, []query.Dialect{query.Presto}

// doors returns all ways to ask, for one asker.
func (a asker) doors() []door {
	bin := programIn(a.t, a.t.TempDir())
	postgres, err := pgconn.Connect(a.t.Context(), fmt.Sprintf("postgres://token:%s@%s/hive?sslmode=disable", a.token, a.postgres))
	require.NoError(a.t, err)
	a.t.Cleanup(func() { _ = postgres.Close(context.WithoutCancel(a.t.Context())) })
	client, err := flightsql.NewClient(a.flight, nil, nil, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(a.t, err)
	a.t.Cleanup(func() { _ = client.Close() })
	return []door{
		{"CLI", bothDialects, func(ctx context.Context, d query.Dialect, sql string) outcome { return a.askCLI(ctx, bin, d, sql) }},
		{"web", bothDialects, func(ctx context.Context, d query.Dialect, sql string) outcome { return a.askWeb(ctx, d, sql, "") }},
		{"saved", bothDialects, a.askSaved},
		{"PostgreSQL", prestoAlone, func(ctx context.Context, _ query.Dialect, sql string) outcome {
			return askPostgres(ctx, postgres, sql)
		}},
		{"Flight SQL", prestoAlone, func(ctx context.Context, _ query.Dialect, sql string) outcome {
			return a.askFlight(ctx, client, sql)
		}},
		{"Trino", prestoAlone, func(ctx context.Context, _ query.Dialect, sql string) outcome { return a.askTrino(ctx, sql) }},
	}
}

// mistakes are texts of errors that are no refusals.
var mistakes = []string{
	"makes no sense", "process died", "process of the query", "query's process", "panic", "no such file", "No such file", "No files found",
	"is not published", "Permission denied", "the log of the s", "INTERNAL", "Internal", "Damaged", "damaged",
}

func judged(text string) outcome {
	for _, m := range mistakes {
		if strings.Contains(text, m) {
			return outcome{internal: text}
		}
	}
	return outcome{refused: text}
}

func (a asker) askCLI(ctx context.Context, bin string, d query.Dialect, sql string) outcome {
	args := []string{"query", "--data", a.data, "--format", "csv", "--dialect", string(d), "--max-days", "0", "--file", "-"}
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Stdin = strings.NewReader(sql)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return judged("CLI: " + err.Error() + ": " + errs.String())
	}
	rows, err := fromCSV(string(out))
	if err != nil {
		return outcome{internal: err.Error()}
	}
	return outcome{rows: rows}
}

// call makes a request of the API. A busy server asks to come again.
func (a asker) call(ctx context.Context, method, path string, in any) (int, string, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return 0, "", err
	}
	for {
		r, err := http.NewRequestWithContext(ctx, method, a.base+"/api/v1"+path, strings.NewReader(string(body)))
		if err != nil {
			return 0, "", err
		}
		r.Header.Set("Authorization", "Bearer "+a.token)
		r.Header.Set("Content-Type", "application/json")
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, "", err
		}
		text, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || got.StatusCode != http.StatusTooManyRequests {
			return got.StatusCode, string(text), err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (a asker) askWeb(ctx context.Context, d query.Dialect, sql, saved string) outcome {
	in := map[string]any{"sql": sql, "dialect": d, "wait": 60, "whole": true}
	if saved != "" {
		in["saved"] = saved
	}
	code, text, err := a.call(ctx, "POST", "/queries", in)
	var q struct {
		ID, State string
		Error     *struct{ Kind, Message string }
	}
	for err == nil && code < 300 {
		if err = json.Unmarshal([]byte(text), &q); err != nil || q.State != "queued" && q.State != "running" {
			break
		}
		code, text, err = a.call(ctx, "GET", "/queries/"+q.ID+"?wait=60", nil)
	}
	switch {
	case err != nil:
		return outcome{internal: err.Error()}
	case code == http.StatusUnprocessableEntity || code == http.StatusBadRequest:
		return judged(text)
	case code >= 300:
		return outcome{internal: fmt.Sprint(code, " ", text)}
	case q.Error != nil:
		return judged(q.Error.Kind + ": " + q.Error.Message)
	case q.State != "done":
		return outcome{internal: text}
	}
	code, text, err = a.call(ctx, "GET", "/queries/"+q.ID+"/result?format=csv", nil)
	if err != nil || code != http.StatusOK {
		return outcome{internal: fmt.Sprint(code, " ", text, " ", err)}
	}
	rows, err := fromCSV(text)
	if err != nil {
		return outcome{internal: err.Error()}
	}
	return outcome{rows: rows}
}

// askSaved saves a query, and runs it.
func (a asker) askSaved(ctx context.Context, d query.Dialect, sql string) outcome {
	code, text, err := a.call(ctx, "POST", "/saved", map[string]any{"title": "asked", "sql": sql, "dialect": d, "tags": []string{}})
	if code == http.StatusUnprocessableEntity {
		return judged(text)
	}
	var q struct{ ID string }
	if err == nil {
		err = json.Unmarshal([]byte(text), &q)
	}
	if err != nil || code >= 300 {
		return outcome{internal: fmt.Sprint(code, " ", text, " ", err)}
	}
	defer func() { _, _, _ = a.call(context.WithoutCancel(ctx), "DELETE", "/saved/"+q.ID, nil) }() // the list would grow
	return a.askWeb(ctx, d, sql, q.ID)
}

func askPostgres(ctx context.Context, c *pgconn.PgConn, sql string) outcome {
	if c.TxStatus() != 'I' { // an attack began a transaction
		if _, err := c.Exec(ctx, "ROLLBACK").ReadAll(); err != nil {
			return outcome{internal: err.Error()}
		}
	}
	results, err := c.Exec(ctx, sql).ReadAll()
	var serverErr *pgconn.PgError
	switch {
	case errors.As(err, &serverErr) && (serverErr.Code == "XX000" || strings.HasPrefix(serverErr.Code, "58")):
		return outcome{internal: fmt.Sprintf("%+v", *serverErr)}
	case errors.As(err, &serverErr):
		return judged(serverErr.Message)
	case err != nil:
		return outcome{internal: err.Error()}
	}
	rows := answerRows{}
	for _, r := range results {
		for _, cells := range r.Rows {
			row := make([]string, len(cells))
			for i, c := range cells {
				row[i] = string(c)
			}
			rows = append(rows, row)
		}
	}
	return outcome{rows: rows}
}

func (a asker) askFlight(ctx context.Context, c *flightsql.Client, sql string) outcome {
	rows, err := a.flightRows(metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+a.token), c, sql)
	if err == nil {
		return outcome{rows: rows}
	}
	switch status.Code(err) {
	case codes.InvalidArgument, codes.NotFound, codes.PermissionDenied, codes.ResourceExhausted, codes.Unimplemented, codes.FailedPrecondition:
		return judged(err.Error())
	}
	return outcome{internal: err.Error()}
}

func (a asker) flightRows(ctx context.Context, c *flightsql.Client, sql string) (answerRows, error) {
	info, err := c.Execute(ctx, sql)
	if err != nil {
		return nil, err
	}
	rows := answerRows{}
	for _, e := range info.Endpoint {
		r, err := c.DoGet(ctx, e.Ticket)
		if err != nil {
			return nil, err
		}
		for r.Next() {
			batch := r.RecordBatch()
			for i := range int(batch.NumRows()) {
				row := make([]string, batch.NumCols())
				for n, col := range batch.Columns() {
					if col.IsValid(i) {
						row[n] = col.ValueStr(i)
					}
				}
				rows = append(rows, row)
			}
		}
		err = r.Err()
		r.Release()
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}
