package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// siteFlags say which installation a command works on.
type siteFlags struct {
	data   string
	probes string
	apps   []string
	shared string // name of this server in a shared lake
	cmd    *cobra.Command
	grace  time.Duration
}

func (f *siteFlags) add(cmd *cobra.Command) {
	f.cmd = cmd
	config.Flag(cmd.Flags(), "data", &f.data)
	config.Flag(cmd.Flags(), "probes", &f.probes)
}

func (f *siteFlags) addApps(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "apps", &f.apps)
}

// addPublishing adds the flags of commands that may publish.
func (f *siteFlags) addPublishing(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "schedule.shared-as", &f.shared)
	config.Flag(cmd.Flags(), "publish.grace", &f.grace)
}

// open opens the installation to work on it; it must exist unless create is set.
func (f *siteFlags) open(ctx context.Context, create bool) (*site.Site, error) {
	cli.Finishes(ctx, func() string { return "what was begun" })
	s, err := f.openBy(ctx, site.Open, create)
	if err == nil && f.cmd != nil {
		for _, note := range s.Notes {
			cli.NewLog(f.cmd.ErrOrStderr()).Warn(note)
		}
	}
	return s, err
}

// read opens the installation, which must exist, to read it: nothing in it is
// changed or locked.
func (f *siteFlags) read(ctx context.Context) (*site.Site, error) {
	return f.openBy(ctx, site.Read, false)
}

// openOrRead opens the installation, which must exist. If read is set it opens it only to read it.
func (f *siteFlags) openOrRead(ctx context.Context, read bool) (*site.Site, error) {
	if read {
		return f.read(ctx)
	}
	return f.open(ctx, false)
}

func (f *siteFlags) openBy(ctx context.Context, open func(context.Context, string, *schema.Probes) (*site.Site, error), create bool) (*site.Site, error) {
	p, err := loadProbes(f.probes)
	if err != nil {
		return nil, err
	}
	if !create {
		is, err := site.Exists(f.data)
		if err == nil && !is {
			err = fmt.Errorf("open installation %s: there is none: load pings first (%s)", f.data, f.command("load FILE…"))
		}
		if err != nil {
			return nil, err
		}
	}
	s, err := open(ctx, f.data, p)
	if err != nil {
		return nil, err
	}
	if len(f.apps) > 0 {
		s.SetApps(f.apps)
	}
	s.Grace = lake.Grace{For: f.grace, Now: time.Now}
	if f.shared != "" {
		s.Sharing = &site.Sharing{Holder: f.shared, Now: time.Now}
	}
	return s, nil
}

// command is another command to be given for the same installation, as a shell takes it.
func (f *siteFlags) command(args string) string { return cli.CommandLine(f.cmd, args) }

// loadProbes reads probe definitions; those that cannot be used are a usage error.
func loadProbes(dir string) (*schema.Probes, error) {
	p, err := schema.LoadProbes(dir)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return p, nil
}
