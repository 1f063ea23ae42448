package glean

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// window is the mask of a pattern: 28 days.
const window = 1<<28 - 1

// created is the largest age in days of a profile that counts as created.
const created = 6

// LastSeen makes the rows of the clients that were seen in 28 days from those of the day and those of the day before.
type LastSeen struct{ table *schema.Table }

// NewLastSeen returns the transform.
func NewLastSeen(t *schema.Table) *LastSeen { return &LastSeen{t} }

// Make appends the rows in the order of the clients' ids. daily has the rows of the day, previous those of this table of
// the day before.
func (s *LastSeen) Make(out, daily, previous *column.Batch, day int32, row func() error) error {
	now, before := newRows(daily), newRows(previous)
	of := merged(now, before)
	text := column.AppendDate(nil, day)
	patterns := s.patterns(now, before, day)
	var copies []copied
	for i, c := range s.table.Columns {
		if c.Rule == schema.RuleCopy && patterns[i] == nil {
			copies = append(copies, copied{i, indexOfColumn(daily, c.Name), indexOfColumn(previous, c.Name)})
		}
	}
	for _, r := range of {
		values := map[string]int64{}
		for i, c := range s.table.Columns {
			switch {
			case c.Rule == schema.RulePartition:
				out.SetBytes(i, text)
			case patterns[i] != nil:
				values[c.Name] = patterns[i](r)
				out.SetLong(i, values[c.Name])
			case strings.HasPrefix(c.Name, "days_since_"):
				if v := values[c.Source]; v != 0 {
					out.SetLong(i, int64(bits.TrailingZeros64(uint64(v))))
				}
			}
		}
		for _, c := range copies {
			switch {
			case r.now >= 0 && c.daily >= 0:
				now.Copy(out, c.to, c.daily, r.now)
			case r.now < 0 && c.previous >= 0:
				before.Copy(out, c.to, c.previous, r.before)
			}
		}
		out.EndRow()
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// copied is a column that is the same in rows of the table, of the day, and of the day before; -1: not there.
type copied struct{ to, daily, previous int }

func indexOfColumn(b *column.Batch, name string) int {
	return slices.IndexFunc(b.Columns, func(c schema.Column) bool { return c.Name == name })
}

// seen is a client with its row of the day and that of the day before; -1: none.
type seen struct {
	id          []byte
	now, before int
}

// merged returns the clients of both batches in the order of their ids, but for those whose pattern has become empty.
func merged(now, before *rows) (all []seen) {
	rows := map[string]int{}
	id := now.text("client_id")
	for row := range now.Rows() {
		if v := id.of(row); v != nil {
			rows[string(v)] = len(all)
			all = append(all, seen{v, row, -1})
		}
	}
	id, pattern := before.text("client_id"), before.number("days_seen_bits")
	for row := range before.Rows() {
		v := id.of(row)
		if p, _ := pattern.of(row); v == nil || shifted(p) == 0 {
			continue
		}
		if at, ok := rows[string(v)]; ok {
			all[at].before = row
		} else {
			all = append(all, seen{v, -1, row})
		}
	}
	slices.SortFunc(all, func(a, b seen) int { return bytes.Compare(a.id, b.id) })
	return all
}

// shifted returns a pattern a day later.
func shifted(pattern int64) int64 { return pattern << 1 & window }

// patterns returns how the columns with patterns are computed; nil for other columns.
func (s *LastSeen) patterns(now, before *rows, day int32) []func(seen) int64 {
	all := make([]func(seen) int64, len(s.table.Columns))
	for i, c := range s.table.Columns {
		today := s.today(c, now, day)
		if today == nil {
			continue
		}
		old := before.number(c.Name)
		all[i] = func(r seen) (v int64) {
			if r.before >= 0 {
				p, _ := old.of(r.before)
				v = shifted(p)
			}
			if r.now >= 0 {
				v |= today(r.now)
			}
			return v
		}
	}
	return all
}

// today returns the bits of a row of the day; nil for a column that is no pattern, or always null.
func (s *LastSeen) today(c schema.Column, now *rows, day int32) func(row int) int64 {
	pages, ticks := now.number("browser_engagement_uri_count"), now.number("browser_engagement_active_ticks")
	positive := func(n number, row int) bool {
		v, _ := n.of(row)
		return v > 0
	}
	if c.Source == "" {
		return nil
	}
	switch c.Name {
	case "days_seen_bits":
		return func(int) int64 { return 1 }
	case "days_active_bits":
		d := now.number("durations")
		return func(row int) int64 { return bit(positive(d, row)) }
	case "days_desktop_active_bits":
		return func(row int) int64 { return bit(positive(pages, row) && positive(ticks, row)) }
	case "days_interacted_bits":
		return func(row int) int64 { return bit(positive(ticks, row)) }
	case "days_visited_1_uri_bits":
		return func(row int) int64 { return bit(positive(pages, row)) }
	case "days_created_profile_bits":
		n := column.Find(now.b, "first_run_date")
		return func(row int) int64 {
			if n == nil {
				return 0
			}
			at, ok := now.Has(n.Leaf, row)
			if !ok {
				return 0
			}
			if age := int64(day) - int64(now.b.Leaves[n.Leaf].Ints[at]); age >= 0 && age <= created {
				return 1 << age
			}
			return 0
		}
	case "days_seen_session_start_bits", "days_seen_session_end_bits":
		n := now.number(c.Name)
		return func(row int) int64 {
			v, _ := n.of(row)
			return v & window
		}
	}
	return nil
}

func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
