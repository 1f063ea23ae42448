package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
)

// siteFlags say which installation a command works on.
type siteFlags struct {
	data   string
	probes string
	apps   []string
	shared string // name of this server in a shared lake
}

func (f *siteFlags) add(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "data", &f.data)
	config.Flag(cmd.Flags(), "probes", &f.probes)
}

func (f *siteFlags) addApps(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "apps", &f.apps)
}

func (f *siteFlags) addShared(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "schedule.shared-as", &f.shared)
}

// open opens the installation; it must exist unless create is set.
func (f *siteFlags) open(ctx context.Context, create bool) (*etl.Site, error) {
	p, err := schema.LoadProbes(f.probes)
	if err != nil {
		return nil, err
	}
	if !create && !etl.Exists(f.data) {
		return nil, fmt.Errorf("open installation %s: there is none: load pings first (pingmill load --data %s FILE…)", f.data, f.data)
	}
	s, err := etl.OpenSite(ctx, f.data, p)
	if err != nil {
		return nil, err
	}
	if len(f.apps) > 0 {
		s.Apps = f.apps
	}
	s.Code = version()
	if f.shared != "" {
		s.Sharing = &etl.Sharing{Holder: f.shared, Now: time.Now}
	}
	return s, nil
}

// version is the program's, from its build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "devel"
	}
	return info.Main.Version
}

// temp is the installation's folder for what does not fit in memory.
func (f *siteFlags) temp() string { return filepath.Join(f.data, "tmp") }
