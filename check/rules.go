package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
)

// onePerPing finds pings without a row of their own and rows without a ping, by
// document id.
func onePerPing(ctx context.Context, p *Partition) (Finding, error) {
	return compared(ctx, p, p.pingKeys(ping.DocumentID, "document_id"), keysOf(p.files(), []string{"document_id"}, nil, nil), false, sameNumber)
}

// asManyAsPings compares the number of rows with that of pings. A column names
// the ones in question where the numbers differ: the table does not have the
// document id of the submission.
func asManyAsPings(field ping.MetaField, column string) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, p.pingKeys(field, column), keysOf(p.files(), []string{column}, nil, nil), true, sameNumber)
	}
}

func sameNumber(pings, rows int) string {
	if pings == rows {
		return ""
	}
	return fmt.Sprintf("%s of %s", plural(rows, "row"), plural(pings, "ping"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// addonsCover finds main_summary records with a client id that have no row, and
// rows of no such record.
func addonsCover(ctx context.Context, p *Partition) (Finding, error) {
	key := []string{"document_id", "client_id"}
	return compared(ctx, p, keysOf(p.main, key, nil, present(1)), keysOf(p.files(), key, nil, nil), false, func(records, rows int) string {
		switch {
		case records > 0 && rows < records:
			return fmt.Sprintf("%s of %s", plural(rows, "row"), plural(records, "record"))
		case records == 0 && rows > 0:
			return "a row of no main_summary record with a client id"
		}
		return ""
	})
}

// unique finds keys that several rows have.
func unique(key ...string) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, nil, keysOf(p.files(), key, nil, nil), false, func(_, rows int) string {
			if rows > 1 {
				return plural(rows, "row")
			}
			return ""
		})
	}
}

// clientsCover finds clients with a main_summary record on a day that have no
// row, and rows of clients that have none.
func clientsCover(key ...string) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return compared(ctx, p, keysOf(p.main, key, nil, nil), keysOf(p.files(), key, nil, nil), false, func(records, rows int) string {
			switch {
			case records > 0 && rows == 0:
				return fmt.Sprintf("no row of %s", plural(records, "ping"))
			case records == 0 && rows > 0:
				return "a row without a ping"
			}
			return ""
		})
	}
}

// noSearchRows finds pings without usable search counts whose client has no row
// with neither engine nor source.
func noSearchRows(ctx context.Context, p *Partition) (Finding, error) {
	key := []string{"client_id", "submission_date"}
	pings := keysOf(p.main, key, []string{"search_counts"}, noSearches(len(key)))
	empty := keysOf(p.files(), key, []string{"engine", "source"}, func(v *rows) func(int) bool {
		return func(row int) bool { return v.text(2, row) == nil && v.text(3, row) == nil }
	})
	return compared(ctx, p, pings, empty, false, func(pings, rows int) string {
		if pings > 0 && rows == 0 {
			return "no row with a null engine and source for " + plural(pings, "ping") + " without searches"
		}
		return ""
	})
}

// eachRow finds rows by what is wrong with them, "" if nothing is. The key
// columns name a row, the others are looked at.
func eachRow(p *Partition, key, columns []string, skip func(*lake.FileReader) bool, wrong func(v *rows, row int) string) (found func(context.Context, job.Samples) (Finding, error)) {
	names := append(append([]string(nil), key...), columns...)
	return func(ctx context.Context, r job.Samples) (f Finding, err error) {
		err = p.files().each(ctx, r, names, skip, func(v *rows) error {
			for row := range v.batch.Rows {
				says := wrong(v, row)
				if says == "" {
					continue
				}
				if f.Total++; len(f.Rows) < MaxRows {
					bad := Row{Note: says}
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
func neverNull(columns ...string) func(context.Context, *Partition) (Finding, error) {
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
func neverZero(key []string, columns ...string) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return p.parts(ctx, eachRow(p, key, columns, nil, func(v *rows, row int) string {
			for i, name := range columns {
				if n, ok := v.long(len(key)+i, row); ok && n == 0 {
					return name + " is 0"
				}
			}
			return ""
		}))
	}
}

// notEmpty finds a partition without rows whose pings, or main_summary records,
// would give some.
func notEmpty(ctx context.Context, p *Partition) (Finding, error) {
	if p.Rows() > 0 {
		return Finding{}, nil
	}
	source, what := p.pingKeys(ping.DocumentID, "document_id").exact, "pings"
	if p.main != nil {
		var of filter
		if p.Table.Schema.Name == "addons" {
			of = present(0)
		}
		source, what = keysOf(p.main, []string{"client_id"}, nil, of), "main_summary records"
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
