package quality

import (
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Metric is a number that each day has.
type Metric struct {
	Measure Measure `json:"measure"`
	Column  string  `json:"column,omitempty"` // or a member: the name of a profile's column
	Value   string  `json:"value,omitempty"`
}

// Measure names the property of a column that a metric measures.
type Measure string

// The measures.
const (
	Rows     Measure = "rows"
	Clients  Measure = "clients"
	Bytes    Measure = "bytes"    // of a row
	Known    Measure = "known"    // share of rows that are not null
	Empty    Measure = "empty"    // share of rows with an empty list
	Repeated Measure = "repeated" // share of rows that repeat a document
	Typical  Measure = "typical"  // median of numbers, or of sizes
	Having   Measure = "having"   // share of rows with a value
)

// sample is the number of a metric on a day.
type sample struct {
	x      float64
	n      float64 // of shares: how many independent things it is a share of
	most   float64 // of the share of a value that is not listed: it may be up to this
	lo, hi float64 // of numbers: between which the half of them is
}

// sample returns the number of the metric in a profile, if it has one.
func (m *Metric) sample(p *indexed) (s sample, ok bool) {
	if p == nil || p.Rows == 0 && m.Measure != Rows && m.Measure != Clients {
		return s, false
	}
	switch m.Measure {
	case Rows:
		return sample{x: float64(p.Rows)}, true
	case Clients:
		return sample{x: float64(p.Clients)}, true
	case Bytes:
		return sample{x: float64(p.Bytes) / float64(p.Rows)}, p.Rows >= leastRows
	}
	c := p.column(m.Column)
	if c == nil {
		return s, false
	}
	read := float64(p.Read)
	s.n = p.independent()
	switch m.Measure {
	case Known:
		s.x = 1 - float64(c.Nulls)/read
	case Empty:
		s.x = float64(c.Empty) / read
		return s, c.Kind == Lists
	case Repeated:
		s.x = float64(c.Repeated) / read
		return s, c.Kind == Documents
	case Typical:
		if c.Numbers == nil || read-float64(c.Nulls) < leastNumbers {
			return s, false
		}
		q := c.Numbers.Quantiles
		s.n *= 1 - float64(c.Nulls)/read
		s.x, s.lo, s.hi = q[2], q[1], q[3]
	case Having:
		if c.values == nil {
			return s, false
		}
		n, listed := c.values[m.Value]
		if s.x = float64(n) / read; !listed {
			s.most = float64(max(c.Least, leastClients-1)) / read
		}
	}
	return s, true
}

// How many numbers there must be for their median to mean something, and rows for the bytes of one.
const (
	leastNumbers = 50
	leastRows    = 1000 // of a partition: the footers of its files take as many bytes as hundreds of rows
)

// indexed is a profile whose columns can be found by name.
type indexed struct {
	*Profile
	columns map[string]*indexedColumn
}

type indexedColumn struct {
	*Column
	values map[string]int64 // rows; nil: none are counted
}

func index(p *Profile) *indexed {
	if p == nil {
		return nil
	}
	in := &indexed{p, make(map[string]*indexedColumn, len(p.Columns))}
	for i := range p.Columns {
		c := &indexedColumn{Column: &p.Columns[i]}
		if c.Kind == Values || c.Kind == Lists || c.Kind == Numbers && len(c.Top) > 0 {
			c.values = make(map[string]int64, len(c.Top))
			for _, v := range c.Top {
				c.values[v.Value] = v.Rows
			}
		}
		in.columns[c.Name] = c
	}
	return in
}

func (p *indexed) column(name string) *indexedColumn { return p.columns[name] }

// independent returns the number of independent observations in the rows read: rows of one client resemble each other.
func (p *indexed) independent() float64 {
	n := float64(p.Clients)
	if p.Rows > 0 {
		n *= float64(p.Read) / float64(p.Rows)
	}
	return max(n, 1)
}

// metricsOf returns the metrics of two profiles, in the order of the newer one's columns: of a column that only one of
// them has there are none.
func metricsOf(p, before *indexed) (all []Metric) {
	all = append(all, Metric{Measure: Rows}, Metric{Measure: Bytes})
	if c := p.ClientColumn(); c != "" {
		all = append(all, Metric{Measure: Clients, Column: c})
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		was := before.column(c.Name)
		if was == nil || was.Kind != c.Kind {
			continue
		}
		all = append(all, MetricsOf(c)...)
		now := p.column(c.Name)
		for _, v := range was.Top {
			if _, listed := now.values[v.Value]; !listed {
				all = append(all, Metric{Having, c.Name, v.Value})
			}
		}
	}
	return all
}

// MetricsOf returns the metrics of one column.
func MetricsOf(c *Column) (all []Metric) {
	for _, m := range measures[c.Kind] {
		all = append(all, Metric{Measure: m, Column: c.Name})
	}
	for _, v := range c.Top {
		all = append(all, Metric{Having, c.Name, v.Value})
	}
	return all
}

// ClientColumn returns the column with the client of a row, "" if there is none.
func (p *Profile) ClientColumn() string {
	for _, c := range p.Columns {
		if c.Column == "" && schema.NatureOf(c.Name) == schema.Client {
			return c.Name
		}
	}
	return ""
}

// measures lists the measures for each kind of column, beside the shares of values.
var measures = map[Kind][]Measure{
	Values: {Known}, Numbers: {Known, Typical}, Lists: {Known, Empty, Typical}, Documents: {Known, Repeated}, Others: {Known},
}

// TableColumn returns the column of the table that a metric is about; "" for the whole partition. A person without the
// right to read it must not see the metric.
func (m *Metric) TableColumn() string {
	column, _, _ := strings.Cut(m.Column, ".")
	return column
}
