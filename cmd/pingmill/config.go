package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/terminal/cli"
)

// settings holds the configuration in effect when a command runs.
type settings struct {
	file   string
	values *config.Values
}

// addConfig makes every command read the configuration first.
func addConfig(root *cobra.Command) *settings {
	var s settings
	root.PersistentFlags().StringVar(&s.file, "config", "", "configuration file (env "+config.FileVariable+"; default: none)")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Name() == cobra.ShellCompRequestCmd {
			return nil // a broken configuration is reported where it matters
		}
		return s.load(cmd)
	}
	return &s
}

// load merges file, environment and flags, and sets a command's values.
func (s *settings) load(cmd *cobra.Command) (err error) {
	file := s.file
	if !cmd.Flags().Changed("config") {
		file = os.Getenv(config.FileVariable)
	}
	s.values, err = config.All.Load(config.Sources{File: file, Environ: os.Environ(), Flags: cmd.Flags()})
	if err != nil {
		return err
	}
	s.values.Apply(cmd.Flags())
	return nil
}

// isBadConfig reports whether an error is about the configuration.
func isBadConfig(err error) bool {
	var bad *config.Error
	var setup *service.SetupError
	return errors.As(err, &bad) || errors.As(err, &setup)
}

// checkServe returns the errors with which serve would refuse the configuration.
func (s *settings) checkServe(ctx context.Context) error {
	var f serveFlags
	var cmd cobra.Command
	f.add(&cmd)
	s.values.Apply(cmd.Flags())
	return f.check(ctx)
}

func newConfig(s *settings) *cobra.Command {
	var example bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "check the configuration and print what is in effect",
		Long: `Prints the effective configuration as a file, with the place that each value comes
from behind it: flags win over the environment, the environment over the file of
--config, the file over the defaults. Secrets are masked. What is wrong is named,
all of it, with exit status 64: also what only serve refuses, such as files that are
missing or an address that is not of this machine.`,
		Example: "  pingmill config --example > pingmill.yaml\n  pingmill config --config pingmill.yaml",
		Args:    cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if example {
				_, err := cmd.OutOrStdout().Write(config.Example())
				return err
			}
			return errors.Join(s.values.WriteYAML(cmd.OutOrStdout()), s.checkServe(cmd.Context()))
		},
	}
	cmd.Flags().BoolVar(&example, "example", false, "print a file with every key, described and commented out with its default")
	config.All.Flags(cmd.Flags())
	return cmd
}
