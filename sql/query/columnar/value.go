package columnar

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pingmill/pingmill/sql/query/encode"
)

// value returns a value with the types of query.Rows.Next.
func value(f *arrow.Field, a arrow.Array, i int) any {
	if a.IsNull(i) {
		return nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i)
	case *array.Float32:
		return a.Value(i)
	case *array.Float64:
		return a.Value(i)
	case *array.Uint64:
		return a.Value(i)
	case *array.String:
		if shown, _ := f.Metadata.GetValue(Shown); shown == ShownJSON {
			return json.RawMessage(strings.Clone(a.Value(i)))
		}
		return strings.Clone(a.Value(i))
	case *array.Binary:
		return escaped(a.Value(i))
	case *array.Decimal128:
		return decimalValue(f, a, i)
	case *array.List:
		return listValue(a, i)
	case *array.Struct:
		return structValue(a, i)
	case *array.Map:
		return mapValue(a, i)
	}
	if n, ok := integerValue(a, i); ok {
		return n
	}
	return timeValue(f, a, i)
}

func integerValue(a arrow.Array, i int) (int64, bool) {
	switch a := a.(type) {
	case *array.Int8:
		return int64(a.Value(i)), true
	case *array.Int16:
		return int64(a.Value(i)), true
	case *array.Int32:
		return int64(a.Value(i)), true
	case *array.Int64:
		return a.Value(i), true
	case *array.Uint8:
		return int64(a.Value(i)), true
	case *array.Uint16:
		return int64(a.Value(i)), true
	case *array.Uint32:
		return int64(a.Value(i)), true
	}
	return 0, false
}

// escaped encodes bytes as DuckDB does: \x00 for a byte that is no character or would be read as another one.
func escaped(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		if c < ' ' || c > '~' || c == '\\' || c == '\'' || c == '"' {
			fmt.Fprintf(&s, `\x%02X`, c)
		} else {
			s.WriteByte(c)
		}
	}
	return s.String()
}

func decimalValue(f *arrow.Field, a *array.Decimal128, i int) any {
	n := a.Value(i).BigInt()
	if shown, _ := f.Metadata.GetValue(Shown); shown == ShownInteger {
		return n
	}
	return decimalText(n, int(a.DataType().(*arrow.Decimal128Type).Scale))
}

func decimalText(n *big.Int, scale int) string {
	text, sign := new(big.Int).Abs(n).String(), ""
	if n.Sign() < 0 {
		sign = "-"
	}
	if scale <= 0 {
		return sign + text
	}
	if len(text) <= scale {
		text = strings.Repeat("0", scale+1-len(text)) + text
	}
	return sign + text[:len(text)-scale] + "." + text[len(text)-scale:]
}

func listValue(a *array.List, i int) any {
	from, to := a.ValueOffsets(i)
	field := a.DataType().(*arrow.ListType).ElemField()
	out := make([]any, 0, to-from)
	for ; from < to; from++ {
		out = append(out, value(&field, a.ListValues(), int(from)))
	}
	return out
}

func structValue(a *array.Struct, i int) any {
	fields := a.DataType().(*arrow.StructType).Fields()
	out := make(encode.Object, len(fields))
	for c := range fields {
		out[c] = encode.Member{Name: fields[c].Name, Value: value(&fields[c], a.Field(c), i)}
	}
	return out
}

func mapValue(a *array.Map, i int) any {
	t := a.DataType().(*arrow.MapType)
	key, item := t.KeyField(), t.ItemField()
	from, to := a.ValueOffsets(i)
	out := make(encode.Object, 0, to-from)
	for ; from < to; from++ {
		out = append(out, encode.Member{Name: encode.Key(value(&key, a.Keys(), int(from))), Value: value(&item, a.Items(), int(from))})
	}
	return out
}

// timeValue writes a date, a time, a timestamp or an interval.
func timeValue(f *arrow.Field, a arrow.Array, i int) any {
	switch a := a.(type) {
	case *array.Date32:
		return dateText(int64(a.Value(i)), math.MaxInt32)
	case *array.Time64:
		return clockText(int64(a.Value(i)), 1e6, -1)
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		return timestampText(int64(a.Value(i)), perSecond[t.Unit], digitsShown(f), t.TimeZone != "")
	case *array.MonthDayNanoInterval:
		return intervalText(a.Value(i))
	}
	return nil // known has refused it
}

// dateText writes a date, given in days after 1970; most is the infinite date.
func dateText(days, most int64) string {
	switch days {
	case most:
		return forever
	case -most:
		return always
	}
	return dayText(time.Unix(0, 0).UTC().AddDate(0, 0, int(days)))
}

func dayText(t time.Time) string {
	year, after := t.Year(), ""
	if year <= 0 {
		year, after = 1-year, " (BC)"
	}
	return fmt.Sprintf("%04d-%02d-%02d%s", year, t.Month(), t.Day(), after)
}

// clockText writes a time of day with digits fractional digits; -1 means all but trailing zeros.
func clockText(n, second int64, digits int) string {
	whole, part := n/second, n%second
	text := fmt.Sprintf("%02d:%02d:%02d", whole/3600, whole/60%60, whole%60)
	fraction := fmt.Sprintf("%09d", part*(1e9/second))
	if digits < 0 {
		fraction = strings.TrimRight(fraction, "0")
	} else {
		fraction = fraction[:digits]
	}
	if fraction == "" {
		return text
	}
	return text + "." + fraction
}

// timestampText writes 2018-03-01T04:05:06.789Z or, with digits, 2018-03-01 04:05:06.789 as Presto does.
func timestampText(n, second int64, digits int, zoned bool) string {
	switch n {
	case math.MaxInt64:
		return forever
	case -math.MaxInt64:
		return always
	}
	perDay := 86400 * second
	days, rest := n/perDay, n%perDay
	if rest < 0 {
		days, rest = days-1, rest+perDay
	}
	day, clock := dateText(days, math.MaxInt64), clockText(rest, second, digits)
	if digits >= 0 || strings.HasSuffix(day, ")") {
		return day + " " + clock
	}
	if zoned {
		clock += "Z"
	}
	return day + "T" + clock
}

// intervalText writes 1 year 2 months -3 days 04:05:06.789.
func intervalText(v arrow.MonthDayNanoInterval) string {
	var words []string
	part := func(n int32, unit string) {
		if n == 0 {
			return
		}
		if n != 1 && n != -1 {
			unit += "s"
		}
		words = append(words, strconv.Itoa(int(n))+" "+unit)
	}
	part(v.Months/12, "year")
	part(v.Months%12, "month")
	part(v.Days, "day")
	switch n := v.Nanoseconds; {
	case n < 0:
		words = append(words, "-"+clockText(-n, 1e9, -1))
	case n > 0 || len(words) == 0:
		words = append(words, clockText(n, 1e9, -1))
	}
	return strings.Join(words, " ")
}
