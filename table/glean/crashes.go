package glean

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// emptyHash is the hash of a minidump of no bytes.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// Crashes leaves out the rows of crash pings whose minidump another ping had.
type Crashes struct{ table *schema.Table }

// NewCrashes returns the transform.
func NewCrashes(t *schema.Table) *Crashes { return &Crashes{t} }

// Hashes returns the hashes of minidumps in rows of crash pings.
func Hashes(b *column.Batch) (all []string) {
	in := newRows(b)
	hash := in.text("metrics", "string", "crash_minidump_sha256_hash")
	for row := range in.Rows() {
		if v := hash.of(row); v != nil && string(v) != emptyHash {
			all = append(all, string(v))
		}
	}
	return all
}

// Make appends the rows to out in the order of their arrival. past reports whether a ping of an earlier day has a hash.
func (c *Crashes) Make(out, in *column.Batch, day int32, past func(hash string) bool, row func() error) error {
	from := newRows(in)
	at, document := from.number("submission_timestamp"), from.text("document_id")
	hash, when := from.text("metrics", "string", "crash_minidump_sha256_hash"), from.number("metrics", "datetime", "crash_time")
	order := make([]int, from.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, _ := at.of(a)
		y, _ := at.of(b)
		return cmp.Or(cmp.Compare(x, y), bytes.Compare(document.of(a), document.of(b)))
	})
	columns := make([]int, len(c.table.Columns))
	for i, col := range c.table.Columns {
		columns[i] = indexOfColumn(in, col.Name)
	}
	had := map[string]bool{}
	for _, r := range order {
		if h := string(hash.of(r)); h != "" && h != emptyHash {
			if had[h] || past(h) {
				continue
			}
			had[h] = true
		}
		for i, col := range c.table.Columns {
			switch {
			case col.Name == "crash_date":
				date := day
				if micros, ok := when.of(r); ok {
					date = int32(floorDiv(micros, 86400e6))
				}
				out.SetInt(i, date)
			case columns[i] >= 0:
				from.Copy(out, i, columns[i], r)
			}
		}
		out.EndRow()
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}
