package ndjson

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pingmill/pingmill/schema"
	definitions "github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/table/glean"
)

// Names of rows beside those of tables, on lines of TransformDay.
const (
	previous = "previous"    // rows of the table of the day before
	earlier  = "earlier"     // clients that were seen on an earlier day: their ids
	seen     = "first_seen"  // first days of clients
	past     = "past_hashes" // hashes of minidumps of earlier days
)

// tableRow is a line: a row of a table, which is named without the application or with it.
type tableRow struct {
	Table string
	Row   json.RawMessage
}

// TransformDay makes the rows of a day of a table that is made from rows of Glean tables. Each input line is
// {"table":NAME,"row":ROW}.
func TransformDay(t *schema.Table, set *schema.Set, day string, in io.Reader, out io.Writer, bad Bad) (leftOut map[string]int64,
	err error) {
	number, ok := glean.DayNumber(day)
	if !ok {
		return nil, fmt.Errorf("day %q: want YYYY-MM-DD", day)
	}
	d := &dayInput{day: number, prefix: definitions.TableName(t.Namespace) + "_", batches: map[string]*column.Batch{},
		texts: map[string]map[string]string{}}
	if err := d.tables(t, set); err != nil {
		return nil, err
	}
	err = lines(in, "standard input", func(n int, line []byte) error {
		if err := d.add(line); err != nil {
			bad(n, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(out)
	rows := column.NewBatch(schema.Nullable(t.Columns))
	if err := d.appendRows(t, rows); err != nil {
		return nil, err
	}
	writer := column.NewRowWriter(rows)
	var buf []byte
	for range rows.Rows {
		buf = append(writer.AppendRow(buf[:0]), '\n')
		if _, err := w.Write(buf); err != nil {
			return nil, writing(0, err)
		}
	}
	return rows.LeftOut(), writing(0, w.Flush())
}

// ByDay reports whether the rows of a table are made by TransformDay.
func ByDay(t *schema.Table) bool {
	return t.FromRows()
}

// dayInput holds the rows of the lines, by the table's name without the application, and their texts.
type dayInput struct {
	day     int32
	prefix  string
	batches map[string]*column.Batch
	texts   map[string]map[string]string
}

// tables prepares the rows that a table is made from.
func (d *dayInput) tables(t *schema.Table, set *schema.Set) error {
	batch := func(name string, columns []schema.Column) {
		d.batches[strings.TrimPrefix(name, d.prefix)] = column.NewBatch(schema.Nullable(columns))
	}
	switch t.Made {
	case definitions.MadeDaily, definitions.MadeFirstSeen, definitions.MadeUsage, definitions.MadeUsageNew:
		batch(t.Needs[0], glean.Inputs(t))
	default:
		source, err := set.Find(t.Needs[0])
		if err != nil {
			return err
		}
		batch(source.Name, source.Columns)
	}
	batch(previous, t.Columns)
	for _, name := range []string{earlier, seen, past} {
		d.texts[name] = map[string]string{}
	}
	return nil
}

// add takes a line.
func (d *dayInput) add(line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var l tableRow
	if err := json.Unmarshal(line, &l); err != nil {
		return fmt.Errorf(`want {"table":NAME,"row":ROW}: %w`, err)
	}
	name := strings.TrimPrefix(l.Table, d.prefix)
	if texts := d.texts[name]; texts != nil {
		return addText(texts, l.Row)
	}
	b := d.batches[name]
	if b == nil {
		return fmt.Errorf("rows of table %q: this table is not made from them", l.Table)
	}
	var row map[string]any
	decoder := json.NewDecoder(bytes.NewReader(l.Row))
	decoder.UseNumber()
	if err := decoder.Decode(&row); err != nil {
		return fmt.Errorf("row of table %s: %w", l.Table, err)
	}
	return b.AppendJSONRow(row)
}

// addText takes a text, or a client with the day on which it was first seen.
func addText(texts map[string]string, row json.RawMessage) error {
	var text string
	if json.Unmarshal(row, &text) == nil {
		texts[strings.ToLower(text)] = ""
		return nil
	}
	var client struct {
		Client string `json:"client_id"`
		First  string `json:"first_seen_date"`
	}
	if err := json.Unmarshal(row, &client); err != nil || client.Client == "" {
		return errors.Join(errors.New("want a text, or a row with client_id and first_seen_date"), err)
	}
	texts[strings.ToLower(client.Client)] = client.First
	return nil
}

// appendRows appends the rows of the day to out.
func (d *dayInput) appendRows(t *schema.Table, out *column.Batch) error {
	row := func() error { return nil }
	from := func() *column.Batch { return d.batches[strings.TrimPrefix(t.Needs[0], d.prefix)] }
	switch {
	case t.Previous:
		return glean.NewLastSeen(t, d.day, 1).AppendRows(out, from(), d.batches[previous], row)
	case t.Made == definitions.MadeCrashes:
		return glean.NewCrashes(t, d.day).AppendRows(out, from(), func(hash string) bool { _, is := d.texts[past][hash]; return is }, row)
	}
	day := &glean.Day{Day: d.day, Seen: func(id []byte) (int32, bool) { return glean.DayNumber(d.texts[seen][string(id)]) }}
	if t.Earlier != "" {
		day.Seen = func([]byte) (int32, bool) { return d.day, true }
		day.Skip = func(id []byte) bool { _, is := d.texts[earlier][string(id)]; return is }
	}
	return glean.NewClients(t).AppendRows(out, from(), day, row)
}
