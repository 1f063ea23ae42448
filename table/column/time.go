package column

import (
	"time"

	"github.com/pingmill/pingmill/schema"
)

// The forms of dates and timestamps in JSON rows. Timestamps are UTC and have six digits.
const (
	dateForm      = "2006-01-02"
	timestampForm = "2006-01-02T15:04:05.000000Z"
)

// AppendDate appends a date, given in days since 1970-01-01, such as 2026-11-21.
func AppendDate(dst []byte, day int32) []byte {
	return time.Unix(int64(day)*86400, 0).UTC().AppendFormat(dst, dateForm)
}

// AppendTimestamp appends a time, given in microseconds since 1970, such as 2026-11-21T23:38:24.079954Z.
func AppendTimestamp(dst []byte, micros int64) []byte {
	return time.UnixMicro(micros).UTC().AppendFormat(dst, timestampForm)
}

// ParseDate reads the form that AppendDate writes.
func ParseDate(text string) (int32, bool) {
	t, err := time.Parse(dateForm, text)
	return int32(t.Unix() / 86400), err == nil && len(text) == len(dateForm)
}

// ParseTimestamp reads the form that AppendTimestamp writes. Fewer digits of a second, or none, are read, too.
func ParseTimestamp(text string) (int64, bool) {
	t, err := time.Parse("2006-01-02T15:04:05Z", text)
	return t.UnixMicro(), err == nil && t.Nanosecond()%1000 == 0
}

// IsTime reports whether a kind is a moment, not a quantity.
func IsTime(k schema.Kind) bool { return k == schema.Date || k == schema.Timestamp }
