package glean

import (
	"bytes"
	"math"

	times "github.com/pingmill/pingmill/ping/glean"
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
	from := newRows(in)
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
		return g.each(computed[col.Name](g.rows, i, day))
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

// computed are the columns that no rule computes, by name.
var computed = map[string]func(in *rows, i int, day *Day) fold{
	"first_run_date":               firstRun,
	"durations":                    durations,
	"days_seen_session_start_bits": func(in *rows, i int, day *Day) fold { return sessionBits(in, i, day, true) },
	"days_seen_session_end_bits":   func(in *rows, i int, day *Day) fold { return sessionBits(in, i, day, false) },
	"first_seen_date": func(_ *rows, i int, day *Day) fold {
		return func(out *column.Batch, client *client) {
			if first, ok := day.Seen(client.id); ok {
				out.SetInt(i, first)
			}
		}
	},
	"is_new_profile": func(_ *rows, i int, day *Day) fold {
		return func(out *column.Batch, client *client) {
			if first, ok := day.Seen(client.id); ok {
				out.SetBool(i, first == day.Day)
			}
		}
	},
	"active_hours_sum": func(in *rows, i int, _ *Day) fold {
		ticks := in.number("metrics", "counter", "browser_engagement_active_ticks")
		return func(out *column.Batch, client *client) { out.SetDouble(i, float64(ticks.sum(client))/720) }
	},
	"is_active":          usageActive,
	"is_default_browser": usageDefault,
}

// firstRun returns the earliest day in the first 10 characters of a text.
func firstRun(in *rows, i int, _ *Day) fold {
	info, usage := in.text("client_info", "first_run_date"), in.text("metrics", "datetime", "raw_usage_first_run_date")
	return func(out *column.Batch, client *client) {
		first, found := int32(0), false
		var last []byte
		for _, row := range client.rows {
			text := info.value(row)
			if text == nil {
				text = usage.value(row)
			}
			if len(text) < 10 || bytes.Equal(text, last) {
				continue
			}
			if day, ok := times.Date(text[:10]); ok && (!found || day < first) {
				first, found = day, true
			}
			last = text
		}
		if found {
			out.SetInt(i, first)
		}
	}
}

// seconds are the nanoseconds of the units of a timespan.
var units = map[string]int64{
	"nanosecond": 1, "microsecond": 1e3, "millisecond": 1e6, "second": 1e9, "minute": 60e9, "hour": 3600e9, "day": 86400e9,
}

// duration is the time in use in a ping.
type duration struct {
	unit  text
	value number
}

func (in *rows) duration() duration {
	return duration{
		in.text("metrics", "timespan", "glean_baseline_duration", "time_unit"),
		in.number("metrics", "timespan", "glean_baseline_duration", "value"),
	}
}

// seconds returns the seconds of a ping, rounded down, if it has them.
func (d duration) seconds(row int) (seconds int64, ok bool) {
	v, ok := d.value.value(row)
	if !ok {
		return 0, false
	}
	unit := units[string(d.unit.value(row))]
	if unit == 0 {
		return 0, false
	}
	if unit <= 1e9 {
		return floorDiv(v, 1e9/unit), true
	}
	if per := unit / 1e9; v > math.MaxInt64/per || v < math.MinInt64/per {
		return math.MaxInt64, true
	} else {
		return v * per, true
	}
}

func durations(in *rows, i int, _ *Day) fold {
	d := in.duration()
	return func(out *column.Batch, client *client) {
		sum := int64(0)
		for _, row := range client.rows {
			if s, ok := d.seconds(row); ok && s >= 0 && s <= maxSeconds {
				sum += s
			}
		}
		out.SetLong(i, sum)
	}
}

// sessionBits returns the days on which sessions began or ended: bit k is k days before the day.
func sessionBits(in *rows, i int, day *Day, begin bool) fold {
	end, d := in.text("ping_info", "end_time"), in.duration()
	return func(out *column.Batch, client *client) {
		bits := int64(0)
		for _, row := range client.rows {
			var seconds int64
			if begin {
				var ok bool
				if seconds, ok = d.seconds(row); !ok || seconds >= maxOffset || seconds <= -maxOffset {
					continue
				}
			}
			micros, ok := times.Time(end.value(row))
			micros -= seconds * 1e6
			if offset := int64(day.Day) - floorDiv(micros, 86400e6); ok && offset >= 0 && offset < 28 {
				bits |= 1 << offset
			}
		}
		if bits != 0 {
			out.SetLong(i, bits)
		}
	}
}
