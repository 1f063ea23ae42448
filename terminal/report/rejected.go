package report

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ping"
)

// RejectedGroups prints the counts of rejected submissions, as text or json.
func RejectedGroups(out io.Writer, groups []loader.RejectedGroup, format string) error {
	if format == "json" {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		if groups == nil {
			groups = []loader.RejectedGroup{}
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
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", OrNone(g.Day), Printable(g.Class), OrNone(g.DocType), humanize.Comma(g.Rows), Printable(g.Example))
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

// Rejected prints up to n rejected submissions, one a line.
func Rejected(out io.Writer, all iter.Seq2[loader.RejectedRow, error], n int) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for r, err := range all {
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

// unpackText returns a body as text, unpacked if it is packed. ok is false for one that is no text, is damaged, or has
// more bytes than decoding takes by default.
func unpackText(body []byte, headers map[string]string) (text string, ok bool) {
	plain, err := ingest.Config{}.Unpack(body, headers)
	if err != nil || !utf8.Valid(plain) {
		return "", false
	}
	return string(plain), true
}
