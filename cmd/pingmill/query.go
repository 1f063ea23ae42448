package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/catalog"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/prompt"
	"github.com/pingmill/pingmill/query"
)

func newQuery() *cobra.Command {
	var site siteFlags
	var format, output, memory string
	var files []string
	var threads int
	cmd := &cobra.Command{
		Use:   "query ['SQL']",
		Short: "ask the tables in SQL (Presto or DuckDB), or open a prompt",
		Long: `Runs SQL over the published tables. Presto's functions and syntax work, and
DuckDB's. Several statements, with semicolons between them, run one after the other.
Without SQL it is a prompt, or, where standard input is no terminal, the SQL is read
from there; - instead of SQL says so.`,
		Example: "  pingmill query 'SELECT count(*) FROM clients_daily'\n  pingmill query --file weekly.sql --format csv --output weekly.csv\n  pingmill query",
		Args:    cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			f, err := query.ParseFormat(format)
			if err != nil {
				return cli.Usage(err)
			}
			if len(files) > 0 && len(args) > 0 {
				return cli.Usagef("%s: SQL or --file, not both", cmd.CommandPath())
			}
			interactive := len(args) == 0 && len(files) == 0 && cli.IsTerminal(os.Stdin) && cli.IsTerminal(cmd.OutOrStdout())
			var texts []string
			if !interactive {
				if texts, err = prompt.ReadTexts(cmd.InOrStdin(), args, files); err != nil {
					return err
				}
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
			o := prompt.Options{
				Engine: prompt.Local{DB: db}, Site: s, In: os.Stdin, Out: cmd.OutOrStdout(), Errs: cmd.ErrOrStderr(),
				Getenv: os.Getenv, Now: time.Now, Format: f,
			}
			if interactive {
				return prompt.New(o).Interact(cmd.Context())
			}
			return prompt.RunTexts(cmd.Context(), o, texts, output)
		},
	}
	site.add(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&files, "file", nil, "file of SQL, - for standard input; may be given again")
	f.StringVar(&format, "format", "table", "table, csv, json, ndjson or parquet")
	f.StringVar(&output, "output", "", "file for the result (default: standard output)")
	f.StringVar(&memory, "memory", "", "memory limit, such as 4GB (default: 80 % of the machine's)")
	f.IntVar(&threads, "threads", 0, "threads (default: all cores)")
	return cmd
}
