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

// LastSeen makes the rows of clients seen in 28 days from the rows of the day and of the newest earlier day with pings.
type LastSeen struct {
	table *schema.Table
	day   int32 // since 1970-01-01
	gap   int32 // days since the earlier one
}

// NewLastSeen returns the transform for a day.
func NewLastSeen(t *schema.Table, day, gap int32) *LastSeen { return &LastSeen{t, day, gap} }

// AppendRows appends the rows in the order of the clients' ids. daily has the rows of the day, previous this table's
// rows of the earlier day.
func (s *LastSeen) AppendRows(out, daily, previous *column.Batch, row func() error) error {
	now, before := newRows(daily), newRows(previous)
	return s.append(out, s.pair(now, before), s.merged(now, before), row)
}

// pair prepares the columns that are made from a batch of each side.
func (s *LastSeen) pair(now, before *rows) *pair {
	p := &pair{now: now, before: before, patterns: s.patterns(now, before), values: make([][]int64, len(s.table.Columns))}
	for i, c := range s.table.Columns {
		switch {
		case strings.HasPrefix(c.Name, "days_since_"):
			p.since = append(p.since, [2]int{i, s.table.Index(c.Source)})
		case c.Rule == schema.RuleCopy && p.patterns[i] == nil:
			p.copies = append(p.copies, copied{i, column.Find(now.b, c.Name), column.Find(before.b, c.Name)})
		}
	}
	return p
}

// pair holds rows of the day and of the earlier one, and how columns are made from them.
type pair struct {
	now, before *rows
	patterns    []func(seen) int64
	values      [][]int64 // of the patterns in the rows at hand
	since       [][2]int  // columns with the lowest bit of a pattern, and that pattern
	copies      []copied
}

// append appends the rows of clients.
func (s *LastSeen) append(out *column.Batch, p *pair, clients []seen, row func() error) error {
	text := column.AppendDate(nil, s.day)
	day := slices.IndexFunc(s.table.Columns, func(c schema.Column) bool { return c.Rule == schema.RulePartition })
	for some := range slices.Chunk(clients, someClients) {
		at := out.Rows
		column.SetText(out, day, at, len(some), text)
		p.setPatterns(out, at, some)
		p.setCopies(out, at, some)
		out.Rows = at + len(some)
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// setPatterns sets the columns with patterns and those with their lowest bits, from row at on.
func (p *pair) setPatterns(out *column.Batch, at int, clients []seen) {
	for i, pattern := range p.patterns {
		if pattern == nil {
			continue
		}
		values := p.values[i][:0]
		for _, r := range clients {
			values = append(values, pattern(r))
		}
		p.values[i] = values
		column.SetLongs(out, i, at, values)
	}
	for _, c := range p.since {
		for k, v := range p.values[c[1]] {
			if v != 0 {
				out.Rows = at + k
				out.SetLong(c[0], int64(bits.TrailingZeros64(uint64(v))))
			}
		}
	}
}

// setCopies sets the columns of the day, or of the earlier one for a client that the day lacks, from row at on.
func (p *pair) setCopies(out *column.Batch, at int, clients []seen) {
	now, before := make([]int32, len(clients)), make([]int32, len(clients))
	for k, r := range clients {
		now[k], before[k] = int32(r.now), int32(r.before)
	}
	for _, c := range p.copies {
		column.Pick(out, out.Node(c.to), at,
			column.Picked{Index: p.now.Index, Node: c.daily, Rows: now}, column.Picked{Index: p.before.Index, Node: c.previous, Rows: before})
	}
}

// copied is a column that is the same in rows of the table, of the day, and of the day before; nil: not there.
type copied struct {
	to              int
	daily, previous *column.Node
}

func indexOfColumn(b *column.Batch, name string) int {
	return slices.IndexFunc(b.Columns, func(c schema.Column) bool { return c.Name == name })
}

// seen is a client with its rows of the day and of the day before; -1: none.
type seen struct {
	id          []byte
	now, before int
}

// merged returns the clients of both batches in the order of their ids, but for those whose pattern has become empty.
func (s *LastSeen) merged(now, before *rows) (all []seen) {
	rows := map[string]int{}
	id := now.text(s.table.Key())
	for row := range now.Rows() {
		if v := id.value(row); v != nil {
			rows[string(v)] = len(all)
			all = append(all, seen{v, row, -1})
		}
	}
	id, pattern := before.text(s.table.Key()), before.number(seenBits)
	for row := range before.Rows() {
		v := id.value(row)
		if p, _ := pattern.value(row); v == nil || s.shifted(p) == 0 {
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

// seenBits is the pattern of the days on which a client was seen: without it, it has no row.
const seenBits = "days_seen_bits"

// shifted returns a pattern as many days later as there are between the days.
func (s *LastSeen) shifted(pattern int64) int64 {
	if s.gap >= 28 {
		return 0
	}
	return pattern << s.gap & window
}

// patterns returns how the columns with patterns are computed; nil for other columns.
func (s *LastSeen) patterns(now, before *rows) []func(seen) int64 {
	all := make([]func(seen) int64, len(s.table.Columns))
	for i, c := range s.table.Columns {
		today := s.today(c, now)
		if today == nil {
			continue
		}
		old := before.number(c.Name)
		all[i] = func(r seen) (v int64) {
			if r.before >= 0 {
				p, _ := old.value(r.before)
				v = s.shifted(p)
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
func (s *LastSeen) today(c schema.Column, now *rows) func(row int) int64 {
	pages, ticks := now.number("browser_engagement_uri_count"), now.number("browser_engagement_active_ticks")
	positive := func(n number, row int) bool {
		v, _ := n.value(row)
		return v > 0
	}
	if c.Source == "" {
		return nil
	}
	switch c.Name {
	case "days_seen_bits":
		return func(int) int64 { return 1 }
	case "days_active_bits":
		d, is := now.number("durations"), now.boolean("is_active")
		return func(row int) int64 { return bit(positive(d, row) || is(row)) }
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
			if age := int64(s.day) - int64(now.b.Leaves[n.Leaf].Ints[at]); age >= 0 && age <= created {
				return 1 << age
			}
			return 0
		}
	case "days_seen_session_start_bits", "days_seen_session_end_bits":
		n := now.number(c.Name)
		return func(row int) int64 {
			v, _ := n.value(row)
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
