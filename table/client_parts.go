package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// ClientHash returns a hash of a client id of 32 bits, which does not depend on the client's sample. Rows for snapshots
// are divided and sorted by it.
func ClientHash(id []byte) int64 {
	h := fnv.New32a()
	_, _ = h.Write(id) // it never fails
	return int64(h.Sum32())
}

// partMeta are the members of the metadata that snapshots need.
var partMeta = []ping.MetaField{
	ping.DocumentID, ping.ClientID, ping.SampleID, ping.SubmissionDate, ping.Timestamp, ping.NormalizedChannel, ping.OS, ping.GeoCountry,
	ping.GeoCity, ping.DNT,
}

// partFuncs returns the columns of the table with the pings for snapshots.
func partFuncs(p *schema.Probes) columnFuncs {
	return columnFuncs{
		"client_hash": func(_ *compiler, op *pingOp, _ []string) {
			op.run = func(r *pingRow, op *pingOp) { r.out.SetLong(op.col, ClientHash(r.meta.Text(ping.ClientID))) }
		},
		"meta": func(_ *compiler, op *pingOp, _ []string) {
			op.run = func(r *pingRow, op *pingOp) {
				var m ping.Meta
				for _, f := range partMeta {
					if n, ok := r.meta.Int(f); f.IsInt() && ok {
						m.SetInt(f, n)
					} else if !f.IsInt() {
						m.SetText(f, r.meta.Text(f))
					}
				}
				r.out.SetBytes(op.col, m.AppendJSON(nil))
			}
		},
		"start": func(c *compiler, op *pingOp, path []string) {
			op.slot = c.paths.Add(path...)
			op.run = func(r *pingRow, op *pingOp) {
				t, ok := r.doc.Value(op.slot).Str(r.text[:0])
				r.without = r.without || !ok || len(t) > MaxText
				r.out.SetBytes(op.col, t)
			}
		},
		"counter": func(c *compiler, op *pingOp, path []string) {
			op.slot = c.paths.Add(path...)
			op.run = func(r *pingRow, op *pingOp) {
				n, ok := counterOf(r.doc.Value(op.slot))
				r.without = r.without || !ok
				r.out.SetLong(op.col, n)
			}
		},
		"ping": func(c *compiler, op *pingOp, _ []string) {
			sections := newSections(c, p)
			op.run = func(r *pingRow, op *pingOp) { r.out.SetBytes(op.col, sections.write(r.doc, nil)) }
		},
	}
}

// section is a member of the ping that snapshots need: whole, or as far as its own members are needed.
type section struct {
	name    []byte // quoted, with the colon
	slot    ping.Slot
	members []*section
}

// newSections returns the sections that the columns of the tables of snapshots read.
func newSections(c *compiler, p *schema.Probes) *section {
	var paths [][]string
	for _, t := range schema.NewSet(p).Tables {
		if !t.IsSnapshots() {
			continue
		}
		for i := range t.Columns {
			if path := sectionOf(&t.Columns[i]); path != nil {
				paths = append(paths, path)
			}
		}
	}
	slices.SortFunc(paths, slices.Compare[[]string])
	root := &section{}
	for i, path := range paths {
		if i == 0 || !startsWith(path, paths[i-1]) {
			root.add(c, path, 0)
		} else {
			paths[i] = paths[i-1] // the shorter one covers those that follow it
		}
	}
	return root
}

// sectionOf returns the path of the member that a column reads; nil if it reads none.
func sectionOf(col *schema.Column) []string {
	path := splitPath(col.Source)
	switch {
	case len(path) == 1 || path[0] == "meta":
		return nil
	case col.Arg != "":
		return append(path, col.Arg)
	case path[1] == "profile": // whether it is there counts
		return path[:2]
	}
	return path
}

func startsWith(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func (s *section) add(c *compiler, path []string, depth int) {
	if depth == len(path) {
		s.slot = c.paths.Add(path...)
		return
	}
	name, _ := json.Marshal(path[depth]) // a text
	name = append(name, ':')
	if n := len(s.members); n == 0 || !bytes.Equal(s.members[n-1].name, name) {
		s.members = append(s.members, &section{name: name})
	}
	s.members[len(s.members)-1].add(c, path, depth+1)
}

// write appends the section of a document, or nothing if the document has nothing of it. The whole document is an object in
// any case.
func (s *section) write(doc *ping.Doc, dst []byte) []byte {
	if s.members == nil {
		return append(dst, doc.Value(s.slot).Raw()...)
	}
	start := len(dst)
	dst = append(dst, '{')
	for _, m := range s.members {
		before := len(dst)
		if dst[before-1] != '{' {
			dst = append(dst, ',')
		}
		named := len(append(dst, m.name...))
		dst = m.write(doc, append(dst, m.name...))
		if len(dst) == named {
			dst = dst[:before]
		}
	}
	if len(dst) == start+1 && start > 0 {
		return dst[:start]
	}
	return append(dst, '}')
}

// SortParts sorts the rows of a batch of pings for snapshots by the hash of the client, the client and the place of the ping
// in the client's row.
func SortParts(b *column.Batch) {
	b.Finish()
	leaf := func(name string) *column.Leaf {
		i := slices.IndexFunc(b.Columns, func(c schema.Column) bool { return c.Name == name })
		return &b.Leaves[b.Node(i).Leaf]
	}
	hash, client, start, counter, meta := leaf("client_hash"), leaf("client_id"), leaf("start"), leaf("counter"), leaf("meta")
	order := make([]int, b.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(hash.Longs[x], hash.Longs[y]), bytes.Compare(client.Bytes[x], client.Bytes[y]),
			bytes.Compare(start.Bytes[y], start.Bytes[x]), cmp.Compare(counter.Longs[y], counter.Longs[x]),
			bytes.Compare(meta.Bytes[x], meta.Bytes[y]))
	})
	column.Reorder(b, order)
}

// PartReader reads rows of pings for snapshots.
type PartReader struct {
	// Batch takes the rows of the columns that are needed.
	Batch *column.Batch

	columns [5]int
}

// NewPartReader makes a reader for the columns of the table with the pings.
func NewPartReader(t *schema.Table) *PartReader {
	r := &PartReader{}
	var cols []schema.Column
	for i, name := range []string{"client_hash", "meta", "start", "counter", "ping"} {
		r.columns[i] = i
		cols = append(cols, t.Columns[t.Index(name)])
	}
	r.Batch = column.NewBatch(cols)
	return r
}

// Hash returns the hash of the client of a row.
func (r *PartReader) Hash(row int) int64 { return r.Batch.Leaves[r.columns[0]].Longs[row] }

// Ping returns a row, copied.
func (r *PartReader) Ping(row int) (p ClientPing, err error) {
	text := func(i int) []byte { return bytes.Clone(r.Batch.Leaves[r.columns[i]].Bytes[row]) }
	p = ClientPing{Meta: &ping.Meta{}, Start: text(2), Counter: r.Batch.Leaves[r.columns[3]].Longs[row], Body: text(4)}
	if err := p.Meta.ParseJSON(text(1)); err != nil {
		return p, fmt.Errorf("read the metadata of a ping: %w", err)
	}
	return p, nil
}
