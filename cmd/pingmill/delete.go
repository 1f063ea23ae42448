package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

// deleteFlags holds the flags of the command.
type deleteFlags struct {
	clients []string
	file    string
	now     bool
	recheck bool
	status  bool
	report  bool
	format  string
	timing  erase.Timing
	temp    string // folder for what does not fit in memory
	command func(args string) string
}

func newDelete() *cobra.Command {
	var site flags.Site
	var f deleteFlags
	cmd := &cobra.Command{
		Use:   "delete",
		Short: "forget clients everywhere: tables, raw pings, rejected submissions",
		Long: `Records that clients are to be forgotten. From then on queries leave their rows
out and nothing more of them is taken. The service removes their rows from every
file within its cycle; --now does it at once. A later load or backfill cannot
bring them back. The same happens when a client sends a deletion-request ping.

--status shows what is pending, how far a removal is, and the record of past
ones; with --client-id, what is known of these clients.

--report prints a line for each client that ever asked, or for those of --client-id,
and each table: when it asked, by when it is due, what was found where, when that
was removed and by which version of the program. It names clients by hashes of
their ids. --format csv or json is for other programs.`,
		Example: "  pingmill delete --client-id 0a1b2c3d-1111-4222-8333-444455556666\n" +
			"  pingmill delete --file clients.txt --now\n  pingmill delete --status\n" +
			"  pingmill delete --report --format csv",
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return cli.Usage(err)
			}
			s, err := site.OpenOrRead(cmd.Context(), f.status || f.report)
			if err != nil {
				return err
			}
			defer s.Close()
			f.temp, f.command = s.Temp, site.Command
			return f.run(cmd.Context(), s, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	site.Add(cmd, time.Now)
	site.AddPublishing(cmd)
	site.AddApps(cmd)
	fs := cmd.Flags()
	fs.StringArrayVar(&f.clients, "client-id", nil, "a client to forget, as its pings name it; may be given again")
	fs.StringVar(&f.file, "file", "", "file with one client id a line; - for standard input")
	fs.BoolVar(&f.now, "now", false, "remove the rows of all clients that are to be forgotten now")
	fs.BoolVar(&f.recheck, "recheck", false, "with --now: look at everything again, as after restoring a backup")
	fs.BoolVar(&f.status, "status", false, "show what is pending and what was done")
	fs.BoolVar(&f.report, "report", false, "print what was found and removed for each client")
	fs.StringVar(&f.format, "format", "text", "of --status: text or json; of --report also csv")
	config.Flag(fs, "deletion.every", &f.timing.Every)
	config.Flag(fs, "deletion.deadline", (*time.Duration)(&f.timing.Deadline))
	return cmd
}

func (f *deleteFlags) check() error {
	switch {
	case f.format != "text" && f.format != "json" && (f.format != "csv" || !f.report):
		return fmt.Errorf("format %q is neither text nor json, nor csv of --report", f.format)
	case f.recheck && !f.now:
		return errors.New("--recheck goes with --now")
	case f.status && f.report:
		return errors.New("want --status or --report")
	case (f.status || f.report) && (f.now || f.file != ""):
		return errors.New("--status and --report change nothing: give --now or --file without them")
	case len(f.clients) == 0 && f.file == "" && !f.now && !f.status && !f.report:
		return errors.New("want --client-id, --file, --now, --status or --report")
	}
	for _, c := range f.clients {
		if err := checkClient(c); err != nil {
			return err
		}
	}
	return nil
}

// checkClient checks a client id. It also refuses flags.
func checkClient(id string) error {
	if strings.HasPrefix(id, "--") {
		return fmt.Errorf("client id %q: no id begins with --", id)
	}
	return forget.CheckClient(id)
}

func (f *deleteFlags) run(ctx context.Context, s *site.Site, in io.Reader, out, errs io.Writer) error {
	if f.status {
		st, err := s.Forgotten.Status(ctx, f.clients, f.timing.Deadline)
		if err != nil {
			return err
		}
		if st.Running != nil {
			if st.Removers, err = erase.Removers(ctx, s, time.Now()); err != nil {
				return err
			}
		}
		return report.Deletions(out, st, f.format)
	}
	if f.report {
		all, err := s.Forgotten.Reports().Read(ctx, f.clients, f.timing.Deadline)
		if err != nil {
			return err
		}
		return forget.WriteReports(out, all, f.format)
	}
	clients, err := f.all(ctx, in)
	if err != nil {
		return err
	}
	if len(clients) > 0 {
		if err := f.record(ctx, s, clients, out, errs); err != nil {
			return err
		}
	}
	if !f.now {
		return nil
	}
	return f.removeNow(ctx, s, out, errs)
}

// all returns the clients of the flags and the file.
func (f *deleteFlags) all(ctx context.Context, in io.Reader) ([]string, error) {
	clients := f.clients
	if f.file == "" {
		return clients, nil
	}
	if f.file != "-" {
		file, err := pipe.Open(ctx, f.file)
		if err != nil {
			return nil, fmt.Errorf("read client ids: %w", err)
		}
		defer file.Close()
		in = file
	}
	ids, err := forget.ReadClients(in, checkClient)
	if err != nil {
		return nil, fmt.Errorf("read client ids: %w", err)
	}
	clients = append(clients, ids...)
	if len(clients) == 0 {
		return nil, fmt.Errorf("read client ids: %s has none", f.file)
	}
	return clients, nil
}

func (f *deleteFlags) record(ctx context.Context, s *site.Site, clients []string, out, errs io.Writer) error {
	clients = slices.Compact(slices.Sorted(slices.Values(clients)))
	if len(clients) <= catalog.MaxClients {
		known, err := catalog.CountClients(ctx, s, f.temp, clients)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // no reason not to record it
			cli.NewLog(errs).Warn("what is published of the clients cannot be counted", "error", err)
		default:
			report.ClientRows(out, s.Tables, known.Tables, known.Clients, clients)
		}
	}
	if err := s.Forgotten.RecordOperator(ctx, time.Now(), clients); err != nil {
		return err
	}
	return report.Requested(out, len(clients), f.now, f.timing, f.command)
}

// removeNow removes the rows and prints the result. A removal that was cut short, as by the end of a service, goes on with the
// requests that it began with, so another one follows for those made since.
func (f *deleteFlags) removeNow(ctx context.Context, s *site.Site, out, errs io.Writer) error {
	for called := time.Now(); ; {
		progress, stop := report.DayBar(errs)
		done, err := erase.Run(ctx, s, erase.Options{
			Clock: clock.System(), Timing: erase.Timing{Deadline: f.timing.Deadline}, Progress: progress, Log: cli.NewLog(errs),
			Recheck: f.recheck, Program: "pingmill " + versionText(),
		})
		stop()
		if err != nil {
			return err
		}
		resumed := done.Cycle != nil && done.Began.Before(called) && !done.Ended.IsZero()
		if resumed {
			fmt.Fprintf(out, "a removal that began at %s is finished:\n", done.Began.UTC().Format(time.RFC3339))
		}
		if err := report.Erased(out, &done); err != nil || !resumed {
			return err
		}
	}
}
