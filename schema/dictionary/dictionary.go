// Package dictionary lists the metrics of all definitions, of Glean and of legacy telemetry, with the columns that have
// their values.
package dictionary

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/metric"
)

// Dictionary holds the metrics of the tables of an installation. It does not change.
type Dictionary struct {
	Entries []*Entry // by namespace, name, type

	byPlace map[[2]string]*Entry
}

// Entry is a metric with the columns that have its values.
type Entry struct {
	metric.Definition

	Namespace string // application id, or telemetry
	Name      string // the id, or the name of the column if the id is not known
	Places    []Place

	text string // what a search looks at, in lower case
}

// Place is a column that has values of a metric, or a member of one.
type Place struct {
	Table  *schema.Table
	Column string // column of the table
	// Path names the column or member: metrics.counter.browser_engagement_uri_count. For events it is the column's name
	// with the id behind it: events.urlbar.engagement.
	Path string
	Type schema.Type // of the column or member
	Doc  string
}

// New returns the dictionary of these tables.
func New(tables []*schema.Table) *Dictionary {
	d := &Dictionary{byPlace: map[[2]string]*Entry{}}
	b := builder{d, map[[3]string]*Entry{}}
	for _, t := range tables {
		if t.Snapshots == nil {
			b.table(t)
		}
	}
	d.Entries = slices.SortedFunc(maps.Values(b.entries), func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Type, b.Type))
	})
	for _, e := range d.Entries {
		e.text = strings.ToLower(strings.Join(slices.Concat([]string{e.Namespace, e.Name, e.Type, e.Description}, e.columns()), " "))
	}
	return d
}

// columns returns the names of the columns without the structs that they are in.
func (e *Entry) columns() (names []string) {
	for _, p := range e.Places {
		if names = append(names, p.Path[strings.LastIndexByte(p.Path, '.')+1:]); e.Type == events {
			return nil
		}
	}
	return slices.Compact(names)
}

// Find returns the metric whose values are at a path of a table, and the place; nil if there is none.
func (d *Dictionary) Find(table, path string) (*Entry, *Place) {
	e := d.byPlace[[2]string{table, path}]
	if e == nil {
		return nil, nil
	}
	for i := range e.Places {
		if p := &e.Places[i]; p.Table.Name == table && p.Path == path {
			return e, p
		}
	}
	return nil, nil
}

// Has reports whether the entry, or the name of one of these pings, has each of the words, which are in lower case.
func (e *Entry) Has(words, pings []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !strings.Contains(e.text, w) && !slices.ContainsFunc(pings, func(p string) bool { return strings.Contains(p, w) })
	})
}

// events is the type of a metric whose values are events.
const events = "event"

// builder collects entries by namespace, name and type.
type builder struct {
	*Dictionary
	entries map[[3]string]*Entry
}

func (b *builder) table(t *schema.Table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Scalar != nil || c.Histogram != nil:
			m := legacy(c)
			b.add(ping.Telemetry, m.ID, m, Place{t, c.Name, c.Name, c.Type, c.Doc})
		default:
			b.members(t, c, c.Name, &c.Type)
		}
		for _, m := range c.Events {
			b.add(t.Namespace, m.ID, *m, Place{t, c.Name, c.Name + "." + m.ID, c.Type, m.Description})
		}
	}
}

// members adds the members of a struct that definitions have made.
func (b *builder) members(t *schema.Table, c *schema.Column, path string, typ *schema.Type) {
	for i := range typ.Fields {
		f := &typ.Fields[i]
		at := path + "." + f.Name
		if f.Metric != nil {
			b.add(t.Namespace, cmp.Or(f.Metric.ID, f.Name), *f.Metric, Place{t, c.Name, at, f.Type, f.Doc})
		} else if f.Type.Kind == schema.Struct {
			b.members(t, c, at, &f.Type)
		}
	}
}

func (b *builder) add(namespace, name string, m metric.Definition, p Place) {
	key := [3]string{namespace, name, m.Type}
	e := b.entries[key]
	if e == nil {
		e = &Entry{Definition: m, Namespace: namespace, Name: name}
		b.entries[key] = e
	}
	e.Places = append(e.Places, p)
	b.byPlace[[2]string{p.Table.Name, p.Path}] = e
}

// legacy returns the definition of a scalar or histogram of legacy telemetry.
func legacy(c *schema.Column) metric.Definition {
	m := metric.Definition{Pings: []string{"main"}}
	keyed := false
	if s := c.Scalar; s != nil {
		m.ID, m.Type, m.Description, keyed = s.Name, "scalar "+s.Kind.String(), s.Doc, s.Keyed
	} else {
		h := c.Histogram
		m.ID, m.Type, m.Description, keyed = h.Name, "histogram "+h.Kind.String(), h.Doc, h.Keyed
	}
	if keyed {
		m.Type = "keyed " + m.Type
	}
	return m
}
