package glean

import (
	"bytes"
	"time"
)

// parseDateHeader reads the header Date. Old SDKs write GMT+00:00 in the place of GMT.
func parseDateHeader(text []byte) (micros int64, ok bool) {
	text = bytes.TrimSuffix(text, []byte("+00:00"))
	t, err := time.Parse("Mon, 2 Jan 2006 15:04:05 GMT", string(text))
	return t.UnixMicro(), err == nil
}
