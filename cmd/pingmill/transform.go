package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
)

func newTransform() *cobra.Command {
	var probesDir string
	cmd := &cobra.Command{
		Use:   "transform TABLE",
		Short: "turn NDJSON on standard input into rows of one table, without any storage",
		Long: `Reads lines from standard input and prints rows, one a line, as JSON.

For main_summary, crash_summary and the two direct tables a line is
{"meta":{…},"ping":{…}}, as decode prints it, and becomes one line: null where
the ping has no row. For addons, clients_daily and search_clients_daily a line
is a main_summary row, and the lines of each submission_date_obj are a day.

A line that cannot be used is named, and the others go on; the exit status is
then 1.`,
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, probes, err := findTable(args[0], probesDir)
			if err != nil {
				return err
			}
			r := &lineReport{command: "transform", errs: cmd.ErrOrStderr()}
			if t.DocType != "" {
				err = transformPings(table.NewPings(t, probes), r, cmd.InOrStdin(), cmd.OutOrStdout())
			} else {
				err = transformRows(t, schema.MainSummary(probes), r, cmd.InOrStdin(), cmd.OutOrStdout())
			}
			return errors.Join(err, r.err())
		},
	}
	config.Flag(cmd.Flags(), "probes", &probesDir)
	return cmd
}

// lines calls f for every line that is not blank, of any length.
func lines(in io.Reader, f func(n int, line []byte) error) error {
	r := bufio.NewReaderSize(in, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := f(n, line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
	}
}

// lineReport names lines that cannot be used: the first ones each.
type lineReport struct {
	command string
	errs    io.Writer
	bad     int
}

const namedLines = 10

func (r *lineReport) add(n int, err error) {
	switch r.bad++; {
	case r.bad <= namedLines:
		fmt.Fprintf(r.errs, "line %d: %v\n", n, err)
	case r.bad == namedLines+1:
		fmt.Fprintln(r.errs, "… and others, which are counted")
	}
}

// leftOut tells what a batch has left out.
func (r *lineReport) leftOut(b *column.Batch) {
	if text := etl.LeftOutText(b.LeftOut()); text != "" {
		fmt.Fprintf(r.errs, "values over a bound were left out: %s\n", text)
	}
}

func (r *lineReport) err() error {
	switch r.bad {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s: a line could not be used", r.command)
	}
	return fmt.Errorf("%s: %d lines could not be used", r.command, r.bad)
}

func transformPings(t *table.Pings, report *lineReport, in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	batch := column.NewBatch(t.Table.Columns)
	reader := newLineReader()
	var row []byte
	err := lines(in, func(n int, line []byte) error {
		batch.Reset()
		ok, err := transformPing(t, reader, batch, line)
		if err != nil {
			report.add(n, err)
		}
		if row = append(row[:0], "null"...); ok {
			row = column.NewRowWriter(batch).AppendRow(row[:0])
		}
		_, err = w.Write(append(row, '\n'))
		return err
	})
	report.leftOut(batch)
	return errors.Join(err, w.Flush())
}

// transformPing appends the row of a line, if it has one.
func transformPing(t *table.Pings, r *lineReader, batch *column.Batch, line []byte) (bool, error) {
	kind, err := r.read(line)
	if err != nil {
		return false, err
	}
	const want = `{"meta":{…},"ping":{…}}`
	name := t.Table.Name
	switch kind {
	case decodedLine:
	case outcomeLine: // what decode rejected has no row
		return false, nil
	case submissionLine:
		return false, fmt.Errorf("%s: decode it first: pingmill decode | pingmill transform %s", kind, name)
	case pingLine:
		return false, fmt.Errorf("%s: %s takes %s, with documentId, submissionDate and timestamp in meta", kind, name, want)
	case rowLine:
		return false, fmt.Errorf("%s: addons, clients_daily and search_clients_daily take rows of main_summary, %s takes %s", kind, name, want)
	default:
		return false, fmt.Errorf("%s, not %s: %s takes %s", kind, decodedLine, name, want)
	}
	var meta ping.Meta
	if err := meta.ParseJSON(r.doc.Value(r.meta).Raw()); err != nil {
		return false, fmt.Errorf("read meta: %w", err)
	}
	ok, err := t.Append(batch, &meta, r.doc.Value(r.ping).Raw())
	if err != nil {
		return false, fmt.Errorf("read ping: %w", err)
	}
	return ok, nil
}
