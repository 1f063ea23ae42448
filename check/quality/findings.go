package quality

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// finding returns an odd metric.
func (m *Metric) finding(v verdict) Finding {
	f := Finding{Metric: *m, Now: v.now, Usual: &v.usual, Yesterday: v.yesterday, Week: v.week}
	f.Rule = m.rule(*v.now, v.usual, v.before.n)
	f.Score = int(v.score*weightOf(f.Rule) + 0.5)
	return f
}

func weightOf(r Rule) float64 {
	for _, k := range Rules {
		if k.Rule == r {
			return k.Weight
		}
	}
	return 0
}

// rule returns the rule that names a change.
func (m *Metric) rule(now, before, n float64) Rule {
	none := func(share float64) bool { return share < 0.002 || share*n < 1 }
	switch m.Measure {
	case Rows:
		return RowsJump
	case Clients:
		return ClientJump
	case Bytes:
		return BytesJump
	case Known:
		switch {
		case none(now):
			return WentNull
		case none(before):
			return CameAlive
		}
		return NullsMoved
	case Empty:
		return EmptyMoved
	case Repeated:
		return Repeats
	case Typical:
		return Moved
	}
	switch {
	case now == 0:
		return Vanished
	case before == 0:
		return NewValue
	case now < before:
		return Fewer
	}
	return More
}

// checks returns a finding for each failed check.
func (c *comparison) checks(p *indexed) (found []Finding) {
	for i := range p.Checks {
		k := &p.Checks[i]
		score := map[string]int{"error": 98, "warning": 55}[k.Severity]
		if (k.Verdict == "failed" || k.Verdict == "broken") && k.Visible(c.keep) {
			found = append(found, Finding{Rule: Failed, Score: score, Metric: Metric{Measure: Rows, Value: k.Name}, Text: k.text()})
		}
	}
	return found
}

// Visible reports whether a reader of some columns may see the result of a check. keep("*") reports whether
// these are all columns of all tables.
func (k *Check) Visible(keep func(column string) bool) bool {
	if k.Own {
		return keep(Everything)
	}
	return !slices.ContainsFunc(k.Columns, func(c string) bool { return !keep(c) })
}

// Everything stands for all columns of all tables.
const Everything = "*"

// rank puts the odd ones on top, each with those that are probably of the same cause.
func (c *comparison) rank(all []Finding, p *indexed) []Finding {
	place := map[string]int{}
	for i := range p.Columns {
		place[p.Columns[i].Name] = i
	}
	for i := range all {
		f := &all[i]
		f.Score = int(float64(f.Score)*c.matters(f, p) + 0.5)
	}
	causes(all)
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(place[a.Column], place[b.Column]), strings.Compare(a.Value, b.Value))
	})
	var selected []Finding
	for _, f := range all {
		if f.Score < leastScore {
			continue
		}
		at := slices.IndexFunc(selected, func(k Finding) bool { return k.resembles(&f) })
		if at < 0 {
			selected = append(selected, f)
			continue
		}
		selected[at].Like = append(selected[at].Like, f.Metric)
	}
	return selected
}

// causes gives nulls and empty lists at least the score of what follows from them: that the column has lost its values.
func causes(all []Finding) {
	measures := func(f *Finding, m ...Measure) bool { return slices.Contains(m, f.Measure) && f.Column != "" }
	follows := map[[2]string]int{}
	for i := range all {
		if f := &all[i]; measures(f, Having, Typical) {
			key := [2]string{f.Column, f.Since}
			follows[key] = max(follows[key], f.Score)
		}
	}
	for i := range all {
		if f := &all[i]; measures(f, Known, Empty) {
			f.Score = max(f.Score, min(follows[[2]string{f.Column, f.Since}]+1, 100))
		}
	}
}

// matters returns the weight of a changed metric: less for columns that few people query, for sizes of lists,
// whose elements are more informative, and for versions, which change often.
func (c *comparison) matters(f *Finding, p *indexed) float64 {
	weight := 1.0
	if t := c.table.Schema; len(t.Narrow) > 0 && f.Column != "" && !slices.Contains(t.Narrow, f.TableColumn()) {
		weight *= 0.9
	}
	if k := p.column(f.Column); k != nil && k.Kind == Lists && f.Measure == Typical {
		weight *= 0.7
	}
	if f.Measure == Having && natureOf(f.Column) == schema.Release {
		weight *= 0.6
	}
	return weight
}

// resembles reports whether two changes are probably one: of as many rows in the same direction, of the values of a
// column that went null, or of clients and their rows.
func (f *Finding) resembles(o *Finding) bool {
	if f.Now == nil || o.Now == nil || f.Since != o.Since {
		return false
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.15*max(a, b)+0.002 }
	switch pair := [2]Measure{f.Measure, o.Measure}; pair {
	case [2]Measure{Known, Known}, [2]Measure{Having, Having}:
		return near(*f.Now, *o.Now) && near(*f.Usual, *o.Usual)
	case [2]Measure{Known, Having}, [2]Measure{Known, Typical}, [2]Measure{Known, Empty}, [2]Measure{Empty, Having},
		[2]Measure{Empty, Typical}:
		return f.Column == o.Column
	case [2]Measure{Rows, Clients}:
		return near(*f.Now / *f.Usual, *o.Now / *o.Usual)
	}
	return false
}
