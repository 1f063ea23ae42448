package command

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/tasks"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

// planFlags define which partitions tasks are of.
type planFlags struct {
	program flags.Program
	site    flags.Site
	keep    flags.Keep
	days    cli.Days
	tables  []string
	share   string
	wait    time.Duration
}

func (f *planFlags) add(cmd *cobra.Command, prefix string) {
	f.site.Makes = true
	f.site.Add(cmd, f.program.Now)
	f.site.AddApps(cmd)
	f.keep.Add(cmd)
	f.days.Add(cmd.Flags(), prefix+"the day, YYYYMMDD, today or yesterday (UTC)", prefix)
	cmd.Flags().StringArrayVar(&f.tables, "table", nil, prefix+"only this table, with those it needs; may be given again (default: all)")
}

func (f *planFlags) addShare(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.share, "share", "0/1", "which share of the tasks of the days: 0/4 is the first of four")
}

func (f *planFlags) addWait(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.wait, "wait", 0, "with --date: go on until all tables are published, for this long")
}

// args are a file, unless flags say which days.
func (f *planFlags) args(cmd *cobra.Command, args []string) error {
	if f.days != (cli.Days{}) {
		return cobra.NoArgs(cmd, args)
	}
	return cobra.ExactArgs(1)(cmd, args)
}

// options returns the options of a run that makes the tasks.
func (f *planFlags) options(s *site.Site) (o etl.RunOptions, err error) {
	if err := f.keep.Set(s); err != nil {
		return o, cli.Usage(err)
	}
	if o.Days, err = f.days.Read(f.program.Now()); err != nil {
		return o, cli.Usage(err)
	}
	for _, name := range f.tables {
		if _, err := s.Table(name); err != nil {
			return o, cli.Usage(err)
		}
	}
	if o.Now, o.Tables = f.program.Now, f.tables; len(o.Tables) == 0 {
		o.Tables, err = flags.Tables(s, "all")
	}
	return o, err
}

// plan returns the plan of an installation.
func (f *planFlags) plan(ctx context.Context, s *site.Site) (tasks.Plan, error) {
	share, err := tasks.ParseShare(f.share)
	if err != nil {
		return tasks.Plan{}, cli.Usage(err)
	}
	o, err := f.options(s)
	if err != nil {
		return tasks.Plan{}, err
	}
	return tasks.New(ctx, s, o, share)
}

func newPlan(p flags.Program) *cobra.Command {
	f := planFlags{program: p}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "list the tasks that make tables of a day, for other machines",
		Long: `Lists what run would make, and with --json the tasks that can be done now: a
line for each, which pingmill task takes on any machine. Tables that are made
from main_summary can be planned when it is published: plan again after pingmill
commit, until there are no more tasks. See docs/tasks.md.`,
		Example: "  pingmill plan --date 20180301 --json > tasks\n  pingmill task tasks > results\n  pingmill commit tasks",
		Args:    cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.site.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			p, err := f.plan(cmd.Context(), s)
			if err != nil {
				return err
			}
			if !asJSON {
				return report.Plan(cmd.OutOrStdout(), p.RunPlan, 0)
			}
			report.PlanNotes(cmd.ErrOrStderr(), p.RunPlan, p.Later)
			return p.Write(cmd.OutOrStdout())
		},
	}
	f.add(cmd, "")
	f.addShare(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "the tasks as JSON, one a line")
	return cmd
}

func newTask(p flags.Program) *cobra.Command {
	f := planFlags{program: p}
	var workers int
	cmd := &cobra.Command{
		Use:   "task FILE|-",
		Short: "do tasks that pingmill plan has described",
		Long: `Does the tasks of a file, or of standard input, a line each, and prints a line
about each as it ends. It needs the roots that they name, and nothing else of the
installation. A task may be done twice, also at the same time. Instead of a file
--date makes it plan the day itself and do its --share.

The exit status is 1 when a task failed and may be tried again, and 65 when one
was refused, so that the day has to be planned again.`,
		Example: "  pingmill task tasks --workers 2\n  pingmill plan --date 20180301 --json | pingmill task -",
		Args:    cli.Args(f.args),
		RunE: func(cmd *cobra.Command, args []string) error {
			cli.Finishes(cmd.Context(), func() string { return "the task" })
			r, err := f.runner(cmd, workers)
			if err != nil {
				return err
			}
			defer r.Close()
			if len(args) > 0 {
				in, err := openTasks(cmd, args[0])
				if err != nil {
					return err
				}
				defer in.Close()
				return r.Lines(cmd.Context(), in, cmd.OutOrStdout())
			}
			s, err := f.site.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			plan := func(ctx context.Context) (tasks.Plan, error) { return f.plan(ctx, s) }
			return r.Rounds(cmd.Context(), plan, cmd.OutOrStdout(), f.wait, pollPause)
		},
	}
	f.add(cmd, "instead of a file: ")
	f.addShare(cmd)
	f.addWait(cmd)
	cmd.Flags().IntVar(&workers, "workers", 1, "tasks at a time")
	return cmd
}

func openTasks(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return pipe.Open(cmd.Context(), name)
}

// runner does tasks with the settings here.
func (f *planFlags) runner(cmd *cobra.Command, workers int) (*tasks.Runner, error) {
	set, err := f.site.Load()
	if err != nil {
		return nil, err
	}
	roots, err := f.site.Storage.Roots()
	if err != nil {
		return nil, cli.Usage(err)
	}
	return &tasks.Runner{Set: set, Extend: f.site.ExtendData, Roots: roots, Workers: workers, Now: f.program.Now,
		Log: cli.NewLog(cmd.ErrOrStderr())}, nil
}

// commitPatience limits the time that a commit waits for others that publish, pollPause separates two polls.
const (
	commitPatience = 10 * time.Minute
	pollPause      = 2 * time.Second
)

func newCommit(p flags.Program) *cobra.Command {
	f := planFlags{program: p}
	var checks flags.Checks
	cmd := &cobra.Command{
		Use:   "commit [FILE|-]",
		Short: "publish partitions whose tasks are done",
		Long: `Checks and publishes the partitions of a plan, given as a file or as standard
input, or with --date those of a day: all whose tasks are done. What is published
already stays. It may be called by several at once: one publishes. The exit
status is 65 when the day has to be planned again.`,
		Example: "  pingmill commit tasks\n  pingmill commit --date 20180301 --table main_summary",
		Args:    cli.Args(f.args),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.site.Open(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer s.Close()
			o, err := f.commits(cmd, s, args)
			if err == nil {
				err = checks.Run(cmd.Context(), s, &o, p, cmd.ErrOrStderr())
			}
			if err != nil || len(o.Days) == 0 {
				return err
			}
			o.Patience = etl.Patience{Others: commitPatience, Tasks: f.wait, Pause: pollPause}
			return runJobs(cmd.Context(), s, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.add(cmd, "")
	f.addWait(cmd)
	f.site.AddPublishing(cmd)
	checks.Add(cmd)
	return cmd
}

// commits returns the options of a run that publishes: what a plan names, or days.
func (f *planFlags) commits(cmd *cobra.Command, s *site.Site, args []string) (o etl.RunOptions, err error) {
	if len(args) == 0 {
		o, err = f.options(s)
	} else if in, failed := openTasks(cmd, args[0]); failed != nil {
		err = failed
	} else {
		err = errors.Join(tasks.Planned(s, in, &o), f.keep.Set(s), in.Close())
	}
	o.Staged = true
	return o, err
}
