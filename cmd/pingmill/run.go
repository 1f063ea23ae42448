package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/job"
)

func newRun() *cobra.Command {
	var site siteFlags
	var date, from, to, samples string
	var force bool
	var workers int
	cmd := &cobra.Command{
		Use:   "run TABLE|all",
		Short: "make a table of one or several days, with the tables it needs",
		Long: `Makes the partitions of a table, or of all tables, from the archive. What is
published with the same inputs is left as it is. Interrupted runs continue when
the same command is given again.`,
		Example: "  pingmill run all --date 20180301\n  pingmill run clients_daily --from 20180301 --to 20180331",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			days, err := daysOf(date, from, to)
			if err != nil {
				return fmt.Errorf("%w: %w", errUsage, err)
			}
			o := etl.RunOptions{Days: days, Force: force, Workers: workers, Now: time.Now}
			if samples != "" {
				if o.Samples, err = job.ParseSamples(samples); err != nil {
					return fmt.Errorf("%w: %w", errUsage, err)
				}
			}
			s, err := site.open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			if o.Tables, err = tablesOf(s, args[0]); err != nil {
				return fmt.Errorf("%w: %w", errUsage, err)
			}
			return runJobs(cmd.Context(), s, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	site.add(cmd)
	site.addApps(cmd)
	f := cmd.Flags()
	f.StringVar(&date, "date", "", "the day, YYYYMMDD")
	f.StringVar(&from, "from", "", "first day, YYYYMMDD")
	f.StringVar(&to, "to", "", "last day, YYYYMMDD")
	f.StringVar(&samples, "samples", "", "only these samples, such as 0-9 (default: all)")
	f.BoolVar(&force, "force", false, "make the partitions again even if they are current")
	f.IntVar(&workers, "workers", 0, "tasks at a time (default: one for each core)")
	return cmd
}

// daysOf reads the three day flags.
func daysOf(date, from, to string) ([]string, error) {
	switch {
	case date != "" && from == "" && to == "":
		return job.DayRange(date, date)
	case date == "" && from != "" && to != "":
		return job.DayRange(from, to)
	}
	return nil, errors.New("say which days: --date YYYYMMDD, or --from and --to")
}

func tablesOf(s *etl.Site, name string) ([]string, error) {
	if name != "all" {
		_, err := s.Table(name)
		return []string{name}, err
	}
	var all []string
	for _, t := range s.Tables {
		all = append(all, t.Name)
	}
	return all, nil
}

// runJobs runs with progress on errs and the outcome on out.
func runJobs(ctx context.Context, s *etl.Site, o etl.RunOptions, out, errs io.Writer) error {
	p := newProgress(errs)
	o.Progress = p.event
	report, err := s.Run(ctx, o)
	p.close()
	for _, u := range report.Units {
		if u.Outcome == job.Skipped {
			fmt.Fprintf(errs, "skipped %s: %s\n", u.Unit, u.Reason)
		}
	}
	if report.Unchanged() {
		fmt.Fprintf(out, "nothing to do: all %d partitions are current\n", len(report.Units))
	} else if len(report.Units) > 0 {
		fmt.Fprintf(out, "%s in %s\n", report, report.Ended.Sub(report.Started).Round(time.Millisecond))
	}
	if err == nil && report.Count(job.Skipped) > 0 {
		return fmt.Errorf("run: %d partitions could not be made", report.Count(job.Skipped))
	}
	return err
}
