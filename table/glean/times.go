package glean

import (
	"bytes"
	"time"

	"github.com/pingmill/pingmill/table/column"
)

// parseDateHeader reads the header Date. Old SDKs write GMT+00:00 in the place of GMT.
func parseDateHeader(text []byte) (micros int64, ok bool) {
	text = bytes.TrimSuffix(text, []byte("+00:00"))
	t, err := time.Parse("Mon, 2 Jan 2006 15:04:05 GMT", string(text))
	return t.UnixMicro(), err == nil
}

// DayNumber returns the days from 1970-01-01 to a day written YYYY-MM-DD or YYYYMMDD.
func DayNumber(day string) (int32, bool) {
	if len(day) == 8 {
		day = day[:4] + "-" + day[4:6] + "-" + day[6:]
	}
	return column.ParseDate(day)
}
