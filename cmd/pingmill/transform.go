package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
)

func newTransform() *cobra.Command {
	var probesDir string
	cmd := &cobra.Command{
		Use:   "transform TABLE",
		Short: "turn NDJSON on standard input into rows of one table, without any storage",
		Long: `Reads lines from standard input and prints one row a line, as JSON.

For main_summary, crash_summary and the two direct tables a line is
{"meta":{…},"ping":{…}}. For addons, clients_daily and search_clients_daily a
line is a main_summary row, and all lines together are one day.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, probes, err := findTable(args[0], probesDir)
			if err != nil {
				return err
			}
			if t.DocType != "" {
				return transformPings(table.NewPings(t, probes), cmd.InOrStdin(), cmd.OutOrStdout())
			}
			return transformRows(t, schema.MainSummary(probes), cmd.InOrStdin(), cmd.OutOrStdout())
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
				return fmt.Errorf("line %d: %w", n, err)
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

// record finds the two parts of a line.
var recordPaths, recordMeta, recordPing = func() (*ping.Program, ping.Slot, ping.Slot) {
	var p ping.PathSet
	m, b := p.Add("meta"), p.Add("ping")
	return p.Compile(), m, b
}()

func transformPings(t *table.Pings, in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	batch := column.NewBatch(t.Table.Columns)
	var doc ping.Doc
	var meta ping.Meta
	var row []byte
	err := lines(in, func(_ int, line []byte) error {
		if err := ping.Validate(line); err != nil {
			return err
		}
		if err := doc.Scan(recordPaths, line); err != nil {
			return err
		}
		if err := meta.ParseJSON(doc.Value(recordMeta).Raw()); err != nil {
			return fmt.Errorf("read meta: %w", err)
		}
		batch.Reset()
		ok, err := t.Append(batch, &meta, doc.Value(recordPing).Raw())
		if err != nil || !ok {
			return err
		}
		row = column.NewRowWriter(batch).AppendRow(row[:0])
		_, err = w.Write(append(row, '\n'))
		return err
	})
	return errors.Join(err, w.Flush())
}

func transformRows(t, main *schema.Table, in io.Reader, out io.Writer) error {
	var day []map[string]any
	err := lines(in, func(_ int, line []byte) error {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var row map[string]any
		if err := d.Decode(&row); err != nil {
			return err
		}
		day = append(day, row)
		return nil
	})
	if err != nil {
		return err
	}
	sort.SliceStable(day, func(i, j int) bool { return before(day[i], day[j]) })
	inputs := schema.Nullable(schema.Inputs(t, main))
	input := column.NewBatch(inputs)
	for _, row := range day {
		if err := input.AppendJSONRow(row); err != nil {
			return fmt.Errorf("transform row %v: %w", row["document_id"], err)
		}
	}
	rows, err := table.NewRows(t, inputs)
	if err != nil {
		return err
	}
	output := column.NewBatch(t.Columns)
	every := func() error { return nil }
	if err := errors.Join(rows.Add(output, input, every), rows.Flush(output, every)); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	rw := column.NewRowWriter(output)
	var buf []byte
	for range output.Rows {
		buf = append(rw.AppendRow(buf[:0]), '\n')
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return w.Flush()
}

// before orders main_summary rows by timestamp and document id, those without
// last.
func before(a, b map[string]any) bool {
	x, y := timestampOf(a), timestampOf(b)
	if x != y {
		return x < y
	}
	s, aOK := a["document_id"].(string)
	t, bOK := b["document_id"].(string)
	if aOK && bOK {
		return s < t
	}
	return aOK && !bOK
}

func timestampOf(row map[string]any) int64 {
	if n, ok := row["timestamp"].(json.Number); ok {
		if v, err := n.Int64(); err == nil {
			return v
		}
	}
	return math.MaxInt64
}
