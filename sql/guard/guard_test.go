package guard

import (
	"errors"
	"fmt"
	"testing"
)

// usual has a limit on days only.
var usual = Set{Large: Days{All: 7, Sampled: 31}}

func days(from, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(20180301+from+i))
	}
	return all
}

func read(from, n int, sampled bool) Read {
	return Read{Table: "main_summary", Large: true, Day: "day", Sample: "sample_id", Days: days(from, n), Sampled: sampled, Files: 100 * n,
		Bytes: int64(n) << 20}
}

// TestCheck: what is read counts, however many scans read it, and the error offers what is enough.
func TestCheck(t *testing.T) {
	own := usual
	own.Tables, own.Files, own.Bytes = map[string]Days{"main_summary": {All: 1}, "addons": {Sampled: 2, All: 1}}, 900, 8<<20
	small := read(0, 20, false)
	small.Large = false
	lenient := usual
	lenient.Small = 15 << 20
	unknown := read(0, 14, false)
	unknown.Bytes = 0
	ownToo := own
	ownToo.Small, ownToo.Bytes = 1<<30, 0
	addons := read(0, 3, true)
	addons.Table, addons.Large = "addons", false
	number := read(0, 14, false)
	number.Number = true
	for name, c := range map[string]struct {
		set        Set
		reads      []Read
		what, hint string
	}{
		"nothing": {usual, nil, "", ""},
		"a week":  {usual, []Read{read(0, 7, false)}, "", ""},
		"two weeks": {usual, []Read{read(0, 14, false)},
			"the query would read 14 days of main_summary, 20180301 to 20180314; at most 7 days, or 31 with a condition on sample_id",
			"add to WHERE: day >= '20180308' AND day <= '20180314' (the newest 7 days), or: sample_id = '42' (a hundredth of the clients)"},
		"a week twice": {usual, []Read{read(0, 7, false), read(0, 7, false)}, "", ""},
		"self join": {usual, []Read{read(0, 7, false), read(7, 7, false)},
			"the query would read 14 days of main_summary, 20180301 to 20180314; at most 7 days, or 31 with a condition on sample_id",
			"add to WHERE: day >= '20180308' AND day <= '20180314' (the newest 7 days), or: sample_id = '42' (a hundredth of the clients)"},
		"a sample": {usual, []Read{read(0, 31, true), read(0, 7, false)}, "", ""},
		"a long sample": {usual, []Read{read(0, 40, true)},
			"the query would read 40 days of main_summary, 20180301 to 20180340; at most 7 days, or 31 with a condition on sample_id",
			"add to WHERE: day >= '20180334' AND day <= '20180340' (the newest 7 days), or: day >= '20180310' AND day <= '20180340' AND " +
				"sample_id = '42' (a hundredth of the clients of the newest 31 days)"},
		"a small table": {usual, []Read{small}, "", ""},
		"one table's": {own, []Read{read(0, 2, false)}, "the query would read 2 days of main_summary, 20180301 to 20180302; at most 1 day",
			"add to WHERE: day >= '20180302' AND day <= '20180302' (the newest 1 day), or: sample_id = '42' (a hundredth of the clients)"},
		"another's": {own, []Read{addons},
			"the query would read 3 days of addons, 20180301 to 20180303; at most 1 day, or 2 with a condition on sample_id", "add to WHERE: " +
				"day >= '20180303' AND day <= '20180303' (the newest 1 day), or: day >= '20180302' AND day <= '20180303' AND sample_id = '42' (a " +
				"hundredth of the clients of the newest 2 days)"},
		"a number": {usual, []Read{number},
			"the query would read 14 days of main_summary, 20180301 to 20180314; at most 7 days, or 31 with a condition on sample_id",
			"add to WHERE: day >= '20180308' AND day <= '20180314' (the newest 7 days), or: sample_id = 42 (a hundredth of the clients)"},
		"few bytes": {lenient, []Read{read(0, 14, false)}, "", ""},
		"more bytes": {lenient, []Read{read(0, 7, false), read(7, 8, false)},
			"the query would read 15 days of main_summary, 20180301 to 20180315; at most 7 days, or 31 with a condition on sample_id",
			"add to WHERE: day >= '20180309' AND day <= '20180315' (the newest 7 days), or: sample_id = '42' (a hundredth of the clients)"},
		"unknown bytes": {lenient, []Read{unknown},
			"the query would read 14 days of main_summary, 20180301 to 20180314; at most 7 days, or 31 with a condition on sample_id",
			"add to WHERE: day >= '20180308' AND day <= '20180314' (the newest 7 days), or: sample_id = '42' (a hundredth of the clients)"},
		"few, its own": {ownToo, []Read{read(0, 2, false)}, "the query would read 2 days of main_summary, 20180301 to 20180302; at most 1 day",
			"add to WHERE: day >= '20180302' AND day <= '20180302' (the newest 1 day), or: sample_id = '42' (a hundredth of the clients)"},
		"files":     {Set{Files: 900}, []Read{read(0, 10, false)}, "the query would read 1,000 files; at most 900", ""},
		"bytes":     {Set{Bytes: 8 << 20}, []Read{read(0, 10, false)}, "the query would read 10 MiB; at most 8.0 MiB", ""},
		"no limits": {Set{}, []Read{read(0, 31, false)}, "", ""},
	} {
		err := c.set.Check(c.reads)
		var e *Error
		if errors.As(err, &e) != (c.what != "") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e != nil && (e.What != c.what || e.Hint() != c.hint) {
			t.Errorf("%s:\n%s\n%s", name, e.What, e.Hint())
		}
	}
}

// TestNotes: a condition that comes too late is reported once.
func TestNotes(t *testing.T) {
	r := read(0, 3, false)
	r.Late = []string{"day", "sample_id"}
	got := Notes([]Read{r, r})
	if len(got) != 2 || got[0] != "main_summary: opened 300 files because day, which is text, is compared with something else: write "+
		"text such as '20180303'" {
		t.Errorf("%q", got)
	}
}
