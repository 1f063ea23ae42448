package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/ingest"
)

// addDecodeFlags adds the flags that say how submissions are decoded.
func addDecodeFlags(cmd *cobra.Command, c *ingest.Config) {
	*c = ingest.DefaultConfig()
	f := cmd.Flags()
	f.StringVar(&c.Geo, "geo", "", "MaxMind city database (.mmdb); without one every place is ??")
	f.StringVar(&c.Cities, "cities", "", "file with the cities that may be named: geonames ids or English names, one a line")
	f.StringVar(&c.Schemas, "schemas", "", "folder of JSON Schemas (default: the embedded ones)")
	f.DurationVar(&c.DuplicateWindow, "duplicate-window", c.DuplicateWindow, "how long a submission's URI is remembered; 0: not at all")
	f.IntVar(&c.MaxURIs, "max-uris", 0, "most URIs remembered, some 30 MB a million; 0: the default")
	f.IntVar(&c.MaxBody, "max-body", c.MaxBody, "largest unpacked body in bytes; 0: the default")
}

func newDecode() *cobra.Command {
	var config ingest.Config
	cmd := &cobra.Command{
		Use:   "decode",
		Short: "say what ingestion would do with each submission on standard input",
		Long: `Reads a submission a line, {"uri","timestamp","headers","remoteAddr","body","meta"}
with the body in base64, and prints an outcome a line: a ping with its metadata,
a duplicate, or an error with its class and message.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := ingest.New(config)
			if err != nil {
				return err
			}
			return errors.Join(d.DecodeLines(cmd.InOrStdin(), cmd.OutOrStdout()), d.Close())
		},
	}
	addDecodeFlags(cmd, &config)
	return cmd
}
