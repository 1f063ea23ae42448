package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
)

// siteFlags say which installation a command works on.
type siteFlags struct {
	data   string
	probes string
	apps   []string
}

// env is the value of an environment variable, or a default.
func env(name, otherwise string) string {
	if v, ok := os.LookupEnv(name); ok {
		return v
	}
	return otherwise
}

func (f *siteFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.data, "data", env("PINGMILL_DATA", "data"), "folder of the installation (env PINGMILL_DATA)")
	cmd.Flags().StringVar(&f.probes, "probes", env("PINGMILL_PROBES", ""), "folder of probe definitions (env PINGMILL_PROBES; default: the embedded set)")
}

func (f *siteFlags) addApps(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.apps, "app", etl.DefaultApps, "application whose pings main_summary and crash_summary take; may be given again")
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
