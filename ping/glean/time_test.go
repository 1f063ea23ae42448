package glean

import (
	"testing"
	"time"
)

// TestDays compares with package time.
func TestDays(t *testing.T) {
	for at := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() <= 9999; at = at.AddDate(0, 0, 1) {
		days, ok := Days(at.Year(), int(at.Month()), at.Day())
		if !ok || int64(days)*86400 != at.Unix() {
			t.Fatalf("%v: %d %v", at, days, ok)
		}
	}
	for _, d := range [][3]int{
		{2023, 2, 29}, {1900, 2, 29}, {2000, 4, 31}, {2000, 13, 1}, {2000, 0, 1}, {2000, 1, 0}, {2000, 1, 32}, {10000, 1, 1}, {-1, 1, 1},
	} {
		if _, ok := Days(d[0], d[1], d[2]); ok {
			t.Error(d)
		}
	}
}
