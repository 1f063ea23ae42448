package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

// release is the next version. The change log has a heading for it.
const release = "0.9.0"

// buildVersion and buildCommit are set by -ldflags "-X main.buildVersion=… -X main.buildCommit=…": what git describe says of a tagged
// revision, and the commit where Go does not find it, in a build from an archive of the sources or with -buildvcs=false.
var buildVersion, buildCommit string

// unknown is printed for values that a build does not have.
const unknown = "unknown"

// version returns the tag that the program was built from, or the next release with "-dev". Go's own pseudo-versions count from v0.0.0.
func version() string {
	if buildVersion != "" {
		return buildVersion
	}
	return "v" + release + "-dev"
}

// commit returns the commit of the sources, with "-dirty" if they were changed.
func commit() string {
	if buildCommit != "" {
		return buildCommit
	}
	found, dirty := unknown, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				found = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "-dirty"
			}
		}
	}
	return found + dirty
}

// versionText returns version and commit, as written to the ledger and the log.
func versionText() string { return fmt.Sprintf("%s (commit %s)", version(), commit()) }

// itself describes this program to its commands.
func itself() flags.Program { return flags.Program{Version: versionText(), Now: time.Now} }

func versionInfo() service.Version {
	v := service.Version{Name: "pingmill", Version: version(), Commit: commit()}
	if v.Commit == unknown {
		v.Commit = ""
	}
	return v
}

// addVersion adds the version flag and the version command. cobra's own flag prints by a template, and templates keep
// every method of the program in the binary.
func addVersion(root *cobra.Command) {
	text := fmt.Sprintf("pingmill %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	wanted := root.Flags().BoolP("version", "v", false, "version for pingmill")
	otherwise := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !*wanted {
			return otherwise(cmd, args)
		}
		_, err := fmt.Fprint(cmd.OutOrStdout(), text)
		return err
	}
	root.AddCommand(&cobra.Command{
		Use:   "version",
		Short: "print the version, and the commit that it was built from",
		Args:  cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), text)
			return err
		},
	})
}

// newMan returns the command with which `make install` writes man pages and completions.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man PREFIX",
		Short:  "write man pages and completions below a folder such as /usr/local",
		Hidden: true,
		Args:   cli.Args(cobra.ExactArgs(1)),
		RunE:   func(cmd *cobra.Command, args []string) error { return cli.WriteMan(cmd.Root(), version(), args[0]) },
	}
}
