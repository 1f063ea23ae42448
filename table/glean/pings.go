package glean

import (
	"bytes"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// Bounds of values, above what a submission of the largest size has: a text of a metric may have 204,800 characters.
const (
	maxText     = 1 << 20 // bytes of a text; a longer one is null, and counted
	maxElements = 10_000  // of a map or list; one with more stays in additional_properties
)

// Pings makes the rows of the table of a ping. It is not safe for concurrent use.
type Pings struct {
	ops     []func(*row)
	program *ping.Program
	root    ping.Slot
	own     ping.Doc
	row     row

	clientInfo, pingInfo, metrics, events int // columns; -1: none
	rest                                  int
	client, info                          map[string]*field
	types                                 map[string]map[string]*field // metrics by type and id
	byColumn                              map[string]map[string]*field // the same of metrics that are known by their column
	columns                               map[string]string            // columns by metric, as far as they were needed
	rows                                  int                          // made until now, with the one at hand
}

// row is the row that is made from a ping.
type row struct {
	out     *column.Batch
	meta    *ping.Meta
	text    []byte
	rest    rest
	members []ping.Member // scratch by level
	values  []ping.Value
	id      []byte // of the client, in lower case; nil: none

	// Members of client_info that other columns are made from.
	channel, os, osVersion, version []byte
}

// field is a member of a document that has a column.
type field struct {
	node  *column.Node
	write func(r *row, f *field, v ping.Value) bool // reports whether the value was of the right form and is written
	more  *column.Node                              // a second column of the same member, or nil
	row   int                                       // number of the last row with a metric that is known by this column
}

// NewPings returns the transform of a table of pings.
func NewPings(t *schema.Table) *Pings {
	var paths ping.PathSet
	p := &Pings{root: paths.Add(), clientInfo: t.Index(glean.ClientInfo), pingInfo: t.Index(glean.PingInfo), metrics: t.Index(glean.Metrics),
		events: t.Index(glean.Events), rest: t.Index(glean.Rest)}
	p.program = paths.Compile()
	p.row.rest.off = p.rest < 0
	shape := column.NewBatch(t.Columns) // nodes of all batches of the table are at the same places
	for i, c := range t.Columns {
		if op := headOps[c.Name]; op != nil {
			p.ops = append(p.ops, op(i))
		}
	}
	if i := t.Index(glean.Metadata); i >= 0 {
		p.ops = append(p.ops, metadataOps(shape.Node(i))...)
	}
	if p.clientInfo >= 0 {
		p.client = infoFields(shape.Node(p.clientInfo))
	}
	if p.pingInfo >= 0 {
		p.info = infoFields(shape.Node(p.pingInfo))
	}
	if p.metrics >= 0 {
		p.compileMetrics(shape.Node(p.metrics), t.Columns[p.metrics].Type)
	}
	return p
}

// Append adds the row of a ping to out. It reports false, with nothing added, for a ping without a row.
func (p *Pings) Append(out *column.Batch, meta *ping.Meta, body []byte) (bool, error) {
	if err := p.own.Scan(p.program, body); err != nil {
		return false, err
	}
	return p.append(out, meta, p.own.Value(p.root))
}

// AppendValue works like Append for a document that is a value of a scanned one.
func (p *Pings) AppendValue(out *column.Batch, meta *ping.Meta, document ping.Value) (bool, error) {
	doc, err := document.Scan(p.program)
	if err != nil {
		return false, err
	}
	return p.append(out, meta, doc.Value(p.root))
}

func (p *Pings) append(out *column.Batch, meta *ping.Meta, document ping.Value) (bool, error) {
	if meta.Automated() || !meta.Has(ping.DocumentID) || len(meta.Text(ping.DocumentID)) > maxText {
		return false, nil
	}
	r := &p.row
	out.MaxText = maxText
	*r = row{out: out, meta: meta, text: r.text[:0], rest: r.rest, members: r.members[:0], values: r.values[:0]}
	r.rest.reset()
	p.rows++
	p.document(r, document)
	for _, op := range p.ops {
		op(r)
	}
	if text := r.rest.text(); text != nil && p.rest >= 0 {
		out.SetBytes(p.rest, text)
	}
	out.EndRow()
	return true, nil
}

// document writes the members of the document.
func (p *Pings) document(r *row, document ping.Value) {
	p.members(r, r.membersOf(document))
}

// members writes members of the document.
func (p *Pings) members(r *row, members []ping.Member) {
	for _, m := range members {
		switch key := string(m.Key); {
		case key == glean.ClientInfo && m.Value.Kind() == ping.Object:
			members := r.membersOf(m.Value)
			r.clientInfo(members)
			r.struc(m.Key, members, p.client)
		case key == glean.PingInfo && m.Value.Kind() == ping.Object && p.pingInfo >= 0:
			r.struc(m.Key, r.membersOf(m.Value), p.info)
		case key == glean.Metrics && m.Value.Kind() == ping.Object:
			p.metricTypes(r, m)
		case key == glean.Events && p.events >= 0 && r.events(p.events, m.Value):
		default:
			r.rest.add(m.Key, m.Value)
		}
	}
}

// membersOf returns the members of an object, in scratch memory that nested calls leave alone.
func (r *row) membersOf(v ping.Value) []ping.Member {
	from := len(r.members)
	r.members = v.Members(r.members)
	return r.members[from:len(r.members):len(r.members)]
}

// struc writes the members of an object that have columns, and collects the others.
func (r *row) struc(name []byte, members []ping.Member, fields map[string]*field) {
	r.rest.enter(name)
	for _, m := range members {
		f, known := fields[string(m.Key)]
		if !known || !r.write(f, m) {
			r.rest.add(m.Key, m.Value)
		}
	}
	r.rest.leave()
}

// write writes a member to its column. Members of the member that have no column are collected.
func (r *row) write(f *field, m ping.Member) bool {
	r.rest.enter(m.Key)
	ok := f.write(r, f, m.Value)
	r.rest.leave()
	return ok
}

// clientInfo notes the members from which other columns are made.
func (r *row) clientInfo(members []ping.Member) {
	for _, m := range members {
		switch string(m.Key) {
		case "client_id":
			id, _ := m.Value.Str(nil)
			if _, ok := ParseID(id); ok {
				r.id = bytes.ToLower(id)
			}
		case "app_channel":
			r.channel, _ = m.Value.Str(nil)
		case "os":
			r.os, _ = m.Value.Str(nil)
		case "os_version":
			r.osVersion, _ = m.Value.Str(nil)
		case "app_display_version":
			r.version, _ = m.Value.Str(nil)
		}
	}
}
