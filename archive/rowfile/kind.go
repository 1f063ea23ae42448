package rowfile

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Kind is a kind of data file. All kinds have the metadata columns first, in the order of ping.MetaField, then
// some optional texts, and the body last. A file has columns of all metadata, or ends them before
// firstHeader if no row has a value from there on: files of earlier versions do, too.
type Kind struct {
	name    string
	extra   []string // optional text columns after the metadata
	body    string   // required binary column
	packed  bool     // the bodies are compressed one by one, and a column says how
	compact bool     // the file is as small as can be
	meta    int      // number of metadata columns
	columns func() []schema.Column
	layout  func() *parquet.Layout
	wide    *Kind // the same with columns of all metadata; of such a kind, itself
}

// The extra columns of rejected submissions, by their place in Record.Extra.
const (
	ExtraClass = iota
	ExtraMessage
	ExtraPath
	ExtraHeaders
	NumExtra
)

// firstHeader begins the metadata that a file has as columns only if a row needs them.
const firstHeader = int(ping.XDebugID)

// extraEncoding is the place of a ping's.
const extraEncoding = 0

// The kinds of files. PackedPings are pings whose documents are as Record.Encoding says;
// who reads them reads Pings, too. CompactPings are read as Pings.
var (
	Pings        = newKind("pings", "ping")
	CompactPings = newKind("pings", "ping").compacted()
	PackedPings  = newKind("pings", "ping", "encoding")
	Rejected     = newKind("errors", "body", "class", "message", "path", "headers")
)

func newKind(name, body string, extra ...string) *Kind {
	k := &Kind{name: name, extra: extra, body: body, packed: slices.Contains(extra, "encoding"), meta: firstHeader}
	k.wide = new(*k)
	k.wide.meta, k.wide.wide = int(ping.NumMetaFields), k.wide
	for _, k := range []*Kind{k, k.wide} {
		k.columns, k.layout = sync.OnceValue(k.makeColumns), sync.OnceValue(k.makeLayout)
	}
	return k
}

func (k *Kind) makeColumns() (columns []schema.Column) {
	for i := range k.places() {
		if k.columnOf(i) < 0 {
			continue
		}
		t := schema.String
		if isInt(i) {
			t = schema.Long
		}
		columns = append(columns, schema.Column{Name: k.nameOf(i), Type: schema.Type{Kind: t}})
	}
	return append(columns, schema.Column{Name: k.body, Type: schema.Type{Kind: schema.Binary}, NotNull: true})
}

func (k *Kind) makeLayout() *parquet.Layout {
	layout, err := parquet.NewLayout(k.columns())
	if err != nil {
		panic(err) // the columns are those above
	}
	return layout
}

func (k *Kind) compacted() *Kind {
	k.compact, k.wide.compact = true, true
	return k
}

// Name returns the kind's name in names of objects and records of loads.
func (k *Kind) Name() string { return k.name }

// numColumns returns the number of columns except the body.
func (k *Kind) numColumns() int { return k.meta + len(k.extra) }

// places returns the number of values of a row except the body: all metadata and the extra texts, whether the file has
// columns of them or not.
func (k *Kind) places() int { return int(ping.NumMetaFields) + len(k.extra) }

// columnOf returns the column of the value at a place, the body's for places(), or -1 if the file has none.
func (k *Kind) columnOf(place int) int {
	switch n := place - int(ping.NumMetaFields); {
	case n < 0 && place < k.meta:
		return place
	case n < 0 || n > len(k.extra):
		return -1
	default:
		return k.meta + n
	}
}

// nameOf returns the name of the value at a place; the one after the last is the body.
func (k *Kind) nameOf(i int) string {
	switch n := i - int(ping.NumMetaFields); {
	case n < 0:
		return ping.MetaField(i).Name()
	case n < len(k.extra):
		return k.extra[n]
	}
	return k.body
}

// Record is a row of a file.
type Record struct {
	Meta  ping.Meta
	Extra [NumExtra][]byte // of rejected submissions; of pings the encoding of the body
	Body  []byte

	// Prepared, if not nil, is what a file of prepared rows has of the row; Place is the index of the wanted table in it.
	Prepared []byte
	Place    int
}

// text returns a text of the row by its place.
func (r *Record) text(i int) []byte {
	if n := i - int(ping.NumMetaFields); n >= 0 {
		return r.Extra[n]
	}
	return r.Meta.Text(ping.MetaField(i))
}

func (r *Record) setText(i int, b []byte) {
	if n := i - int(ping.NumMetaFields); n >= 0 {
		r.Extra[n] = b
		return
	}
	r.Meta.SetText(ping.MetaField(i), b)
}

// isInt reports whether the value at place i is an integer.
func isInt(i int) bool {
	return i < int(ping.NumMetaFields) && ping.MetaField(i).IsInt()
}

// NoSample is the sample of pings without one.
const NoSample = 100

// needsWide reports whether a file of the row has columns of all metadata.
func (r *Record) needsWide() bool {
	for f := ping.MetaField(firstHeader); f < ping.NumMetaFields; f++ {
		if r.Meta.Has(f) {
			return true
		}
	}
	return false
}

// SampleOf returns the row's sample, or NoSample if it has none of 0 to 99.
func SampleOf(m *ping.Meta) int {
	if s, ok := m.Int(ping.SampleID); ok && s >= 0 && s < NoSample {
		return int(s)
	}
	return NoSample
}

// Clean makes the texts of r valid UTF-8, which text columns demand.
func (k *Kind) Clean(r *Record) {
	for i := range k.places() {
		if isInt(i) {
			continue
		}
		if t := r.text(i); !utf8.Valid(t) {
			r.setText(i, bytes.ToValidUTF8(t, []byte("\uFFFD")))
		}
	}
}
