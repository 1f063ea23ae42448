package main

import (
	"testing"
	"time"
)

func TestNamedDay(t *testing.T) {
	// In UTC it is the first of March already.
	now := time.Date(2020, 2, 29, 23, 30, 0, 0, time.FixedZone("", -3600))
	for s, want := range map[string]string{"today": "20200301", "yesterday": "20200229", "20180301": "20180301", "": "", "tomorrow": "tomorrow"} {
		if got := namedDay(s, now); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}
