package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/service/doctor"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/terminal/cli"
)

func newDoctor(s *settings) *cobra.Command {
	o := doctor.Options{Now: time.Now}
	var format, file, log string
	var refused error
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "examine an installation: disk, clock, limits, permissions, servers, versions, backup",
		Long: `Examines what an installation depends on, with the settings of serve: disk and
synced writes, clock, limits of this process, permissions, kernel, certificates,
bucket, brokers, PostgreSQL, the provider of accounts, the versions of formats and
tables, the newest backup, and the service if it runs. Each check is a line: what
was found and, unless it is ok, what to do. The exit status is 1 if a check fails.

It changes nothing and writes only a temporary folder in the data folder, which it
removes. Run it as the user of the service.

With --bundle it writes what a report of an error needs into one file: this report,
version, configuration, metrics, sizes of folders, failed jobs, the end of the log and
goroutines. Secrets, names of machines and people, client ids, and statements are left
out. Look at it before you send it.`,
		Example: "  pingmill doctor --config /etc/pingmill/pingmill.yaml\n  pingmill doctor --backup /backup/data --format json\n" +
			"  pingmill doctor --bundle report.tar.gz",
		Args: cli.Args(cobra.NoArgs),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			refused = s.load(cmd) // is a finding
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return cli.Usagef("no format %q: want text or json", format)
			}
			p, err := s.patient(cmd, refused)
			if err != nil {
				return err
			}
			p.Options = o
			all, err := doctor.Examine(cmd.Context(), p)
			if err != nil {
				return err
			}
			if file != "" {
				if err := doctor.WriteBundle(cmd.Context(), file, log, p, all, cmd.OutOrStdout()); err != nil {
					return err
				}
				return doctor.Failed(all)
			}
			r := doctor.NewReport(p.Program, o.Now(), all)
			write := r.Text
			if format == "json" {
				write = r.JSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return err
			}
			return doctor.Failed(all)
		},
	}
	fl := cmd.Flags()
	config.All.Flags(fl)
	fl.StringVar(&format, "format", "text", "text or json")
	fl.StringVar(&file, "bundle", "", "write a new .tar.gz for a report of an error, without personal data")
	fl.StringVar(&log, "log", "", "file with the log of the service, for --bundle; otherwise it is the unit's journal")
	fl.BoolVar(&o.Write, "write", false, "also try writing in buckets, as pingmill storage check does")
	fl.StringVar(&o.Backup, "backup", "", "folder with the newest copy of the data folder")
	fl.DurationVar(&o.BackupAge, "backup-age", 48*time.Hour, "how much older than the archive that copy may be")
	fl.StringVar(&o.Unit, "unit", "pingmill", "unit of systemd that runs the service")
	return cmd
}

// patient returns what doctor examines, with the settings of serve.
func (s *settings) patient(cmd *cobra.Command, refused error) (*doctor.Patient, error) {
	f := &serveFlags{}
	var serve cobra.Command
	f.add(&serve)
	p := &doctor.Patient{File: s.file, Refused: refused, Values: s.values, Service: &f.Config, Program: versionText()}
	if !cmd.Flags().Changed("config") {
		p.File = os.Getenv(config.FileVariable)
	}
	if refused != nil {
		return p, nil
	}
	s.values.Apply(serve.Flags())
	f.Data = f.site.Data
	roots, err := f.site.Storage.Roots()
	if err != nil {
		return nil, cli.Usage(err)
	}
	if p.Roots, err = roots.Below(f.Data); err != nil {
		return nil, cli.Usage(err)
	}
	if f.Queries, err = f.queries.Options(); err != nil {
		return nil, cli.Usage(err)
	}
	p.Exists, p.Check = f.site.Exists, f.check
	p.Read = func(ctx context.Context) (*site.Site, error) {
		in, err := f.site.Read(ctx)
		if err != nil {
			return nil, err
		}
		if err := f.keep.Set(in); err != nil {
			return nil, errors.Join(err, in.Close())
		}
		return in, nil
	}
	return p, nil
}
