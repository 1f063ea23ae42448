package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/catalog"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/query"
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
			db, err := catalog.Open(cmd.Context(), s, query.Options{Threads: threads, MemoryLimit: memory, TempDir: s.ReadTemp()})
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

func runQuery(ctx context.Context, db *query.DB, sql string, f query.Format, output string, out io.Writer) (err error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	width := cli.TerminalWidth(out)
	if output != "" {
		return cli.WriteFile(ctx, output, func(w io.Writer) error {
			_, err := rows.Write(w, f, query.WriteOptions{})
			return err
		})
	}
	if _, err = rows.Write(out, f, query.WriteOptions{Width: width}); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	return nil
}
