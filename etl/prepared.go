package etl

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
	"github.com/pingmill/pingmill/table/column"
)

// Preparer makes the rows of pings while their documents are in memory, for the task of their day. It is safe for concurrent
// use. A nil Preparer makes none.
type Preparer struct {
	probes *schema.Probes
	byKind map[ping.DocType][]*preparedTable
}

type preparedTable struct {
	*schema.Table
	key  rowfile.PreparedTable
	free sync.Pool // of *preparing
}

// preparing makes the rows of one ping at a time.
type preparing struct {
	transform *table.Pings
	rows      *column.Batch
	encoded   []byte
}

// NewPreparer returns nil if there are no tables.
func NewPreparer(tables []*schema.Table, p *schema.Probes) *Preparer {
	if len(tables) == 0 {
		return nil
	}
	r := &Preparer{probes: p, byKind: map[ping.DocType][]*preparedTable{}}
	for _, t := range tables {
		kind := t.Kind()
		if t.AllTypes {
			kind = allTypes(t.Namespace)
		}
		r.byKind[kind] = append(r.byKind[kind], &preparedTable{Table: t, key: preparedKey(t, p)})
	}
	return r
}

// allTypes stands for all kinds of pings of a namespace.
func allTypes(namespace string) ping.DocType { return ping.DocType(namespace + "/*") }

// preparedKey names a table and everything that determines its rows beside the pings.
func preparedKey(t *schema.Table, p *schema.Probes) rowfile.PreparedTable {
	h := sha256.New()
	fmt.Fprintln(h, "prepared rows", column.RowsFormat, Definitions(t), p.Hash())
	return rowfile.PreparedTable{Name: t.Name, Key: hex.EncodeToString(h.Sum(nil))[:16]}
}

func (r *Preparer) tables(kind ping.DocType) []*preparedTable {
	namespace, _, is := strings.Cut(string(kind), "/")
	if !is {
		return r.byKind[kind]
	}
	return slices.Concat(r.byKind[kind], r.byKind[allTypes(namespace)])
}

// Tables returns the tables of which Rows makes rows of pings of a kind.
func (r *Preparer) Tables(kind ping.DocType) (keys []rowfile.PreparedTable) {
	for _, t := range r.tables(kind) {
		keys = append(keys, t.key)
	}
	return keys
}

// Place returns the index of a table in the rows of pings of a kind, -1 if they have none of it.
func (r *Preparer) Place(kind ping.DocType, table string) int {
	if r == nil {
		return -1
	}
	return slices.IndexFunc(r.tables(kind), func(t *preparedTable) bool { return t.Name == table })
}

// Rows returns the rows of a ping in all tables, for archive.Writer.Prepare. It returns nil if there are none of its kind, or
// if a transform panics: then the task meets the panic again, and reports it. The body was scanned for other values.
func (r *Preparer) Rows(m *ping.Meta, body []byte, scanned *ping.Doc) []byte {
	if r == nil {
		return nil
	}
	day, _, _, ok := archive.Place(m)
	if !ok {
		return nil
	}
	record := rowfile.Record{Meta: *m} // as the archive keeps it
	rowfile.Pings.Clean(&record)
	meta := &record.Meta
	meta.SetString(ping.SubmissionDate, string(day))
	tables := r.tables(meta.Kind())
	if len(tables) == 0 {
		return nil
	}
	all := binary.AppendUvarint(make([]byte, 0, 4<<10), uint64(len(body)))
	for _, t := range tables {
		one, _ := t.free.Get().(*preparing)
		if one == nil {
			one = &preparing{table.NewPings(t.Table, r.probes), column.NewBatch(t.Columns), nil}
		}
		if panics.Try(func() error { one.encode(t.Table, meta, body, scanned); return nil }) != nil {
			return nil // what has panicked is not used again
		}
		all = append(binary.AppendUvarint(all, uint64(len(one.encoded))), one.encoded...)
		t.free.Put(one)
	}
	return all
}

// encode encodes the row of a ping: nothing if the table does not take it, no rows if the ping has none.
func (o *preparing) encode(t *schema.Table, m *ping.Meta, body []byte, scanned *ping.Doc) {
	o.encoded = o.encoded[:0]
	if !t.Takes(m) {
		return
	}
	o.rows.Clear()
	_, _ = o.transform.AppendScanned(o.rows, m, body, scanned) // a ping whose document cannot be read has no row
	o.encoded = column.EncodeRows(o.encoded, o.rows)
}

// errPrepared means that prepared rows have another form than Preparer.Rows gives them.
var errPrepared = errors.New("prepared rows of another form")

// DocumentSize returns the size of the document of a ping, also if its prepared rows were read instead.
func DocumentSize(p *archive.Ping) int {
	if p.Prepared == nil {
		return len(p.Body)
	}
	size, _ := binary.Uvarint(p.Prepared)
	return int(size)
}

// addPrepared adds the prepared rows of a ping that its table takes, and reports whether there are any.
func addPrepared(out *column.Batch, p *archive.Ping) (bool, error) {
	rest := p.Prepared
	_, n := binary.Uvarint(rest)
	for place := 0; n > 0; place++ {
		rest = rest[n:]
		var size uint64
		if size, n = binary.Uvarint(rest); n <= 0 || size > uint64(len(rest)-n) {
			break
		}
		if place < p.Place {
			n += int(size)
			continue
		}
		before := out.Rows
		err := column.DecodeRows(out, rest[n:n+int(size)])
		return out.Rows > before, err
	}
	return false, errPrepared
}
