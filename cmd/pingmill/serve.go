package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

// serveFlags holds the settings of the service.
type serveFlags struct {
	service.Config
	site    flags.Site
	checks  flags.Checks
	keep    flags.Keep
	queries queryservice.Flags
	prepare func(*site.Site)
	unread  error // why an edge does not know the definitions in the lake; nil: it does
}

func newServe() *cobra.Command {
	return newServeAt(clock.System(), nil)
}

// newServeAt returns the command with a clock. prepare, if not nil, changes the installation first.
func newServeAt(c clock.Clock, prepare func(*site.Site)) *cobra.Command {
	f := serveFlags{prepare: prepare}
	f.Clock, f.Edge.Now = c, time.Now
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "take submissions over HTTP, decode them, and make the daily tables",
		Long: `Takes submissions at /submit/… and acknowledges them once they are on disk, in the
spool; decodes them into the archive, and new-profile and update pings straight
into their tables; and makes the tables of each day once it is complete, shortly
after midnight UTC, or what was missed while it was down. A private listener has
metrics, health, status and profiles.

--only runs some of its parts, so that others can be processes of their own: edge
takes submissions, decode decodes what the edge on the same folder has taken,
schedule makes the daily tables, and web is the query tool.

SIGTERM or Ctrl-C ends it: what was taken is finished and decoded. A second
signal ends it at once; nothing is lost then either, it is decoded next time.`,
		Example: "  pingmill serve --data data --listen :8080 --geo GeoLite2-City.mmdb\n  pingmill serve --data data --only decode " +
			"--private 127.0.0.1:8082",
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.serve(cmd.Context(), cli.NewLog(cmd.ErrOrStderr()))
		},
	}
	f.add(cmd)
	return cmd
}

// add adds the flags.
func (f *serveFlags) add(cmd *cobra.Command) {
	f.site.Makes = true
	f.site.Add(cmd, time.Now)
	f.site.AddPublishing(cmd)
	f.site.AddApps(cmd)
	f.site.AddQueries(cmd)
	f.checks.Add(cmd)
	f.keep.Add(cmd)
	flags.Decode(cmd, &f.Decode.Decode)
	fs := cmd.Flags()
	config.Flag(fs, "only", &f.Parts)
	config.Flag(fs, "edge.listen", &f.Listen)
	f.Web.Add(fs)
	config.Flag(fs, "alerts.webhook-hosts", &f.Alerts.Hosts)
	config.Flag(fs, "alerts.private", &f.Alerts.Private)
	config.Flag(fs, "mail.server", &f.Alerts.Mail.Server)
	config.Flag(fs, "mail.from", &f.Alerts.Mail.From)
	config.Flag(fs, "mail.tls", &f.Alerts.Mail.TLS)
	config.Flag(fs, "mail.user", &f.Alerts.Mail.User)
	config.Flag(fs, "mail.password", &f.Alerts.Mail.Password)
	config.Flag(fs, "mail.domains", &f.Alerts.Mail.Domains)
	config.Flag(fs, "mail.rows", &f.Alerts.Mail.Rows)
	f.queries.Add(fs)
	config.Flag(fs, "private.listen", &f.Private)
	config.Flag(fs, "private.hosts", &f.Hosts)
	config.Flag(fs, "private.profiles", &f.PProf)
	config.Flag(fs, "schedule.enabled", &f.Daily)
	config.Flag(fs, "schedule.lookback", &f.Lookback)
	config.Flag(fs, "schedule.remake", &f.Remake)
	config.Flag(fs, "iceberg.every", &f.IcebergEvery)
	config.Flag(fs, "deletion.every", &f.Forget.Every)
	config.Flag(fs, "deletion.deadline", (*time.Duration)(&f.Forget.Deadline))
	config.Flag(fs, "archive.compact-after", &f.CompactAfter)
	config.Flag(fs, "checks.files-every", &f.FilesEvery)
	config.Flag(fs, "quality.enabled", &f.Profiles)
	config.Flag(fs, "edge.name", &f.Spool.Edge)
	config.Flag(fs, "edge.tls.cert", &f.Edge.CertFile)
	config.Flag(fs, "edge.tls.key", &f.Edge.KeyFile)
	config.Flag(fs, "edge.namespaces", &f.Edge.Namespaces)
	config.Flag(fs, "edge.max-request", &f.Edge.MaxBody)
	config.Flag(fs, "edge.max-connections", &f.Edge.MaxConnections)
	config.Flag(fs, "edge.trusted-proxies", &f.Edge.TrustedProxies)
	config.Flag(fs, "spool.min-free", &f.Spool.MinFree)
	config.Flag(fs, "spool.segment-bytes", &f.Spool.SegmentBytes)
	config.Flag(fs, "spool.segment-age", &f.Spool.SegmentAge)
	config.Flag(fs, "spool.second", &f.Spool.Failover)
	config.Flag(fs, "spool.url", &f.Topic.URL)
	config.Flag(fs, "spool.kafka.tls", &f.Topic.TLS)
	config.Flag(fs, "spool.kafka.ca", &f.Topic.CA)
	config.Flag(fs, "spool.kafka.cert", &f.Topic.CertFile)
	config.Flag(fs, "spool.kafka.key", &f.Topic.KeyFile)
	config.Flag(fs, "spool.kafka.sasl", &f.Topic.SASL)
	config.Flag(fs, "spool.kafka.user", &f.Topic.User)
	config.Flag(fs, "spool.kafka.password", &f.Topic.Password)
	config.Flag(fs, "spool.kafka.password-file", &f.Topic.PasswordFile)
	config.Flag(fs, "decode.publish-every", &f.Decode.PublishEvery)
	config.Flag(fs, "decode.archive-every", &f.Decode.ArchiveEvery)
	config.Flag(fs, "tables.live", &f.Decode.Live.Tables)
	config.Flag(fs, "tables.prepared", &f.Decode.Prepared)
	config.Flag(fs, "tables.live-every", &f.Decode.Live.Every)
	config.Flag(fs, "tables.live-rows", &f.Decode.Live.MaxRows)
	config.Flag(fs, "decode.workers", &f.Decode.Workers)
	config.Flag(fs, "decode.stalled-after", &f.StalledAfter)
	config.Flag(fs, "grace", &f.Grace)
}

// check reports what serve would refuse, without creating anything.
func (f *serveFlags) check(ctx context.Context) error {
	err := f.loadTables(ctx)
	if err == nil && !slices.Equal(f.Parts, []string{service.PartEdge}) {
		err = f.unread
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Config.Check(ctx), f.checkTables(), f.checkChecks(ctx))
}

// checkTables checks that the tables of the settings exist.
func (f *serveFlags) checkTables() error {
	o, err := f.queries.Options()
	if err == nil {
		err = errors.Join(f.keep.Check(f.Tables), config.CheckTables("query.table-days", o.Guard.Tables, f.Tables))
	}
	if err != nil {
		return cli.Usage(err)
	}
	return nil
}

// checkChecks checks that the users' checks are valid and that the skipped checks exist.
func (f *serveFlags) checkChecks(ctx context.Context) error {
	temp, err := os.MkdirTemp("", "pingmill-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	_, err = f.checks.Options(ctx, &site.Site{Data: site.Data{Set: schema.Set{Tables: f.Tables}}}, temp)
	return err
}

// loadTables reads the definitions of probes and of Glean applications: they determine the tables, and how pings are decoded.
func (f *serveFlags) loadTables(ctx context.Context) error {
	p, err := schema.LoadProbes(f.site.Probes)
	if err != nil {
		return &service.SetupError{Err: fmt.Errorf("%s: %w", config.Call("probes"), err)}
	}
	set, err := f.site.Set(p)
	if err != nil {
		return err
	}
	f.Tables = set.Tables
	if !slices.Contains(f.Parts, service.PartEdge) {
		return f.readLake(ctx)
	}
	// An edge takes submissions whatever the state of the lake.
	short, stop := context.WithTimeout(ctx, lakePatience)
	defer stop()
	err = f.readLake(short)
	if err == nil || errors.Is(err, cli.ErrUsage) {
		return err
	}
	if site.IsRefused(err) && slices.Equal(f.Parts, []string{service.PartEdge}) { // it needs no rights
		if f.Log != nil {
			f.Log.Warn("the edge takes only the applications of the settings: it may not read the definitions in the lake", "error", err)
		}
		return f.site.Definitions.Decoding(&f.Decode.Decode)
	}
	if f.unread = err; f.Log != nil {
		f.Log.Warn("the definitions in the lake cannot be read: submissions of applications that only it knows get 503 until then", "error", err)
	}
	return f.site.Definitions.Decoding(&f.Decode.Decode)
}

// readLake adds the tables and the applications that the lake knows.
func (f *serveFlags) readLake(ctx context.Context) error {
	if !slices.Equal(f.Parts, []string{service.PartEdge}) {
		is, err := f.site.Exists(ctx)
		if err == nil && is {
			var s *site.Site
			if s, err = f.site.Read(ctx); err == nil { // otherwise it is reported when it is opened
				f.Tables = s.Tables
				defer s.Close()
			}
		}
		if err != nil && slices.Contains(f.Parts, service.PartEdge) && !errors.Is(err, cli.ErrUsage) {
			return err
		}
	}
	return f.site.Decoding(ctx, &f.Decode.Decode)
}

// lakePatience limits the time for which an edge waits for the definitions in the lake.
const lakePatience = 5 * time.Second

func (f *serveFlags) serve(ctx context.Context, log *slog.Logger) error {
	cli.BoundMemory(usualMemory+f.Decode.Memory(), usualMemory, 0) // otherwise one core would do little else than collect garbage
	f.Log = log
	if err := f.loadTables(ctx); err != nil {
		return err
	}
	if f.unread == nil { // otherwise open does it
		if err := f.checkTables(); err != nil {
			return err
		}
		if err := f.checkChecks(ctx); err != nil {
			return err
		}
	}
	f.Data, f.Installation, f.Definitions, f.Unread = f.site.Data, f.open, f.site.Decoding, f.unread != nil
	f.Version, f.Program = versionInfo(), versionText()
	var err error
	if f.Queries, err = f.queries.Options(); err != nil {
		return cli.Usage(err)
	}
	s, err := service.Open(ctx, f.Config)
	if err != nil {
		return err
	}
	cli.Finishes(ctx, func() string { return "" }) // the log says it
	return errors.Join(s.Run(ctx), s.Close())
}

// open opens the installation for the service. What is wrong with the settings is a SetupError.
func (f *serveFlags) open(ctx context.Context) (*site.Site, check.Options, error) {
	s, o, err := f.openSite(ctx)
	if errors.Is(err, cli.ErrUsage) {
		err = &service.SetupError{Err: err}
	}
	return s, o, err
}

func (f *serveFlags) openSite(ctx context.Context) (*site.Site, check.Options, error) {
	s, err := f.site.Open(ctx, true)
	if err != nil {
		return nil, check.Options{}, err
	}
	if f.unread != nil {
		f.Tables = s.Tables
		if err := f.checkTables(); err != nil {
			return s, check.Options{}, err
		}
	}
	if err := f.keep.Set(s); err != nil {
		return s, check.Options{}, cli.Usage(err)
	}
	if s.Grace.Now = f.Clock.Now; s.Sharing != nil {
		s.Sharing.Now = f.Clock.Now
	}
	if f.prepare != nil {
		f.prepare(s)
	}
	o, err := f.checks.Options(ctx, s, s.Temp)
	return s, o, err
}
