package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping/ndjson"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

func newDecode() *cobra.Command {
	var c ingest.Config
	var definitions flags.Definitions
	cmd := &cobra.Command{
		Use:   "decode",
		Short: "say what ingestion would do with each submission on standard input",
		Long: `Reads a submission a line, {"uri","timestamp","headers","remoteAddr","body","meta"}
with the body in base64, and prints an outcome a line: a ping with its metadata,
a duplicate, or an error with its class and message. Lines that are something
else, such as pings, are named, and the exit status is then 1.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := definitions.Decoding(&c); err != nil {
				return err
			}
			d, err := ingest.New(c)
			if err != nil {
				return cli.Usage(err)
			}
			bad := cli.BadLines{Command: cmd.Name(), Errors: cmd.ErrOrStderr()}
			return errors.Join(ndjson.Decode(d, cmd.InOrStdin(), cmd.OutOrStdout(), bad.Add), bad.Err())
		},
	}
	flags.Decode(cmd, &c)
	config.Flag(cmd.Flags(), "glean.definitions", &definitions.Glean)
	return cmd
}
