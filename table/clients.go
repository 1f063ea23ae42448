package table

import (
	"math"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Clients makes the rows of a table of snapshots: one row of all pings of a client. It first fills a batch with an
// element for each ping and column, and then joins the elements to arrays. It is not safe for concurrent use.
type Clients struct {
	Table *schema.Table
	// Unreadable counts, by column, the elements that are null because the value of the ping cannot be read.
	Unreadable map[string]int64
	// Touched counts the clients with such an element.
	Touched int64

	program *ping.Program
	ops     []eachOp
	row     eachRow
	doc     ping.Doc
}

// eachOp computes one column of a table of snapshots.
type eachOp struct {
	col  *schema.Column
	slot ping.Slot
	alt  ping.Slot // of the profile that a date belongs to
	meta ping.MetaField

	shape   *shape // of elements that are read by their type
	buckets *eachBuckets

	// set writes the element of a ping, or leaves it null, and reports whether the ping has a value.
	set func(r *eachRow, op *eachOp) bool
	// zero writes the element of a ping without the key of a keyed probe.
	zero   func(b *column.Batch, n *column.Node, rep int16, op *eachOp)
	newest bool // the column has the metadata of the newest ping that has it
	// always means that the column is not null for a client whose pings have no value.
	always bool

	sent bool // a ping of the client has a value
	bad  bool // the value of the ping cannot be read
}

// eachRow is the state of the ping whose elements are made.
type eachRow struct {
	ping   *ClientPing
	doc    *ping.Doc
	out    *column.Batch // the elements of the client's pings
	col    int           // of the element
	text   []byte        // scratch of decoded texts
	pieces pieces
}

// NewClients makes the transform of a table of snapshots.
func NewClients(t *schema.Table) *Clients {
	c := &Clients{Table: t, Unreadable: map[string]int64{}}
	var paths ping.PathSet
	var elements []schema.Column
	for i := range t.Columns {
		col := &t.Columns[i]
		c.ops = append(c.ops, newEachOp(col, &paths))
		elements = append(elements, schema.Column{Name: col.Name, Type: col.Element()})
	}
	c.program = paths.Compile()
	c.row.out = column.NewBatch(elements)
	return c
}

// Append adds the row of a client to out, which has the table's columns. The pings must be those that Newest gives.
// It adds nothing without pings. An error is a body that is no JSON object.
func (c *Clients) Append(out *column.Batch, pings []ClientPing) error {
	if len(pings) == 0 {
		return nil
	}
	r := &c.row
	r.out.Reset()
	r.out.MaxText, out.MaxText = MaxText, MaxText
	for i := range c.ops {
		c.ops[i].sent = c.ops[i].always
	}
	touched := false
	for i := range pings {
		if err := c.doc.Scan(c.program, pings[i].Body); err != nil {
			return err
		}
		r.ping, r.doc = &pings[i], &c.doc
		for j := range c.ops {
			op := &c.ops[j]
			if op.set == nil {
				continue
			}
			r.col = j
			if op.set(r, op) {
				op.sent = true
			}
			if op.bad {
				op.bad, touched = false, true
				c.Unreadable[op.col.Name]++
			}
		}
		r.out.EndRow()
	}
	if touched {
		c.Touched++
	}
	r.out.Finish()
	for j := range c.ops {
		if op := &c.ops[j]; op.sent {
			c.join(out, j, op, pings)
		}
	}
	for j, n := range r.out.LeftOut() {
		for range n {
			out.LeaveOut(c.Table.Index(j))
		}
	}
	r.out.Clear()
	out.EndRow()
	return nil
}

// join writes column j of a client.
func (c *Clients) join(out *column.Batch, j int, op *eachOp, pings []ClientPing) {
	switch {
	case op.newest:
		for i := range pings {
			if t := pings[i].Meta.Text(op.meta); t != nil {
				out.SetBytes(j, t)
				return
			}
		}
	case op.col.Keyed():
		c.row.joinKeyed(out, j, op, len(pings))
	default:
		c.row.join(out, j)
	}
}

// newEachOp compiles a column.
func newEachOp(col *schema.Column, paths *ping.PathSet) eachOp {
	op := eachOp{col: col}
	path := splitPath(col.Source)
	switch {
	case len(path) == 1: // never filled
	case path[0] == "meta":
		op.meta, _ = ping.MetaFieldByName(path[1])
		if op.newest = col.Type.Kind == schema.String; op.newest {
			op.always = true
		} else {
			op.set = metaElement(path[1])
		}
	case col.Rule == schema.RuleScalar:
		op.slot, op.always = paths.Add(append(path, col.Arg)...), true
		op.shape, op.set, op.zero = newShape(scalarType(col)), setScalar, zeroScalar
		if col.Scalar.Keyed {
			op.set = setKeyedEachScalar
		}
	case col.Rule == schema.RuleHistogram:
		op.slot, op.buckets = paths.Add(append(path, col.Arg)...), newEachBuckets(col.Histogram)
		op.set, op.zero = setEachHistogram, zeroHistogram
		if col.Histogram.Keyed {
			op.set = setKeyedEachHistogram
		}
	case col.Rule == schema.RuleFunc && path[1] == "profile":
		op.alt = paths.Add(path[:len(path)-1]...)
		op.slot, op.set = paths.Add(path...), setDays
	case col.Rule == schema.RuleFunc:
		op.slot, op.set = paths.Add(path...), setDate
	default:
		op.slot, op.shape, op.set = paths.Add(path...), newShape(col.Element()), setElement
	}
	return op
}

// setElement writes an element by the type of the column.
func setElement(r *eachRow, op *eachOp) bool {
	v := r.doc.Value(op.slot)
	if kind := v.Kind(); kind == ping.Missing || kind == ping.Null {
		return false
	}
	if !op.shape.fits(v) {
		op.bad = true
		return false
	}
	r.write(r.out.Start(r.col), 0, v, op.shape)
	return true
}

// metaElement returns the function for a member of the metadata.
func metaElement(name string) func(*eachRow, *eachOp) bool {
	switch name {
	case ping.SubmissionDate.Name():
		return func(r *eachRow, op *eachOp) bool {
			day := r.ping.Meta.Text(op.meta)
			text, ok := dayText(string(day))
			if ok {
				r.out.SetBytes(r.col, text)
			}
			op.bad = !ok && day != nil
			return ok
		}
	case "Size":
		return func(r *eachRow, _ *eachOp) bool {
			r.out.SetDouble(r.col, r.ping.Size)
			return r.ping.Size != 0
		}
	case ping.SampleID.Name():
		return func(r *eachRow, op *eachOp) bool {
			n, ok := r.ping.Meta.Int(op.meta)
			r.out.SetDouble(r.col, float64(n))
			return ok
		}
	}
	return func(r *eachRow, op *eachOp) bool {
		t := r.ping.Meta.Text(op.meta)
		if t == nil {
			r.out.SetBytes(r.col, []byte{})
			return false
		}
		r.out.SetBytes(r.col, t)
		return true
	}
}

// setDate writes a date with time and zone.
func setDate(r *eachRow, op *eachOp) bool {
	v := r.doc.Value(op.slot)
	t, ok := v.Str(r.text[:0])
	if ok {
		t, ok = zonedText(string(t))
	}
	if !ok {
		op.bad = v.Kind() != ping.Missing && v.Kind() != ping.Null
		return false
	}
	r.out.SetBytes(r.col, t)
	return true
}

// setDays writes a day of the profile as a date, "" without one.
func setDays(r *eachRow, op *eachOp) bool {
	days, ok := r.doc.Value(op.slot).Integer64()
	if !ok && r.doc.Value(op.slot).IsInteger() {
		days, ok = math.MaxInt64, true
	}
	if text, fits := daysText(days); ok && fits {
		r.out.SetBytes(r.col, text)
	} else if !ok {
		r.out.SetBytes(r.col, []byte{})
	} else {
		op.bad = true
	}
	return r.doc.Value(op.alt).Kind() == ping.Object
}

// UnreadableKey names the metadata of a file that has an Unreadable as JSON.
const UnreadableKey = "pingmill.unreadable"

// Unreadable counts the elements of some rows that are null because the value of the ping cannot be read.
type Unreadable struct {
	Rows    int64            `json:"rows"`
	Touched int64            `json:"touched"` // rows with such an element
	Columns map[string]int64 `json:"columns,omitempty"`
}
