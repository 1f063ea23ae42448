package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

func newTables() *cobra.Command {
	var at siteFlags
	var files bool
	var date, from, to string
	cmd := &cobra.Command{
		Use:   "tables [--files TABLE]",
		Short: "list the tables, or the files of one: what a row is, where they are, what is published",
		Long: `Lists the tables with what is published of them.

With --files it prints the paths of a table's files, for programs that read parquet.
These stay for publish.grace when the table is published anew, so who reads what
was printed reads one state of it, whatever is published meanwhile.`,
		Example: "  pingmill tables\n  pingmill tables --files clients_daily --from 20180301 --to 20180307",
		Args: cli.Args(func(cmd *cobra.Command, args []string) error {
			if files {
				return cobra.ExactArgs(1)(cmd, args)
			}
			return cobra.NoArgs(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if files {
				return listTableFiles(cmd, &at, args[0], date, from, to)
			}
			if is, err := site.Exists(at.data); err == nil && !is {
				p, err := loadProbes(at.probes)
				if err != nil {
					return err
				}
				return listTables(cmd.OutOrStdout(), schema.Tables(p), nil)
			}
			s, err := at.read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			states, err := tableStates(cmd.Context(), s)
			return errors.Join(listTables(cmd.OutOrStdout(), s.Tables, states), err)
		},
	}
	at.add(cmd)
	f := cmd.Flags()
	f.BoolVar(&files, "files", false, "print the paths of a table's files")
	f.StringVar(&date, "date", "", "with --files: the day, YYYYMMDD")
	f.StringVar(&from, "from", "", "with --files: first day, YYYYMMDD")
	f.StringVar(&to, "to", "", "with --files: last day, YYYYMMDD")
	return cmd
}

// tableState is what is published of a table.
type tableState struct {
	days        int
	first, last string
	rows, bytes int64
	denied      bool // this user may not read it
}

func tableStates(ctx context.Context, s *site.Site) (map[string]tableState, error) {
	states := map[string]tableState{}
	var bad []error
	for _, t := range s.Tables {
		lt, err := s.Table(t.Name)
		if err != nil {
			return nil, err
		}
		var st tableState
		manifests, err := lt.Partitions(ctx)
		if st.denied = errors.Is(err, fs.ErrPermission); !st.denied {
			bad = append(bad, err)
		}
		for _, m := range manifests {
			if st.days == 0 {
				st.first = m.Day
			}
			st.last = m.Day
			st.days++
			st.rows += m.Rows
			st.bytes += m.Bytes
		}
		states[t.Name] = st
	}
	return states, errors.Join(bad...)
}

func listTables(out io.Writer, tables []*schema.Table, states map[string]tableState) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tVERSION\tCOLUMNS\tDAYS\tFROM\tTO\tROWS\tBYTES\tONE ROW PER")
	for _, t := range tables {
		st := states[t.Name]
		if st.denied {
			fmt.Fprintf(w, "%s\t%s\t%d\t?\t?\t?\t?\t?\tpermission denied\n", t.Name, t.Version, len(t.Columns))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", t.Name, t.Version, len(t.Columns),
			st.days, report.OrNone(st.first), report.OrNone(st.last), humanize.Comma(st.rows), humanize.Bytes(uint64(st.bytes)), shortGrain(t.Grain))
	}
	return w.Flush()
}

// shortGrain is the grain up to its first punctuation.
func shortGrain(s string) string {
	for i, c := range s {
		if c == ';' || c == ',' && i > 20 {
			return s[:i]
		}
	}
	return s
}
