package rowfile

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// Kind is a kind of data file. All kinds have the metadata columns first, in the order of ping.MetaField, then
// some optional texts, and the body last.
type Kind struct {
	name    string
	extra   []string // optional text columns after the metadata
	body    string   // required binary column
	packed  bool     // the bodies are compressed one by one, and a column says how
	compact bool     // the file is as small as can be
	columns []schema.Column
	layout  *parquet.Layout
}

// The extra columns of rejected submissions, by their place in Record.Extra.
const (
	ExtraClass = iota
	ExtraMessage
	ExtraPath
	ExtraHeaders
	NumExtra
)

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
	k := &Kind{name: name, extra: extra, body: body, packed: slices.Contains(extra, "encoding")}
	for i := range k.numColumns() {
		t := schema.String
		if isInt(i) {
			t = schema.Long
		}
		k.columns = append(k.columns, schema.Column{Name: k.column(i), Type: schema.Type{Kind: t}})
	}
	k.columns = append(k.columns, schema.Column{Name: body, Type: schema.Type{Kind: schema.Binary}, NotNull: true})
	var err error
	if k.layout, err = parquet.NewLayout(k.columns); err != nil {
		panic(err) // the columns are those above
	}
	return k
}

func (k *Kind) compacted() *Kind {
	k.compact = true
	return k
}

// Name returns the kind's name in names of objects and records of loads.
func (k *Kind) Name() string { return k.name }

// numColumns returns the number of columns except the body.
func (k *Kind) numColumns() int { return int(ping.NumMetaFields) + len(k.extra) }

// column returns the name of column i; the one after the last is the body.
func (k *Kind) column(i int) string {
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
}

// text returns a text column of the row.
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

// isInt says that column i holds integers.
func isInt(i int) bool {
	return i < int(ping.NumMetaFields) && ping.MetaField(i).IsInt()
}

// NoSample is the sample of pings without one.
const NoSample = 100

// SampleOf returns the row's sample, or NoSample if it has none of 0 to 99.
func SampleOf(m *ping.Meta) int {
	if s, ok := m.Int(ping.SampleID); ok && s >= 0 && s < NoSample {
		return int(s)
	}
	return NoSample
}

// Clean makes the texts of r valid UTF-8, which text columns demand.
func (k *Kind) Clean(r *Record) {
	for i := range k.numColumns() {
		if isInt(i) {
			continue
		}
		if t := r.text(i); !utf8.Valid(t) {
			r.setText(i, bytes.ToValidUTF8(t, []byte("\uFFFD")))
		}
	}
}
