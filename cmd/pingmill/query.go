package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/site"
)

func newQuery() *cobra.Command {
	var site siteFlags
	var format, output, memory string
	var threads int
	cmd := &cobra.Command{
		Use:   "query 'SQL'",
		Short: "ask the tables in SQL (Presto or DuckDB)",
		Long: `Runs SQL over the published tables. Presto's functions and syntax work, and
DuckDB's. With - instead of SQL the query is read from standard input.`,
		Example: "  pingmill query 'SELECT count(*) FROM clients_daily'",
		Args:    cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			sql := args[0]
			if sql == "-" {
				b, err := io.ReadAll(cmd.InOrStdin())
				if err != nil {
					return fmt.Errorf("read the query: %w", err)
				}
				sql = string(b)
			}
			f, err := query.ParseFormat(format)
			if err != nil {
				return cli.Usage(err)
			}
			s, err := site.read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			db, err := openQuery(cmd.Context(), s, query.Options{Threads: threads, MemoryLimit: memory, TempDir: site.readTemp()})
			if err != nil {
				return err
			}
			defer db.Close()
			return runQuery(cmd.Context(), db, sql, f, output, cmd.OutOrStdout())
		},
	}
	site.add(cmd)
	f := cmd.Flags()
	f.StringVar(&format, "format", "table", "table, csv, json, ndjson or parquet")
	f.StringVar(&output, "output", "", "file for the result (default: standard output)")
	f.StringVar(&memory, "memory", "", "memory limit, such as 4GB (default: 80 % of the machine's)")
	f.IntVar(&threads, "threads", 0, "threads (default: all cores)")
	return cmd
}

// openQuery opens the SQL engine over what is published, without the rows of
// clients that asked to be forgotten.
func openQuery(ctx context.Context, s *site.Site, o query.Options) (*query.DB, error) {
	var views []query.View
	published := etl.NewPublished(s, time.Now)
	for _, t := range s.Tables {
		v := query.TableView(t, nil)
		lt, err := s.Table(t.Name)
		if err != nil {
			return nil, err
		}
		v.Files, v.Err = published.Files(ctx, lt)
		views = append(views, v)
	}
	o.Verify = func(ctx context.Context, scans []query.Scan) error {
		for _, scan := range scans {
			if err := published.Verify(ctx, scan.Files, scan.Columns); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	if o.Hidden, err = s.Forgotten.Hidden(ctx); err != nil {
		return nil, err
	}
	return query.Open(ctx, views, o)
}

func runQuery(ctx context.Context, db *query.DB, sql string, f query.Format, output string, out io.Writer) (err error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	width := cli.TerminalWidth(out)
	if output != "" {
		file, err := cli.CreateOutput(ctx, output)
		if err != nil {
			return err
		}
		_, err = rows.Write(file, f, query.WriteOptions{})
		return file.CloseWithError(err)
	}
	if _, err = rows.Write(out, f, query.WriteOptions{Width: width}); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	return nil
}
