package presto

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// windowNames returns the windows of the WINDOW clause.
func (t *translator) windowNames(s *syntax.Select) map[string]*syntax.WindowSpec {
	windows := map[string]*syntax.WindowSpec{}
	for _, w := range s.Windows {
		if windows[w.Name.Key()] != nil {
			t.fail(w.Name, "", "WINDOW has %s twice", w.Name.Name)
		}
		windows[w.Name.Key()] = t.extended(windows, w.Spec)
	}
	return windows
}

// extended returns a window with what it takes from the one that it names.
func (t *translator) extended(windows map[string]*syntax.WindowSpec, w *syntax.WindowSpec) *syntax.WindowSpec {
	if w.Base == nil {
		return w
	}
	base := windows[w.Base.Key()]
	switch {
	case base == nil:
		t.fail(w.Base, "", "there is no window %s", w.Base.Name)
	case len(w.PartitionBy) > 0:
		t.fail(w, "", "a window that extends %s has no PARTITION BY", w.Base.Name)
	case len(w.OrderBy) > 0 && len(base.OrderBy) > 0:
		t.fail(w, "", "window %s has an ORDER BY already", w.Base.Name)
	case base.Frame != nil:
		t.fail(w, "", "window %s has a frame: it cannot be extended", w.Base.Name)
	}
	full := *w
	full.Base, full.PartitionBy = nil, base.PartitionBy
	if len(w.OrderBy) == 0 {
		full.OrderBy = base.OrderBy
	}
	return &full
}

// over writes a window, in brackets.
func (t *translator) over(s *Scope, o *syntax.Over) string {
	w := o.Spec
	if o.Name != nil {
		if w = s.Window[o.Name.Key()]; w == nil {
			t.fail(o.Name, "", "there is no window %s", o.Name.Name)
		}
	}
	w = t.extended(s.Window, w)
	inner := *s
	inner.Windows, inner.Clause = false, "window"
	var parts []string
	if len(w.PartitionBy) > 0 {
		keys := make([]string, len(w.PartitionBy))
		for i, e := range w.PartitionBy {
			x := t.expr(&inner, e)
			if !x.Type.Comparable() {
				t.fail(e, "", "%s has no =, which PARTITION BY needs", x.Type)
			}
			keys[i] = t.key(x)
		}
		parts = append(parts, "PARTITION BY "+strings.Join(keys, ", "))
	}
	if len(w.OrderBy) > 0 {
		parts = append(parts, "ORDER BY "+t.sortItems(&inner, w.OrderBy))
	}
	if w.Frame != nil {
		parts = append(parts, t.frame(&inner, w))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

var frameUnits = map[syntax.FrameUnit]string{syntax.FrameRange: "RANGE", syntax.FrameRows: "ROWS", syntax.FrameGroups: "GROUPS"}

// frame writes the frame of a window.
func (t *translator) frame(s *Scope, w *syntax.WindowSpec) string {
	f := w.Frame
	end := syntax.Bound{Span: f.Span, Kind: syntax.CurrentRow}
	if f.End != nil {
		end = *f.End
	}
	switch {
	case f.Begin.Kind == syntax.UnboundedFollowing:
		t.fail(f.Begin, "", "a frame cannot begin with UNBOUNDED FOLLOWING")
	case end.Kind == syntax.UnboundedPreceding:
		t.fail(end, "", "a frame cannot end with UNBOUNDED PRECEDING")
	case f.Begin.Kind > end.Kind:
		t.fail(f, "", "the frame ends before it begins")
	case f.Unit == syntax.FrameGroups && len(w.OrderBy) == 0:
		t.fail(f, "", "GROUPS needs ORDER BY")
	}
	return frameUnits[f.Unit] + " BETWEEN " + t.bound(s, w, f.Begin) + " AND " + t.bound(s, w, end)
}

func (t *translator) bound(s *Scope, w *syntax.WindowSpec, b syntax.Bound) string {
	word := map[syntax.BoundKind]string{
		syntax.UnboundedPreceding: "UNBOUNDED PRECEDING", syntax.Preceding: "PRECEDING", syntax.CurrentRow: "CURRENT ROW",
		syntax.Following: "FOLLOWING", syntax.UnboundedFollowing: "UNBOUNDED FOLLOWING",
	}[b.Kind]
	if b.Expr == nil {
		return word
	}
	x := t.expr(s, b.Expr)
	if w.Frame.Unit != syntax.FrameRange {
		if !x.Type.Whole() {
			t.fail(b, "", "a frame of ROWS or GROUPS takes whole numbers, not %s", x.Type)
		}
		return x.SQL + " " + word
	}
	if len(w.OrderBy) != 1 {
		t.fail(b, "", "RANGE with a value needs ORDER BY with one expression")
	}
	key := t.expr(s, w.OrderBy[0].Expr)
	return t.distance(b, key, x) + " " + word
}

// distance translates the offset of RANGE to a value that DuckDB adds to the sort key.
func (t *translator) distance(at syntax.Node, key, x Expr) string {
	switch {
	case key.Type.Numeric() && x.Type.Numeric():
		if !types.Coerces(x.Type, key.Type) {
			t.fail(at, "", "RANGE of %s does not fit the %s that is sorted by", x.Type, key.Type)
		}
		return t.coerce(x, key.Type).SQL
	case key.Type.Is(types.Date, types.Timestamp) && x.Type.Kind == types.IntervalDay:
		return "to_milliseconds(" + x.SQL + ")"
	case key.Type.Is(types.Date, types.Timestamp) && x.Type.Kind == types.IntervalYear:
		return "to_months(CAST(" + x.SQL + " AS INTEGER))"
	}
	t.refuse(at, "", "RANGE of %s over %s is not supported", x.Type, key.Type)
	return ""
}
