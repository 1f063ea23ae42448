// Package text formats counts and times in messages for people.
package text

import (
	"time"

	"github.com/dustin/go-humanize"
)

// Plural formats a count of things with its noun: 1 day, 1,200 days.
func Plural[N ~int | ~int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return humanize.Comma(int64(n)) + " " + noun
}

// Stamp formats a time in UTC to the second: 2018-03-01 12:30:00.
func Stamp(t time.Time) string { return t.UTC().Format(time.DateTime) }
