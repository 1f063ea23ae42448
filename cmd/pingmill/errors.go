package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/report"
	"github.com/pingmill/pingmill/site"
)

func newErrors() *cobra.Command {
	var site siteFlags
	var filter etl.RejectedFilter
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
			s, err := site.read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			if err := etl.CheckDocType(cmd.Context(), s, filter.DocType); errors.Is(err, etl.ErrNoDocType) {
				return cli.Usage(err)
			} else if err != nil {
				return err
			}
			if show > 0 {
				return showRejected(cmd.Context(), s, filter, show, cmd.OutOrStdout())
			}
			groups, err := etl.RejectedGroups(cmd.Context(), s, filter)
			if err != nil {
				return err
			}
			return printGroups(cmd.OutOrStdout(), groups, format)
		},
	}
	site.add(cmd)
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "first day, YYYYMMDD (default: the first there is)")
	f.StringVar(&to, "to", "", "last day, YYYYMMDD (default: the last there is)")
	f.StringArrayVar(&filter.Classes, "class", nil, "only this class ("+strings.Join(etl.RejectedClasses, ", ")+"); may be given again (default: all)")
	f.StringVar(&docType, "doc-type", "", "only this document type (default: all)")
	f.IntVar(&show, "show", 0, "print this many in full")
	f.StringVar(&format, "format", "text", "of the counts: text or json")
	return cmd
}

func printGroups(out io.Writer, groups []etl.RejectedGroup, format string) error {
	if format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		if groups == nil {
			groups = []etl.RejectedGroup{}
		}
		return e.Encode(groups)
	}
	if len(groups) == 0 {
		_, err := fmt.Fprintln(out, "nothing was rejected")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "day\tclass\tdocument type\tcount\tfor example")
	for _, g := range groups {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", report.OrNone(g.Day), report.Printable(g.Class), report.OrNone(g.DocType), humanize.Comma(g.Rows), report.Printable(g.Example))
	}
	return w.Flush()
}

// shownRejected is a rejected submission in full.
type shownRejected struct {
	Day     ping.Day          `json:"day,omitempty"`
	Class   string            `json:"class"`
	Message string            `json:"message"`
	Path    string            `json:"path,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Meta    json.RawMessage   `json:"meta"`
	Body    *string           `json:"body,omitempty"`       // unpacked text
	Base64  []byte            `json:"bodyBase64,omitempty"` // else as it came
}

// showRejected prints up to n rejected submissions, one a line.
func showRejected(ctx context.Context, s *site.Site, f etl.RejectedFilter, n int, out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for r, err := range etl.Rejected(ctx, s, f) {
		if err != nil {
			return err
		}
		line := shownRejected{
			Day: r.Day, Class: r.Class, Message: r.Message, Path: r.Path, Headers: r.Headers,
			Meta: r.Meta.AppendJSON(nil),
		}
		if text, ok := unpackText(r.Body, r.Headers); ok {
			line.Body = &text
		} else {
			line.Base64 = r.Body
		}
		if err := e.Encode(&line); err != nil {
			return fmt.Errorf("print rejected submission: %w", err)
		}
		if n--; n == 0 {
			return nil
		}
	}
	return nil
}
