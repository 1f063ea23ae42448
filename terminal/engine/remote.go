package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/client"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/columnar"
	"github.com/pingmill/pingmill/sql/query/layout"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/worker"
)

// Remote is an engine that runs each statement on a server.
type Remote struct {
	Client *client.Client
	Shown  query.Cap // of a table on a terminal
	Stats  bool
}

// OpenRemote opens the engine of a server. For a prompt, it returns a site with the tables that may be read on the
// server.
func OpenRemote(ctx context.Context, q Settings, interactive bool, set *schema.Set) (*Remote, *site.Site, error) {
	worker.Discard()
	token := q.Token
	if q.TokenFile != "" {
		text, err := os.ReadFile(q.TokenFile)
		if err != nil {
			return nil, nil, fmt.Errorf("read the token: %w", err)
		}
		token = strings.TrimSpace(string(text))
	}
	c, err := client.New(q.Server, token)
	if err != nil {
		return nil, nil, err
	}
	r := &Remote{Client: c, Shown: q.Shown, Stats: q.Stats}
	if !interactive {
		return r, nil, nil
	}
	may, err := c.Completion(ctx)
	if err != nil {
		return nil, nil, err
	}
	var tables []*schema.Table
	for _, listed := range may.Tables {
		t, err := set.FindSnapshot(listed.Name)
		if err != nil {
			tables = append(tables, remoteTable(listed))
			continue
		}
		own := *t
		own.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c schema.Column) bool {
			return !slices.ContainsFunc(listed.Columns, func(has client.Column) bool { return has.Name == c.Name })
		})
		own.Views = nil // the server lists those that may be read
		tables = append(tables, &own)
	}
	return r, &site.Site{Data: site.Data{Set: schema.Set{Probes: set.Probes, Tables: tables}}}, nil
}

func (*Remote) Warm() {}

func (r *Remote) Run(ctx context.Context, p Query, out io.Writer, notify func(Progress)) (a Answer, err error) {
	question := client.Question{SQL: p.SQL, Dialect: p.Dialect, Whole: true}
	if p.Format == query.FormatTable && p.Write.Width > 0 && r.Shown.Rows > 0 {
		question.Rows, question.Whole = r.Shown.Rows, false
	}
	q, err := r.Client.Run(ctx, question, func(q queryservice.Query) { notify(progressOf(q)) })
	if err != nil {
		return a, err
	}
	a = Answer{Rows: q.Rows, Notes: q.Notes}
	if q.Reads != nil && q.Reads.Files > 0 {
		a.Read = q.Reads.Text
	}
	if r.Stats {
		a.Used = fmt.Sprintf("%s, %s read, %s of processor time", RowCount(q.Rows), humanize.IBytes(uint64(q.Read)),
			q.CPU.Round(time.Millisecond))
	}
	f := p.Format
	if f == query.FormatTable {
		f = query.FormatArrow
	}
	in, err := r.Client.Result(ctx, q.ID, f)
	if err != nil {
		return a, err
	}
	defer in.Close()
	if p.Format == query.FormatTable {
		return a, writeTable(in, q, out, p.Write)
	}
	if _, err := io.Copy(out, in); err != nil {
		return a, fmt.Errorf("read the result: %w", err)
	}
	return a, nil
}

// progressOf converts the progress of a server's query.
func progressOf(q queryservice.Query) Progress {
	switch {
	case q.State == queryservice.Queued:
		return Progress{Share: -1, Text: fmt.Sprintf("waits, number %d", q.Position)}
	case q.Progress == nil:
		return Progress{Share: -1}
	}
	text := ""
	if q.Reads != nil {
		text = humanize.Bytes(uint64(q.Progress.Bytes)) + " read of " + q.Reads.Text
	}
	return Progress{Share: q.Progress.Percent / 100, Text: text}
}

// writeTable writes a stream as a table.
func writeTable(in io.Reader, q queryservice.Query, out io.Writer, o query.WriteOptions) error {
	r, err := columnar.NewReader(in, maxStream)
	if err != nil {
		return err
	}
	defer r.Close()
	if o.Expanded == query.ExpandedOff {
		o.Width = 0
	}
	b := bufio.NewWriter(out)
	columns := columnsOf(r.Fields())
	t := layout.New(b, o.Width, o.Expanded == query.ExpandedOn)
	for {
		batch, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := columnar.Rows(batch, 0, batch.NumRows(), func(row []any) error {
			t.Add(columns, slices.Clone(row))
			return nil
		}); err != nil {
			return err
		}
	}
	t.End(columns)
	before := ""
	if q.Cut != "" {
		before = "first "
	}
	fmt.Fprintf(b, "(%s%s)\n", before, RowCount(q.Rows))
	return b.Flush()
}

// maxStream is the maximum size of a result's batch in bytes.
const maxStream = 2 << 30

// columnsOf returns the columns of a stream for a table.
func columnsOf(fields []arrow.Field) []layout.Column {
	columns := make([]layout.Column, len(fields))
	for i, f := range fields {
		id := f.Type.ID()
		columns[i] = layout.Column{Name: f.Name, Right: arrow.IsInteger(id) || arrow.IsFloating(id) || arrow.IsDecimal(id)}
	}
	return columns
}
