package glean

import (
	"math"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// maxSeconds is the longest use between two pings that counts.
const maxSeconds = 100_000

// maxOffset is the largest number of seconds whose microseconds fit twice into 64 bits.
const maxOffset = math.MaxInt64 / 2_000_000

// Clients makes the rows of a table of clients and days from the rows of a ping's table.
type Clients struct {
	table *schema.Table
	key   []string // path of the client's id
	from  rows     // memory
}

// NewClients returns the transform of a table with a row for each client.
func NewClients(t *schema.Table) *Clients {
	c := &Clients{table: t}
	for i := range t.Columns {
		if t.Columns[i].Rule == schema.RuleKey && t.Columns[i].NotNull {
			c.key = sources(&t.Columns[i])[0]
		}
	}
	return c
}

// Day holds the inputs of a day's rows beside the pings.
type Day struct {
	Day  int32                         // since 1970-01-01
	Seen func(id []byte) (int32, bool) // the first day of a client, in lower case, after this day
	Skip func(id []byte) bool          // the client has no row; nil: each has one
}

// someClients is the number of clients whose rows are made column by column.
const someClients = 500

// AppendRows appends a row for each client to out, in the order of their samples and ids. in has the rows of all pings of these clients.
func (c *Clients) AppendRows(out, in *column.Batch, day *Day, row func() error) error {
	out.MaxText = maxText
	from := c.from.reset(in)
	g := from.byClient(from.text(c.key...), func(client *client) bool {
		if len(client.rows) > glean.MaxPings {
			out.LeaveOut(0)
			return false
		}
		return day.Skip == nil || !day.Skip(client.id)
	})
	var columns []fill
	for i := range c.table.Columns {
		if f := c.fill(g, i, day); f != nil {
			columns = append(columns, f)
		}
	}
	for lo := 0; lo < len(g.all); lo += someClients {
		at, hi := out.Rows, min(lo+someClients, len(g.all))
		for _, f := range columns {
			f(out, at, lo, hi)
		}
		out.Rows = at + hi - lo
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// fill sets a column of the rows of clients lo to hi, from row at on. It may change the number of rows of out.
type fill func(out *column.Batch, at, lo, hi int)

// fold sets a column of a client's row.
type fold func(out *column.Batch, client *client)

// each returns the fill that sets the rows one by one.
func (g *clients) each(f fold) fill {
	return func(out *column.Batch, at, lo, hi int) {
		for k := lo; k < hi; k++ {
			out.Rows = at + k - lo
			f(out, &g.all[k])
		}
	}
}

// fill returns how a column is computed; nil: it is null in all rows.
func (c *Clients) fill(g *clients, i int, day *Day) fill {
	col := &c.table.Columns[i]
	switch col.Rule {
	case schema.RulePartition:
		text := column.AppendDate(nil, day.Day)
		return func(out *column.Batch, at, lo, hi int) { column.SetText(out, i, at, hi-lo, text) }
	case schema.RuleKey:
		if col.Type.Kind == schema.Long {
			return g.longs(i, func(client *client) int64 { return client.sample })
		}
		return g.each(func(out *column.Batch, client *client) { out.SetBytes(i, client.id) })
	case glean.RuleSumOfDay:
		return g.longs(i, g.number(sources(col)[0]...).sum)
	case schema.RuleFunc:
		return g.computed(i, col.Name, day)
	}
	return g.chosen(i, col)
}

// longs returns the fill of a column of longs that are never null.
func (g *clients) longs(i int, value func(*client) int64) fill {
	values := make([]int64, 0, someClients)
	return func(out *column.Batch, at, lo, hi int) {
		values = values[:0]
		for k := lo; k < hi; k++ {
			values = append(values, value(&g.all[k]))
		}
		column.SetLongs(out, i, at, values)
	}
}

// sum adds the known values of a client; a sum over 64 bits is the largest value.
func (n number) sum(client *client) (sum int64) {
	for _, row := range client.rows {
		v, _ := n.value(row)
		switch {
		case v > 0 && sum > math.MaxInt64-v:
			sum = math.MaxInt64
		case v < 0 && sum < math.MinInt64-v:
			sum = math.MinInt64
		default:
			sum += v
		}
	}
	return sum
}

// computed returns the fill of a column that no rule computes.
func (g *clients) computed(i int, name string, day *Day) fill {
	switch name {
	case "first_run_date":
		return g.firstRun(i)
	case "days_seen_session_start_bits":
		return g.sessionBits(i, day, true)
	case "days_seen_session_end_bits":
		return g.sessionBits(i, day, false)
	case "first_seen_date":
		return func(out *column.Batch, at, lo, hi int) {
			for k, first := range g.seen(day)[lo:hi] {
				if out.Rows = at + k; first != noDay {
					out.SetInt(i, first)
				}
			}
		}
	case "is_new_profile":
		return func(out *column.Batch, at, lo, hi int) {
			for k, first := range g.seen(day)[lo:hi] {
				if out.Rows = at + k; first != noDay {
					out.SetBool(i, first == day.Day)
				}
			}
		}
	}
	return g.each(computed[name](g.rows, i, day))
}

// computed are the other columns that no rule computes, by name.
var computed = map[string]func(in *rows, i int, day *Day) fold{
	"durations": durations,
	"active_hours_sum": func(in *rows, i int, _ *Day) fold {
		ticks := in.number("metrics", "counter", "browser_engagement_active_ticks")
		return func(out *column.Batch, client *client) { out.SetDouble(i, float64(ticks.sum(client))/720) }
	},
	"is_active":          usageActive,
	"is_default_browser": usageDefault,
}
