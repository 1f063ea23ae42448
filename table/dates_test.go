package table

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// 2018-03-01T00:00:00Z is 1519862400.
const march = 1519862400

func TestParseHTTPDate(t *testing.T) {
	for s, want := range map[string]int64{
		"Thu, 01 Mar 2018 00:00:00 GMT":       march,
		"Thu, 1 Mar 2018 00:00:00 GMT":        march,
		"thu, 01 mar 2018 00:00:00 gmt":       march,
		"THU, 01 MAR 2018 00:00:00 GMT":       march,
		"01 Mar 2018 00:00:00 GMT":            march,
		"1 Mar 2018 0:0:0 GMT":                march,
		"Thu, 01 Mar 2018 00:00 GMT":          march,
		"Thu, 01 Mar 2018 01:02:03 GMT":       march + 3723,
		"Thu, 01 Mar 2018 23:59:59 GMT":       march + 86399,
		"Thu, 01 Mar 2018 02:00:00 +0200":     march,
		"Wed, 28 Feb 2018 18:30:00 -0530":     march,
		"Thu, 01 Mar 2018 18:00:00 +1800":     march,
		"Thu, 01 Mar 2018 00:00:00 +0000":     march,
		"Fri, 31 Apr 2018 00:00:00 GMT":       0, // the last day of April is a Monday
		"Mon, 31 Apr 2018 00:00:00 GMT":       march + 60*86400,
		"31 Feb 2018 00:00:00 GMT":            march - 86400,
		"30 Feb 2016 00:00:00 GMT":            1456704000, // 29 February
		"Thu, 01 Jan 1970 00:00:00 GMT":       -1,         // stands for 0
		"Wed, 31 Dec 1969 23:59:58 GMT":       -2,
		"Fri, 01 Mar 2018 00:00:00 GMT":       0,
		"Thu,01 Mar 2018 00:00:00 GMT":        0,
		"Thu 01 Mar 2018 00:00:00 GMT":        0,
		"Thursday, 01 Mar 2018 00:00:00 GMT":  0,
		"Thu, 01 March 2018 00:00:00 GMT":     0,
		"Thu, 001 Mar 2018 00:00:00 GMT":      march,
		"Thu, 01 Mar 2018 24:00:00 GMT":       march + 86400,
		"Thu, 01 Mar 2018 00:00:00 +01":       march - 3600,
		"Thu, 00 Mar 2018 00:00:00 GMT":       0,
		"Thu, 32 Mar 2018 00:00:00 GMT":       0,
		"Thu, 01 Mrz 2018 00:00:00 GMT":       0,
		"Thu, 01 Mar 2018 24:00:01 GMT":       0,
		"Thu, 01 Mar 2018 00:60:00 GMT":       0,
		"Thu, 01 Mar 2018 00:00:60 GMT":       0,
		"Thu, 01 Mar 2018 00:00:00 UTC":       0,
		"Thu, 01 Mar 2018 00:00:00":           0,
		"Thu, 01 Mar 2018 00:00:00 +02:00":    0,
		"Thu, 01 Mar 2018 00:00:00 +1801":     0,
		"Thu, 01 Mar 2018 00:00:00 +0260":     0,
		"Thu, 01 Mar 2018 00:00:00 0200":      0,
		"Thu, 01 Mar 2018 00:00:00 GMT ":      0,
		" Thu, 01 Mar 2018 00:00:00 GMT":      0,
		"Thu, 01 Mar 2018 00:00:00 GMT+1":     0,
		"Thu, 01 Mar 2018":                    0,
		"2018-03-01T00:00:00Z":                0,
		"Thu, 01 Mar 2018 00:00:00.5 GMT":     0,
		"Thu, -1 Mar 2018 00:00:00 GMT":       0,
		"Thu, 01 Mar 20180000000 00:00:0 GMT": 0,
		"":                                    0,
		"Thu, ":                               0,
	} {
		got, ok := parseHTTPDate(s)
		switch {
		case want == 0 && ok:
			t.Errorf("%q is %d", s, got)
		case want == -1 && (!ok || got != 0), want != 0 && want != -1 && (!ok || got != want):
			t.Errorf("%q is %d, %v, want %d", s, got, ok, want)
		}
	}
}

func TestParseISOTime(t *testing.T) {
	type result struct {
		sec   int64
		nanos int
		ok    bool
	}
	for s, want := range map[string]result{
		"2018-03-01T00:00:00Z":             {march, 0, true},
		"2018-03-01T00:00Z":                {march, 0, true},
		"2018-03-01T00:00:00.5Z":           {march, 500000000, true},
		"2018-03-01T00:00:00.123456789Z":   {march, 123456789, true},
		"2018-03-01T00:00:00.052Z":         {march, 52000000, true},
		"2018-03-01T01:00:00+01:00":        {march, 0, true},
		"2018-02-28T18:30:00.250-05:30":    {march, 250000000, true},
		"2018-03-01t00:00:00z":             {march, 0, true},
		"2016-02-29T00:00:00Z":             {1456704000, 0, true},
		"1970-01-01T00:00:00Z":             {0, 0, true},
		"2018-02-29T00:00:00Z":             {},
		"2018-04-31T00:00:00Z":             {},
		"2018-13-01T00:00:00Z":             {},
		"2018-00-01T00:00:00Z":             {},
		"2018-03-00T00:00:00Z":             {},
		"2018-3-1T00:00:00Z":               {},
		"18-03-01T00:00:00Z":               {},
		"2018-03-01T24:00:01Z":             {},
		"2018-03-01T00:60Z":                {},
		"2018-03-01T00:00:60Z":             {},
		"2018-03-01T00:00:00":              {},
		"2018-03-01T00:00:00.1234567890Z":  {},
		"2018-03-01T00:00.5Z":              {}, // a fraction of a second needs a second
		"2018-03-01T00Z":                   {},
		"2018-03-01 00:00:00Z":             {},
		"2018-03-01":                       {},
		"2018-03-01Z":                      {},
		"2018-03-01T00:00:00+0100":         {},
		"2018-03-01T00:00:00+01":           {},
		"2018-03-01T00:00:00+01[Etc/UTC]":  {},
		"2018-03-01T00:00:00Z[Asia/Tokyo]": {march, 0, true},
		"2018-03-01T00:00:00+19:00":        {},
		"2018-03-01T00:00:00Z ":            {},
		"2018-03-01T00:00:00 Z":            {},
		"Thu, 01 Mar 2018 00:00:00 GMT":    {},
		"":                                 {},
	} {
		sec, nanos, ok := parseISOTime(s)
		if ok != want.ok || ok && (sec != want.sec || nanos != want.nanos) {
			t.Errorf("%q is %d, %d, %v, want %v", s, sec, nanos, ok, want)
		}
	}
}

func TestParseLocalDay(t *testing.T) {
	const day = march / 86400 // 17591
	for s, want := range map[string]int64{
		"2018-03-01": day, "2018-3-1": day, "2018-03-1": day, "2018-03-01T": day, "2018-03-01T23:00:00.0+14:00": day, "2018-03-01 whatever": day,
		"2018": day - 59, "2018-03": day, "2018-3": day, "2018T": day - 59, "2018-03 x": day, "2018-003-001": day, "2018-03-01T-": day,
		"2018-03-01 ": day, "2016-02-29T00": 16860, "1969-12-31T": -1, "0001-01-01": -719162, "9999-12-31": 2932896,
	} {
		if got, ok := parseLocalDay(s); !ok || got != want {
			t.Errorf("%q is %d, %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{
		"", "2018-", "2018-03-", "2018x", "2018-03x", "2018-03-T", "2018-T", "T", " ", "201", "20180", "18-03-01", "02018-03-01", "2018-02-29",
		"2018-13-01", "2018-00-01", "2018-01-00", "2018-01-32",
		"2018-0000000003-01", "2018-03-01x", "2018-03-01-", "2018-03-01t00:00:00", " 2018-03-01", "2018/03/01", "-2018-03-01", "2018-+3-01",
		"20180301",
	} {
		if got, ok := parseLocalDay(s); ok {
			t.Errorf("%q is %d", s, got)
		}
	}
}

func TestDayText(t *testing.T) {
	for days, want := range map[int64]string{
		0: "1970-01-01 00:00:00", -1: "1969-12-31 00:00:00", 17591: "2018-03-01 00:00:00", 16860: "2016-02-29 00:00:00",
		-719162: "0001-01-01 00:00:00", 2932896: "9999-12-31 00:00:00",
	} {
		if got := string(appendDay(nil, days)); noDay(days) || got != want {
			t.Errorf("day %d is %q, want %q", days, got, want)
		}
	}
	for _, days := range []int64{-719163, 2932897, 1 << 40, -1 << 63, 1<<63 - 1} {
		if !noDay(days) {
			t.Errorf("day %d is one", days)
		}
	}
}

// What java.time reads in odd texts: see testdata/dates/README.md.
func TestDatesOfJava(t *testing.T) {
	b, err := os.ReadFile("testdata/dates/dates.tsv")
	require.NoError(t, err)
	read := [2]int{}
	for line := range strings.Lines(string(b)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, wantHTTP, wantISO := fields[0], fields[1], fields[2]
		gotHTTP, gotISO := "-", "-"
		if sec, ok := parseHTTPDate(text); ok {
			gotHTTP = strconv.FormatInt(sec, 10)
			read[0]++
		}
		if sec, nanos, ok := parseISOTime(text); ok {
			gotISO = fmt.Sprintf("%d.%09d", sec, nanos)
			read[1]++
		}
		if gotHTTP != wantHTTP || gotISO != wantISO {
			t.Errorf("%q is %s and %s, to java.time %s and %s", text, gotHTTP, gotISO, wantHTTP, wantISO)
		}
	}
	if read[0] < 60 || read[1] < 60 {
		t.Errorf("only %v dates", read)
	}
}
