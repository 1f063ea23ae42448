package quality

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/schema"
)

// text says a finding in words.
func (f *Finding) text(t *schema.Table) string {
	if f.Text != "" {
		return f.Text
	}
	now, usual := f.Measure.Format(*f.Now), f.Measure.Format(*f.Usual)
	times := fmt.Sprintf("%s of the usual", percent(*f.Now / *f.Usual))
	is := f.Column + " is " + quoted(f.Value)
	switch f.Rule {
	case RowsJump:
		return fmt.Sprintf("%s rows, usual are %s: %s", now, usual, times)
	case ClientJump:
		return fmt.Sprintf("%s clients, usual are %s: %s", now, usual, times)
	case BytesJump:
		return fmt.Sprintf("a row takes %s bytes, usual are %s", now, usual)
	case WentNull:
		return fmt.Sprintf("%s went null: %s of the rows have it, usual are %s", f.Column, now, usual)
	case CameAlive:
		return fmt.Sprintf("%s came alive: %s of the rows have it, usual are %s", f.Column, now, usual)
	case NullsMoved:
		return fmt.Sprintf("%s is null in %s of the rows, usual are %s", f.Column, percent(1-*f.Now), percent(1-*f.Usual))
	case EmptyMoved:
		return fmt.Sprintf("%s is empty in %s of the rows, usual are %s", f.Column, now, usual)
	case Repeats:
		return fmt.Sprintf("%s of the rows repeat the %s of another one, usual are %s", now, f.Column, usual)
	case Vanished:
		return fmt.Sprintf("%s in no row, or in very few, usual are %s", is, usual)
	case NewValue:
		return fmt.Sprintf("%s in %s of the rows: a new value", is, now)
	case Moved:
		return fmt.Sprintf("the median of %s is %s, usual is %s", sizeOf(t, f.Column), now, usual)
	}
	return fmt.Sprintf("%s in %s of the rows, usual are %s: %s", is, now, usual, times)
}

// sizeOf returns a column as its median is of: of an array or map, its size.
func sizeOf(t *schema.Table, name string) string {
	column, _, member := strings.Cut(name, ".")
	if i := t.Index(column); i >= 0 && !member {
		if k := t.Columns[i].Type.Kind; k == schema.Array || k == schema.Map {
			return "the size of " + name
		}
	}
	return name
}

func (k *Check) text() string {
	text := fmt.Sprintf("check %s: %s", k.Name, k.Rule)
	switch {
	case k.Verdict == "broken":
		text += "; it could not be made"
	case k.Note != "":
		text += "; " + k.Note
	case k.Found > 0:
		text += fmt.Sprintf("; %s break it", humanize.Comma(int64(k.Found)))
	}
	return text
}

// Format writes a number of a measure for people.
func (m Measure) Format(x float64) string {
	switch m {
	case Rows, Clients:
		return humanize.Comma(int64(x + 0.5))
	case Known, Empty, Repeated, Having:
		return percent(x)
	}
	if math.Abs(x) >= 1000 {
		return humanize.Comma(int64(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// percent writes a share with as many digits as say something.
func percent(x float64) string {
	p := 100 * x
	switch {
	case p == 0 || math.IsInf(p, 0) || p != p:
		return "0 %"
	case p < 0.01:
		return "< 0.01 %"
	case p < 1 || p > 99 && p < 100:
		return strconv.FormatFloat(p, 'f', 2, 64) + " %"
	case p < 10:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// quoted formats a value for a text.
func quoted(v string) string {
	if v == "" {
		return "empty"
	}
	return strconv.Quote(v)
}
