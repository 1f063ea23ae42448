package cli

import (
	"testing"
	"time"
)

func TestNamedDay(t *testing.T) {
	// In UTC it is the first of March already.
	now := time.Date(2020, 2, 29, 23, 30, 0, 0, time.FixedZone("", -3600))
	for s, want := range map[string]string{"today": "20200301", "yesterday": "20200229", "20180301": "20180301", "": "",
		"tomorrow": "tomorrow"} {
		if got := namedDay(s, now); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

// TestLastDays: without flags the days that there are.
func TestLastDays(t *testing.T) {
	now := time.Date(2018, 4, 10, 3, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name        string
		flags       LastDays
		first, last string // that there are
		from, to    string // that are shown
		wrong       bool
	}{
		{name: "nothing", from: "20180314", to: "20180410"},
		{name: "recent", first: "20180101", last: "20180409", from: "20180314", to: "20180410"},
		{name: "new", first: "20180408", last: "20180409", from: "20180408", to: "20180410"},
		{name: "old", first: "20170301", last: "20170331", from: "20170304", to: "20170331"},
		{name: "few and old", first: "20170301", last: "20170303", from: "20170301", to: "20170303"},
		{name: "up to a day", flags: LastDays{To: "20180401"}, first: "20170301", last: "20170303", from: "20180305", to: "20180401"},
		{name: "from a day", flags: LastDays{From: "20180401"}, first: "20170301", last: "20170303", from: "20180401", to: "20180410"},
		{name: "ahead", first: "20190101", last: "20190102", from: "20180314", to: "20180410"},
		{name: "no days", flags: LastDays{N: -1}, wrong: true},
	} {
		if c.flags.N == 0 {
			c.flags.N = 28
		}
		days, err := c.flags.Read(now, c.first, c.last)
		if (err != nil) != c.wrong || err == nil && (days[0] != c.from || days[len(days)-1] != c.to) {
			t.Errorf("%s: %v, %v; want %s to %s", c.name, days, err, c.from, c.to)
		}
	}
}
