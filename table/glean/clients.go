package glean

import (
	"math"
	"slices"

	"github.com/pingmill/pingmill/ping"
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

// AppendRows appends a row for each client to out, in the order of their samples and ids. in has the rows of all pings
// of these clients.
func (c *Clients) AppendRows(out, in *column.Batch, day *Day, row func() error) error {
	out.MaxText = maxText
	from := newRows(in)
	folds := make([]fold, len(c.table.Columns))
	for i := range c.table.Columns {
		folds[i] = c.fold(from, i, day)
	}
	for _, client := range from.byClient(from.text(c.key...)) {
		switch {
		case len(client.rows) > glean.MaxPings:
			out.LeaveOut(0)
			continue
		case day.Skip != nil && day.Skip(client.id):
			continue
		}
		for _, f := range folds {
			f(out, &client)
		}
		out.EndRow()
		if err := row(); err != nil {
			return err
		}
	}
	return nil
}

// fold sets a column of a client's row.
type fold func(out *column.Batch, of *client)

// fold returns how a column is computed.
func (c *Clients) fold(in *rows, i int, day *Day) fold {
	col := &c.table.Columns[i]
	switch col.Rule {
	case schema.RulePartition:
		text := column.AppendDate(nil, day.Day)
		return func(out *column.Batch, _ *client) { out.SetBytes(i, text) }
	case schema.RuleKey:
		if col.Type.Kind == schema.Long {
			return func(out *column.Batch, client *client) { out.SetLong(i, ping.SampleOf(client.id)) }
		}
		return func(out *column.Batch, client *client) { out.SetBytes(i, client.id) }
	case glean.RuleSumOfDay:
		n := in.number(sources(col)[0]...)
		return func(out *column.Batch, client *client) { out.SetLong(i, n.sum(client)) }
	case schema.RuleFunc:
		return computed[col.Name](in, i, day)
	}
	return chosen(in, i, col)
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
		for _, row := range client.rows {
			text := info.value(row)
			if text == nil {
				text = usage.value(row)
			}
			if len(text) < 10 {
				continue
			}
			if day, ok := column.ParseDate(string(text[:10])); ok && (!found || day < first) {
				first, found = day, true
			}
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
	return duration{in.text("metrics", "timespan", "glean_baseline_duration", "time_unit"), in.number("metrics", "timespan", "glean_baseline_duration", "value")}
}

// seconds returns the seconds of a ping, rounded down, if it has them.
func (d duration) seconds(row int) (seconds int64, ok bool) {
	v, ok := d.value.value(row)
	unit := units[string(d.unit.value(row))]
	if !ok || unit == 0 {
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
			micros, ok := times.Time(end.value(row))
			if begin && ok {
				var seconds int64
				if seconds, ok = d.seconds(row); ok {
					ok = seconds < maxOffset && seconds > -maxOffset
					micros -= seconds * 1e6
				}
			}
			if offset := int64(day.Day) - floorDiv(micros, 86400e6); ok && offset >= 0 && offset < 28 {
				bits |= 1 << offset
			}
		}
		if bits != 0 {
			out.SetLong(i, bits)
		}
	}
}

// DayNumber returns the days from 1970-01-01 to a day written YYYY-MM-DD or YYYYMMDD.
func DayNumber(day string) (int32, bool) {
	if len(day) == 8 {
		day = day[:4] + "-" + day[4:6] + "-" + day[6:]
	}
	return column.ParseDate(day)
}

// usageDefault returns true if the most frequent value is; a missing one counts as false.
func usageDefault(in *rows, i int, _ *Day) fold {
	yes := in.boolean("metrics", "boolean", "usage_is_default_browser")
	return func(out *column.Batch, client *client) {
		var count, last [2]int
		for k, row := range client.rows {
			is := int(bit(yes(row)))
			count[is]++
			last[is] = k
		}
		out.SetBool(i, count[1] > count[0] || count[1] == count[0] && last[1] > last[0])
	}
}

// usageActive reports whether the profile was used: by pages and ticks on desktop, by durations elsewhere.
func usageActive(in *rows, i int, _ *Day) fold {
	pages, ticks := in.number("metrics", "counter", "browser_engagement_uri_count"), in.number("metrics", "counter", "browser_engagement_active_ticks")
	if pages.leaf < 0 || ticks.leaf < 0 {
		d := in.duration()
		return func(out *column.Batch, client *client) {
			out.SetBool(i, slices.ContainsFunc(client.rows, func(row int) bool {
				s, ok := d.seconds(row)
				return ok && s > 0 && s <= maxSeconds
			}))
		}
	}
	return func(out *column.Batch, client *client) {
		out.SetBool(i, pages.sum(client) > 0 && ticks.sum(client) > 0)
	}
}
