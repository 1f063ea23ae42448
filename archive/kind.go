package archive

import (
	"github.com/pingmill/pingmill/parquet"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// kind is one sort of data file. All have the metadata columns first, in the
// order of ping.MetaField, then some optional texts, and the bytes last.
type kind struct {
	name    string
	extra   []string // optional text columns after the metadata
	body    string   // required binary column
	columns []schema.Column
	layout  *parquet.Layout
}

// The extra columns of rejected submissions, by their place in record.extra.
const (
	extraClass = iota
	extraMessage
	extraPath
	extraHeaders
	numExtra
)

var (
	pingKind  = newKind("pings", "ping")
	errorKind = newKind("errors", "body", "class", "message", "path", "headers")
)

func newKind(name, body string, extra ...string) *kind {
	k := &kind{name: name, extra: extra, body: body}
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

// numColumns is how many columns there are beside the body.
func (k *kind) numColumns() int { return int(ping.NumMetaFields) + len(k.extra) }

// column is the name of column i; the one after the last is the body.
func (k *kind) column(i int) string {
	switch n := i - int(ping.NumMetaFields); {
	case n < 0:
		return ping.MetaField(i).Name()
	case n < len(k.extra):
		return k.extra[n]
	}
	return k.body
}

// record is one row of a file.
type record struct {
	meta  ping.Meta
	extra [numExtra][]byte // of rejected submissions
	body  []byte
}

// text returns a text column of the row.
func (r *record) text(i int) []byte {
	if n := i - int(ping.NumMetaFields); n >= 0 {
		return r.extra[n]
	}
	return r.meta.Text(ping.MetaField(i))
}

func (r *record) setText(i int, b []byte) {
	if n := i - int(ping.NumMetaFields); n >= 0 {
		r.extra[n] = b
		return
	}
	r.meta.SetText(ping.MetaField(i), b)
}

// isInt says that column i holds integers.
func isInt(i int) bool {
	return i < int(ping.NumMetaFields) && ping.MetaField(i).IsInt()
}

// noSample is the sample of pings that have none.
const noSample = 100

// sampleOf is the row's place in the order: its sample, or noSample for a row
// without one of 0 to 99.
func sampleOf(m *ping.Meta) int {
	if s, ok := m.Int(ping.SampleID); ok && s >= 0 && s < noSample {
		return int(s)
	}
	return noSample
}
