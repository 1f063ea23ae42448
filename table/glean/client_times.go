package glean

import (
	"math"

	times "github.com/pingmill/pingmill/ping/glean"
	"github.com/pingmill/pingmill/table/column"
)

// noDay is the first day of a client that has none.
const noDay = math.MinInt32

// seen returns the first day of each client.
func (g *clients) seen(day *Day) []int32 {
	if g.first == nil {
		g.first = make([]int32, len(g.all))
		for n := range g.all {
			g.first[n] = noDay
			if first, ok := day.Seen(g.all[n].id); ok {
				g.first[n] = first
			}
		}
	}
	return g.first
}

// firstRun returns the fill of the earliest day in the first 10 characters of a text.
func (g *clients) firstRun(i int) fill {
	info, usage := g.text("client_info", "first_run_date"), g.text("metrics", "datetime", "raw_usage_first_run_date")
	days := make([]int32, len(g.all))
	for n := range days {
		days[n] = math.MaxInt32
	}
	for row, n := range g.owner {
		if n < 0 {
			continue
		}
		text := info.value(row)
		if text == nil {
			text = usage.value(row)
		}
		if len(text) < 10 {
			continue
		}
		if day, ok := times.Date(text[:10]); ok {
			days[n] = min(days[n], day)
		}
	}
	return func(out *column.Batch, at, lo, hi int) {
		for k, day := range days[lo:hi] {
			if day != math.MaxInt32 {
				out.Rows = at + k
				out.SetInt(i, day)
			}
		}
	}
}

// sessionBits returns the fill of the days on which sessions began or ended: bit k is k days before the day.
func (g *clients) sessionBits(i int, day *Day, begin bool) fill {
	end, d := g.text("ping_info", "end_time"), g.duration()
	all := make([]int64, len(g.all))
	for row, n := range g.owner {
		if n < 0 {
			continue
		}
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
			all[n] |= 1 << offset
		}
	}
	return func(out *column.Batch, at, lo, hi int) {
		for k, bits := range all[lo:hi] {
			if bits != 0 {
				out.Rows = at + k
				out.SetLong(i, bits)
			}
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
