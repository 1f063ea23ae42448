package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/report"
)

func newErrors() *cobra.Command {
	var site flags.Site
	var filter loader.RejectedFilter
	var from, to, docType, format string
	var show int
	cmd := &cobra.Command{
		Use:   "errors",
		Short: "show what was rejected, and why",
		Long: `Counts the rejected submissions by day, class and document type, with one
message of each. With --show it prints some in full instead, one a line as JSON:
metadata, headers, path, reason, and the body, unpacked into "body" if it is
text, else as it came into "bodyBase64".`,
		Example: "  pingmill errors --from 20180301 --class json\n  pingmill errors --doc-type main --show 3",
		Args:    cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter.From, filter.To, filter.DocType = ping.Day(from), ping.Day(to), ping.DocType(docType)
			if err := filter.Check(); err != nil {
				return cli.Usage(err)
			}
			if format != "text" && format != "json" {
				return cli.Usagef("no format %q: there are text and json", format)
			}
			if show < 0 {
				return cli.Usagef("--show %d: not a number of submissions", show)
			}
			s, err := site.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			if err := loader.CheckDocType(cmd.Context(), s, filter.DocType); errors.Is(err, loader.ErrNoDocType) {
				return cli.Usage(err)
			} else if err != nil {
				return err
			}
			if show > 0 {
				return report.Rejected(cmd.OutOrStdout(), loader.Rejected(cmd.Context(), s.Archive, filter), show)
			}
			groups, err := loader.RejectedGroups(cmd.Context(), s.Archive, filter)
			if err != nil {
				return err
			}
			return report.RejectedGroups(cmd.OutOrStdout(), groups, format)
		},
	}
	site.Add(cmd, time.Now)
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "first day, YYYYMMDD (default: the first there is)")
	f.StringVar(&to, "to", "", "last day, YYYYMMDD (default: the last there is)")
	f.StringArrayVar(&filter.Classes, "class", nil,
		"only this class ("+strings.Join(loader.RejectedClasses, ", ")+"); may be given again (default: all)")
	f.StringVar(&docType, "doc-type", "", "only this document type (default: all)")
	f.IntVar(&show, "show", 0, "print this many in full")
	f.StringVar(&format, "format", "text", "of the counts: text or json")
	return cmd
}
