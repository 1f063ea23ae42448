package main

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/engine"
	"github.com/pingmill/pingmill/terminal/prompt"
)

func newQuery() *cobra.Command {
	var site flags.Site
	var settings engine.Flags
	var output string
	var files []string
	cmd := &cobra.Command{
		Use:   "query ['SQL']",
		Short: "ask the tables in SQL (Presto or DuckDB), or open a prompt",
		Long: `Runs SQL over the published tables, in Presto's dialect or, with --dialect duckdb,
in DuckDB's. Several statements, with semicolons between them, run one after the other.
Without SQL it is a prompt, or, where standard input is no terminal, the SQL is read
from there; - instead of SQL says so.

Each query runs in a process of its own, which can read the files of the tables and
nothing else: see docs/query.md. --unsafe is the way around that. With --server
the query tool of that address runs them, with an API token of its account page.`,
		Example: "  pingmill query 'SELECT count(*) FROM clients_daily'\n  pingmill query --file weekly.sql --format csv --output " +
			"weekly.csv\n  pingmill query --server https://pings.example.org --token-file token\n  pingmill query",
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			q, err := settings.Settings()
			if err != nil {
				return err
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
			o := prompt.Options{In: os.Stdin, Out: cmd.OutOrStdout(), Errs: cmd.ErrOrStderr(), Getenv: os.Getenv, Now: time.Now}
			q.Stats = q.Stats || !interactive && cli.IsTerminal(cmd.ErrOrStderr())
			if o.Settings = q; q.Server != "" {
				set, err := site.Load()
				if err != nil {
					return err
				}
				if o.Engine, o.Site, err = engine.OpenRemote(cmd.Context(), q, interactive, set); err != nil {
					return err
				}
				return prompt.Run(cmd.Context(), o, interactive, texts, output)
			}
			debug.SetGCPercent(400) // lists of files are most of the allocations, and stay
			runner := q.Start()
			defer runner.Close()
			s, err := site.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			if err := config.CheckTables("query.table-days", q.Guard.Tables, s.Tables); err != nil {
				return cli.Usage(err)
			}
			local, end, err := engine.Open(cmd.Context(), s, q, runner, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer end()
			o.Engine, o.Site = local, s
			return prompt.Run(cmd.Context(), o, interactive, texts, output)
		},
	}
	site.Add(cmd, time.Now)
	site.AddQueries(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&files, "file", nil, "file of SQL, - for standard input; may be given again")
	f.StringVar(&output, "output", "", "file for the result (default: standard output)")
	settings.Add(f)
	return cmd
}
