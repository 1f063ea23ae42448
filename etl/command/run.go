// Package command implements the commands that run partitions, either completely or as tasks for other machines, and those
// that infer definitions from the archive.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

// runFlags select what a run makes, and limit its processors and memory.
type runFlags struct {
	program        flags.Program
	site           flags.Site
	checks         flags.Checks
	keep           flags.Keep
	days           cli.Days
	samples        string
	memory         string
	force          bool
	downstream     bool
	restart        bool
	plan           bool
	workers, cores int
}

// Commands returns all of them.
func Commands(p flags.Program) []*cobra.Command {
	return []*cobra.Command{newRun(p), newPlan(p), newTask(p), newCommit(p), newAccept(p), newDefinitions(p)}
}

func newRun(p flags.Program) *cobra.Command {
	f := runFlags{program: p}
	cmd := &cobra.Command{
		Use:   "run TABLE|all",
		Short: "make a table of one or several days, with the tables it needs",
		Long: `Makes the partitions of a table, or of all tables, from the archive. What is
published with the same inputs is left as it is. Interrupted runs continue when
the same command is given again. --plan says what would be done, and why.`,
		Example: "  pingmill run all --date 20180301\n  pingmill run clients_daily --from 20180301 --to 20180331\n" +
			"  pingmill run main_summary --date 20180301 --force --downstream --plan",
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.site.Makes = true
	f.site.Add(cmd, f.program.Now)
	f.site.AddPublishing(cmd)
	f.site.AddApps(cmd)
	f.checks.Add(cmd)
	f.keep.Add(cmd)
	fl := cmd.Flags()
	f.days.Add(fl, "the day, YYYYMMDD, today or yesterday (UTC)", "")
	fl.StringVar(&f.samples, "samples", "", "only these samples, such as 0-9 (default: all)")
	fl.BoolVar(&f.force, "force", false, "make the partitions again even if they are current")
	fl.BoolVar(&f.downstream, "downstream", false, "also the tables that are made from the table, and later days that go on from the days")
	fl.BoolVar(&f.restart, "restart", false, "start tables over that wait for an earlier day which was not made")
	fl.BoolVar(&f.plan, "plan", false, "print what would be done, and do nothing")
	fl.IntVar(&f.workers, "workers", 0, "tasks at a time (default: one for each core)")
	fl.IntVar(&f.cores, "cores", 0, "another name of --workers")
	fl.StringVar(&f.memory, "memory", "", "memory to stay below, such as 512MB; there are fewer workers if need be")
	cmd.MarkFlagsMutuallyExclusive("workers", "cores")
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, name string) error {
	o, err := f.options()
	if err != nil {
		return cli.Usage(err)
	}
	f.site.Days = o.Days
	s, err := f.site.OpenOrRead(cmd.Context(), f.plan)
	if err != nil {
		return err
	}
	defer s.Close()
	report.WarnColumnless(cli.NewLog(cmd.ErrOrStderr()), s.Probes)
	if err := f.keep.Set(s); err != nil {
		return cli.Usage(err)
	}
	if o.Tables, err = flags.Tables(s, name); err != nil {
		return cli.Usage(err)
	}
	if err := f.checks.Run(cmd.Context(), s, &o, f.program, cmd.ErrOrStderr()); err != nil {
		return err
	}
	o.Checks.Workers = o.Workers
	if f.plan {
		p, err := etl.PlanRun(cmd.Context(), s, o)
		if err != nil {
			return fmt.Errorf("plan: %w", err)
		}
		return report.Plan(cmd.OutOrStdout(), p, o.Workers)
	}
	err = runJobs(cmd.Context(), s, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
	var empty interface{ Empty() bool }
	if errors.As(err, &empty) && slices.Contains(o.Days, f.program.Now().UTC().Format("20060102")) {
		return fmt.Errorf("%w, or wait for pingmill serve: it commits those of today every few minutes (decode.archive-every)", err)
	}
	return err
}

// options reads the flags, and sets the memory limit of the process.
func (f *runFlags) options() (o etl.RunOptions, err error) {
	o = etl.RunOptions{Force: f.force, Downstream: f.downstream, Restart: f.restart, Workers: max(f.workers, f.cores)}
	if f.workers < 0 || f.cores < 0 {
		return o, errors.New("--workers and --cores must not be negative")
	}
	if o.Days, err = f.days.Read(f.program.Now()); err != nil {
		return o, err
	}
	if f.samples != "" {
		if o.Samples, err = job.ParseSamples(f.samples); err != nil {
			return o, err
		}
	}
	if f.memory == "" {
		return o, nil
	}
	limit, err := humanize.ParseBytes(f.memory)
	if err == nil {
		o.Workers, err = etl.WorkersWithin(limit, o.Workers)
	}
	if err != nil {
		return o, fmt.Errorf("--memory %s: %w", f.memory, err)
	}
	debug.SetMemoryLimit(int64(limit))
	return o, nil
}

// runJobs runs with progress on errs and the outcome on out.
func runJobs(ctx context.Context, s *site.Site, o etl.RunOptions, out, errs io.Writer) error {
	p := report.NewProgress(errs)
	if plan, err := etl.PlanRun(ctx, s, o); err == nil && !o.Staged { // what is wrong the run will say
		p.Expect(plan)
	}
	cli.Finishes(ctx, p.Unfinished)
	o.Progress = p.Event
	var r job.Report
	var err error
	if o.Staged {
		r, err = etl.Commit(ctx, s, o)
	} else {
		r, err = etl.Run(ctx, s, o)
	}
	if err == nil {
		err = etl.Sweep(ctx, s)
	}
	p.Close()
	return report.Run(ctx, &r, err, out, errs)
}
