package timing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cron is a parsed cron text: the values of each field, as bits, and whether it is a * of all values.
type cron [5]struct {
	bits uint64
	all  bool
}

// field is a field of cron text.
type field struct {
	low, high int
	names     string // of the values from low on, three letters each
}

// Indexes in fields and cron.
const (
	minute = iota
	hour
	dayOfMonth
	month
	dayOfWeek
)

var fields = [5]field{
	{high: 59}, {high: 23}, {low: 1, high: 31},
	{low: 1, high: 12, names: "janfebmaraprmayjunjulaugsepoctnovdec"},
	{high: 6, names: "sunmontuewedthufrisat"},
}

// shorthands are names of cron texts.
var shorthands = map[string]string{
	"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
	"@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
}

// parseCron parses five fields: minute, hour, day of the month, month, day of the week. Each has values, ranges such as
// 1-5 and steps such as */2, with commas between them.
func parseCron(text string) (c cron, err error) {
	if full := shorthands[text]; full != "" {
		text = full
	}
	words := strings.Fields(text)
	if len(words) != len(fields) {
		return c, fmt.Errorf("it has %d fields instead of %d", len(words), len(fields))
	}
	for i, f := range fields {
		for _, part := range strings.FieldsFunc(words[i], func(r rune) bool { return r == ',' }) {
			bits, all, err := f.parse(part)
			if err != nil {
				return c, fmt.Errorf("%q in its field %d: %w", part, i+1, err)
			}
			c[i].bits |= bits
			c[i].all = c[i].all || all
		}
	}
	return c, nil
}

// parse returns the values of a part of a field, such as 5, 1-5, */2 or 10-30/5.
func (f field) parse(part string) (bits uint64, all bool, err error) {
	span, stepText, stepped := strings.Cut(part, "/")
	step := 1
	if stepped {
		if step, err = strconv.Atoi(stepText); err != nil || step < 1 {
			return 0, false, fmt.Errorf("no step %q", stepText)
		}
	}
	first, last, ranged := strings.Cut(span, "-")
	low, high := f.low, f.high
	if wild := first == "*" || first == "?"; !wild {
		if low, err = f.value(first); err != nil {
			return 0, false, err
		}
		if !stepped {
			high = low
		}
	} else {
		all, ranged = step == 1, false
	}
	if ranged {
		if high, err = f.value(last); err != nil {
			return 0, false, err
		}
	}
	if low > high {
		return 0, false, fmt.Errorf("the range begins after its end")
	}
	for n := low; n <= high; n += step {
		bits |= 1 << n
	}
	return bits, all, nil
}

// value returns the value of a number or name.
func (f field) value(text string) (int, error) {
	if n := strings.Index(f.names, strings.ToLower(text)); len(text) == 3 && n >= 0 && n%3 == 0 {
		return f.low + n/3, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < f.low || n > f.high {
		return 0, fmt.Errorf("want %d to %d", f.low, f.high)
	}
	return n, nil
}

func (c cron) has(field, value int) bool { return c[field].bits&(1<<value) != 0 }

// onDay reports whether the schedule is due on the day of t. If days of the month and of the week are both restricted,
// one of them is enough.
func (c cron) onDay(t time.Time) bool {
	days := []bool{c.has(dayOfMonth, t.Day()), c.has(dayOfWeek, int(t.Weekday()))}
	if c[dayOfMonth].all || c[dayOfWeek].all {
		return !slices.Contains(days, false)
	}
	return slices.Contains(days, true)
}

// searched is the number of years that next looks ahead.
const searched = 5

// next returns the first time after another at which clocks of its zone show a time of the schedule, the zero time if
// there is none within five years.
func (c cron) next(t time.Time) time.Time {
	t = t.Truncate(time.Minute).Add(time.Minute)
	for end := t.Year() + searched; t.Year() <= end; {
		var later time.Time
		switch {
		case !c.has(month, int(t.Month())):
			later = time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, t.Location())
		case !c.onDay(t):
			later = time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, t.Location())
		case !c.has(hour, t.Hour()):
			later = t.Add(time.Duration(60-t.Minute()) * time.Minute)
		case !c.has(minute, t.Minute()):
			later = t.Add(time.Minute)
		default:
			return t
		}
		if !later.After(t) { // midnight does not exist on that day
			later = t.Add(time.Hour)
		}
		t = later
	}
	return time.Time{}
}
