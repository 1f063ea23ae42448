package glean

import (
	"cmp"
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// emptyHash is the hash of a minidump of no bytes.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// HashPath is the path of the hash of the minidump in rows of crash pings.
var HashPath = []string{"metrics", "string", "crash_minidump_sha256_hash"}

// Crashes leaves out the rows of crash pings whose minidump another ping had.
type Crashes struct {
	table *schema.Table
	day   int32
	first map[string]arrival // by hash: the ping of the day that has a row
}

// arrival is when a ping came, and its document id.
type arrival struct {
	at       int64
	document string
}

func (a arrival) compare(o arrival) int {
	return cmp.Or(cmp.Compare(a.at, o.at), cmp.Compare(a.document, o.document))
}

// NewCrashes returns the transform of the crashes of a day.
func NewCrashes(t *schema.Table, day int32) *Crashes {
	return &Crashes{t, day, map[string]arrival{}}
}

// Note takes rows of the day, before rows are appended: of equal hashes the first arrival counts.
func (c *Crashes) Note(b *column.Batch) {
	in := newArrivals(b)
	for row := range b.Rows {
		h := in.hash.value(row)
		if len(h) == 0 || string(h) == emptyHash {
			continue
		}
		a := in.arrival(row)
		if was, ok := c.first[string(h)]; !ok || a.compare(was) < 0 {
			c.first[string(h)] = a
		}
	}
}

// Past takes the hash of a ping of an earlier day: none of the day with this hash has a row.
func (c *Crashes) Past(hash []byte) {
	if _, ok := c.first[string(hash)]; ok {
		c.first[string(hash)] = arrival{}
	}
}

// PastRows takes the hashes of rows of an earlier day.
func (c *Crashes) PastRows(b *column.Batch) {
	hash := newRows(b).text(HashPath...)
	for row := range b.Rows {
		c.Past(hash.value(row))
	}
}

// Append appends the rows that stay, in their order.
func (c *Crashes) Append(out, b *column.Batch, row func() error) error {
	return c.append(out, newArrivals(b), nil, row)
}

// AppendRows appends the rows of a day to out in the order of their arrival.
func (c *Crashes) AppendRows(out, b *column.Batch, past func(hash string) bool, row func() error) error {
	in := newArrivals(b)
	c.Note(b)
	for h := range c.first {
		if past(h) {
			c.Past([]byte(h))
		}
	}
	order := make([]int, b.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return in.arrival(x).compare(in.arrival(y)) })
	return c.append(out, in, order, row)
}

// append appends the rows that stay, in an order; nil: as they are.
func (c *Crashes) append(out *column.Batch, in *arrivals, order []int, row func() error) error {
	when := in.number("metrics", "datetime", "crash_time")
	columns := make([]func(row int), len(c.table.Columns))
	for i := range c.table.Columns {
		if from := indexOfColumn(in.b, c.table.Columns[i].Name); from >= 0 {
			columns[i] = in.copying(out, out.Node(i), in.b.Node(from))
		}
	}
	date, partition := c.table.Index("crash_date"), c.table.Index(c.table.PartitionKeys[0])
	text := column.AppendDate(nil, c.day)
	for k := range in.Rows() {
		r := k
		if order != nil {
			r = order[k]
		}
		if h := in.hash.value(r); len(h) > 0 && string(h) != emptyHash && c.first[string(h)] != in.arrival(r) {
			continue
		}
		for i, copies := range columns {
			if copies != nil && i != partition {
				copies(r)
			}
		}
		day := c.day
		if micros, ok := when.value(r); ok {
			day = int32(floorDiv(micros, 86400e6))
		}
		out.SetInt(date, day)
		out.SetBytes(partition, text)
		out.EndRow()
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// arrivals are rows of crash pings.
type arrivals struct {
	*rows

	at       number
	document text
	hash     text
}

func newArrivals(b *column.Batch) *arrivals {
	in := newRows(b)
	return &arrivals{in, in.number("submission_timestamp"), in.text("document_id"), in.text(HashPath...)}
}

func (in *arrivals) arrival(row int) arrival {
	at, _ := in.at.value(row)
	return arrival{at, string(in.document.value(row))}
}

// copying returns the function that copies a node of a row. Of structs that every row has it copies the members that both sides
// have.
func (in *rows) copying(out *column.Batch, to, from *column.Node) func(row int) {
	if !to.Type.Present {
		if !to.Type.Same(&from.Type) {
			return func(int) {}
		}
		return func(row int) { in.CopyNode(out, to, from, row) }
	}
	var members []func(row int)
	for i, name := range to.FieldNames {
		if at := slices.Index(from.FieldNames, name); at >= 0 {
			members = append(members, in.copying(out, to.Fields[i], from.Fields[at]))
		}
	}
	return func(row int) {
		for _, m := range members {
			m(row)
		}
	}
}
