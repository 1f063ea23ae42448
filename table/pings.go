package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	definitions "github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
	"github.com/pingmill/pingmill/table/glean"
)

// Pings turns pings into rows of one table. It is not safe for concurrent use;
// every worker makes its own.
type Pings struct {
	Table   *schema.Table
	program *ping.Program
	ops     []pingOp
	events  *eventList // each of them has a row; nil: each ping has one
	row     pingRow
	own     ping.Doc // of pings that were not scanned before
	other   transform
}

// transform makes the rows of a table in a way of its own.
type transform interface {
	Append(out *column.Batch, meta *ping.Meta, body []byte) (bool, error)
	AppendValue(out *column.Batch, meta *ping.Meta, document ping.Value) (bool, error)
}

// NewPings makes the transform of a table that is made from pings.
func NewPings(t *schema.Table, p *schema.Probes) *Pings {
	switch t.Made {
	case definitions.MadePing:
		return &Pings{Table: t, other: glean.NewPings(t)}
	case definitions.MadeEvents:
		return &Pings{Table: t, other: glean.NewStream(t)}
	}
	c := &compiler{funcs: pingFuncs(t, p), dashed: t.DashedDays}
	for i := range t.Columns {
		c.column(i, &t.Columns[i])
	}
	made := &Pings{Table: t}
	if t.Made == schema.PerEvent {
		made.events = c.eventsOf(t)
	}
	made.program, made.ops = c.paths.Compile(), c.ops
	return made
}

// Append adds the row of one ping, or the rows of its events, to out, which has the
// table's columns. It says false, with nothing added, for a ping that has no row: one of a test that a
// machine runs, without the table's identity, or what else a row must have, or with
// a client id over MaxText, by which its rows could not be found again. An error is a body
// that is not a JSON object. Other values over a bound are counted in out.
func (p *Pings) Append(out *column.Batch, meta *ping.Meta, body []byte) (bool, error) {
	if p.other != nil {
		return p.other.Append(out, meta, body)
	}
	return p.append(out, meta, func() (*ping.Doc, error) { return &p.own, p.own.Scan(p.program, body) })
}

// AppendScanned is Append of a document that was scanned for other values. Its values are not valid any more.
func (p *Pings) AppendScanned(out *column.Batch, meta *ping.Meta, body []byte, doc *ping.Doc) (bool, error) {
	if p.other != nil {
		return p.other.Append(out, meta, body)
	}
	return p.append(out, meta, func() (*ping.Doc, error) { return doc, doc.Rescan(p.program) })
}

// AppendValue is Append of a document that is a value of a scanned one, whose index it uses.
func (p *Pings) AppendValue(out *column.Batch, meta *ping.Meta, document ping.Value) (bool, error) {
	if p.other != nil {
		return p.other.AppendValue(out, meta, document)
	}
	return p.append(out, meta, func() (*ping.Doc, error) { return document.Scan(p.program) })
}

func (p *Pings) append(out *column.Batch, meta *ping.Meta, scan func() (*ping.Doc, error)) (bool, error) {
	if meta.Automated() || !p.identified(meta) || len(meta.Text(ping.ClientID)) > MaxText {
		return false, nil
	}
	out.MaxText = MaxText
	doc, err := scan()
	if err != nil {
		return false, err
	}
	r := &p.row
	r.doc, r.meta, r.out, r.addons.done, r.without = doc, meta, out, false, false
	if p.events != nil {
		return p.events.each(r, func() { p.run(r); out.EndRow() }) > 0, nil
	}
	p.run(r)
	if r.without {
		out.DropRow()
		return false, nil
	}
	out.EndRow()
	return true, nil
}

// run makes all columns of a row.
func (p *Pings) run(r *pingRow) {
	for i := range p.ops {
		p.ops[i].run(r, &p.ops[i])
	}
}

// identified reports whether the metadata has what a row must have, and no text of it is over MaxText.
func (p *Pings) identified(m *ping.Meta) bool {
	for _, f := range p.Table.Identity {
		if !m.Has(f) || len(m.Text(f)) > MaxText {
			return false
		}
	}
	return true
}

// columnFuncs compile the computed columns of a table made from pings, by column.
type columnFuncs map[string]func(c *compiler, op *pingOp, path []string)

// pingTables holds the functions of tables that have their own.
var pingTables = map[string]func(*schema.Probes) columnFuncs{
	"main_summary":       mainFuncs,
	"crash_summary":      func(*schema.Probes) columnFuncs { return crashFuncs },
	"event_events":       func(*schema.Probes) columnFuncs { return eventFuncs },
	"longitudinal_pings": partFuncs,
}

// pingFuncs returns the functions of a table's computed columns: its own, or those of nested columns that have the
// names of the document.
func pingFuncs(t *schema.Table, p *schema.Probes) columnFuncs {
	if own := pingTables[t.Name]; own != nil {
		return own(p)
	}
	return treeFuncs(t)
}
