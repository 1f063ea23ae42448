package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// onePerPing finds pings without a row of their own and rows without a ping.
func onePerPing(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return pingsAndRows(c, false)
}

// asManyAsPings compares the number of rows with that of pings. The key names
// the ones in question where the numbers differ: the table does not have the
// document id of the submission.
func asManyAsPings(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return pingsAndRows(c, true)
}

func pingsAndRows(c *schema.Check, numbers bool) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, p.pingKeys(c.Field, c.Key[0]), keysOf(p.files(), c.Key, nil, nil), numbers, sameNumber)
	}
}

// ofPings finds rows of no ping.
func ofPings(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, p.pingKeys(c.Field, c.Key[0]), keysOf(p.files(), c.Key, nil, nil), false, func(pings, rows int) string {
			if pings == 0 && rows > 0 {
				return english.Plural(rows, "row", "") + " of no ping"
			}
			return ""
		})
	}
}

func sameNumber(pings, rows int) string {
	if pings == rows {
		return ""
	}
	return fmt.Sprintf("%s of %s", english.Plural(rows, "row", ""), english.Plural(pings, "ping", ""))
}

// everyRow finds rows that a partition is made from and that have no row, and
// rows of no such row.
func everyRow(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, p.inputKeys(c.Key), keysOf(p.files(), c.Key, nil, nil), false, func(records, rows int) string {
			switch {
			case records > 0 && rows < records:
				return fmt.Sprintf("%s of %s", english.Plural(rows, "row", ""), english.Plural(records, "record", ""))
			case records == 0 && rows > 0:
				t := p.Table.Schema
				return fmt.Sprintf("a row of no %s record with a %s", t.Needs[0], strings.ReplaceAll(strings.Join(t.Requires, " and a "), "_", " "))
			}
			return ""
		})
	}
}

// unique finds keys that several rows have.
func unique(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, nil, keysOf(p.files(), c.Key, nil, nil), false, func(_, rows int) string {
			if rows > 1 {
				return english.Plural(rows, "row", "")
			}
			return ""
		})
	}
}

// everyKey finds keys, such as clients, of the rows that a partition is made from
// that no row has, and rows with a key that none of those has.
func everyKey(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, p.inputKeys(c.Key), keysOf(p.files(), c.Key, nil, nil), false, func(records, rows int) string {
			switch {
			case c.Most > 0 && records > c.Most:
				return ""
			case records > 0 && rows == 0:
				return fmt.Sprintf("no row of %s", english.Plural(records, "ping", ""))
			case records == 0 && rows > 0:
				return "a row without a ping"
			}
			return ""
		})
	}
}

// someKeys finds keys that several rows have, or a row and none of the rows that a partition is made from.
func someKeys(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, p.inputKeys(c.Key), keysOf(p.files(), c.Key, nil, nil), false, func(records, rows int) string {
			switch {
			case rows > 1:
				return english.Plural(rows, "row", "")
			case records == 0 && rows > 0:
				return "a row without a ping"
			}
			return ""
		})
	}
}

// seenKeys finds keys that are not as often in rows with bit 0 of a pattern as in the rows that a partition is made from.
// Both are divided in ways of their own, so that all samples are compared at once.
func seenKeys(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		all := *p
		all.Parts = []job.Samples{allSamples}
		n := len(c.Key)
		seen := keysOf(p.files(), c.Key, c.Columns, func(v *rows) func(int) bool {
			return func(row int) bool {
				bits, _ := v.long(n, row)
				return bits&1 == 1
			}
		})
		return compared(ctx, &all, p.inputKeys(c.Key), seen, false, func(records, rows int) string {
			if records != rows {
				return fmt.Sprintf("seen %s, and bit 0 in %s", english.Plural(records, "time", ""), english.Plural(rows, "row", ""))
			}
			return ""
		})
	}
}

// noSearchRows finds pings without usable search counts whose key has no row
// with nulls in the other columns.
func noSearchRows(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		n := len(c.Key)
		pings := keysOf(p.input, c.Key, []string{"search_counts"}, noSearches(n))
		empty := keysOf(p.files(), c.Key, c.Columns, func(v *rows) func(int) bool {
			return func(row int) bool { return v.text(n, row) == nil && v.text(n+1, row) == nil }
		})
		return compared(ctx, p, pings, empty, false, func(pings, rows int) string {
			if pings > 0 && rows == 0 {
				return "no row with a null " + strings.Join(c.Columns, " and ") + " for " + english.Plural(pings, "ping", "") + " without searches"
			}
			return ""
		})
	}
}

// eachRow finds rows by what is wrong with them, "" if nothing is. The key
// columns name a row, the others are looked at.
func eachRow(p *Partition, key, columns []string, skip func(*lake.FileReader) bool,
	wrong func(v *rows, row int) string) (found func(context.Context, job.Samples) (Finding, error)) {
	names := append(append([]string(nil), key...), columns...)
	return func(ctx context.Context, r job.Samples) (f Finding, err error) {
		err = p.files().each(ctx, r, names, skip, func(v *rows) error {
			for row := range v.batch.Rows {
				message := wrong(v, row)
				if message == "" {
					continue
				}
				if f.Total++; len(f.Rows) < MaxRows {
					bad := Row{Note: message}
					for i := range key {
						bad.Key = append(bad.Key, v.field(i, row))
					}
					f.Rows = append(f.Rows, bad)
				}
			}
			return nil
		})
		return f, err
	}
}

// neverNull finds rows with a null in columns. Files whose columns cannot be
// null are not read.
func neverNull(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	columns := c.Key
	return func(ctx context.Context, p *Partition) (Finding, error) {
		declared := func(f *lake.FileReader) bool {
			for _, name := range columns {
				if !notNull(f.Columns(), name) {
					return false
				}
			}
			return true
		}
		return p.parts(ctx, eachRow(p, columns, nil, declared, func(v *rows, row int) string {
			for i, name := range columns {
				if v.cells[i].at[row] < 0 {
					return "null " + name
				}
			}
			return ""
		}))
	}
}

// neverZero finds rows with a 0 in 64-bit columns.
func neverZero(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return p.parts(ctx, eachRow(p, c.Key, c.Columns, nil, func(v *rows, row int) string {
			for i, name := range c.Columns {
				if n, ok := v.long(len(c.Key)+i, row); ok && n == 0 {
					return name + " is 0"
				}
			}
			return ""
		}))
	}
}

// notEmpty finds a partition without rows although what it is made from would
// give some.
func notEmpty(ctx context.Context, p *Partition) (Finding, error) {
	if p.Rows() > 0 {
		return Finding{}, nil
	}
	source, what := p.pingKeys(ping.DocumentID, "document_id").exact, "pings"
	if p.input != nil {
		source, what = p.inputKeys(nil), records(p.Table.Schema)
	}
	for _, r := range p.Parts {
		err := source.each(ctx, r, func([][]byte) error { return errEnough })
		if errors.Is(err, errEnough) {
			return Finding{Total: 1, Note: fmt.Sprintf("no rows, though the day has %s", what)}, nil
		}
		if err != nil {
			return Finding{}, err
		}
	}
	return Finding{}, nil
}
