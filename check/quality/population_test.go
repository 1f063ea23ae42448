package quality

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site/sitetest"
)

// people are clients with habits of their own, who crash: fewer at weekends, more of them every week, and a new version reaches
// them one after the other.
type people struct {
	seed uint64
	n    int
}

// firstDay is a Thursday.
var firstDay = time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)

func dayAt(n int) string { return job.FormatDay(firstDay.AddDate(0, 0, n)) }

// pick returns one of some values, by their shares in percent.
func pick(r *rand.Rand, values map[string]int, order ...string) string {
	at := r.IntN(100)
	for _, v := range order {
		if at -= values[v]; at < 0 {
			return v
		}
	}
	return order[0]
}

// day returns the rows of a day.
func (p *people) day(n int) (rows []map[string]any) {
	date := firstDay.AddDate(0, 0, n)
	r := rand.New(rand.NewPCG(p.seed, uint64(n)))
	active := 0.62
	if w := date.Weekday(); w == time.Saturday || w == time.Sunday {
		active = 0.45
	}
	for i := range p.n + 2*n {
		own := rand.New(rand.NewPCG(p.seed, 1<<32+uint64(i)))
		row := map[string]any{
			"client_id":          fmt.Sprintf("client %d", i),
			"normalized_channel": pick(own, map[string]int{"release": 68, "beta": 22, "nightly": 5, "esr": 5}, "release", "beta", "nightly", "esr"),
			"os_name":            pick(own, map[string]int{"Windows_NT": 80, "Darwin": 12, "Linux": 8}, "Windows_NT", "Darwin", "Linux"),
			"country":            pick(own, map[string]int{"US": 40, "DE": 20, "FR": 15, "BR": 15, "IN": 10}, "US", "DE", "FR", "BR", "IN"),
			"e10s_enabled":       own.IntN(10) > 0,
			"application":        "Firefox",
		}
		switch v := own.IntN(4); { // every fourth week, over some days
		case n%28 > 10+3*v:
			row["build_version"] = fmt.Sprint(59 + n/28)
		default:
			row["build_version"] = fmt.Sprint(58 + n/28)
		}
		if own.IntN(10) == 0 {
			row["experiments"] = map[string]any{"pref-flip": "on"}
		}
		if r.Float64() > active {
			continue
		}
		for again := true; again; again = r.IntN(3) == 0 {
			content := map[string]any{"processType": "content"}
			if r.IntN(3) == 0 {
				content["processType"] = nil
			}
			row["payload"] = content
			rows = append(rows, row)
		}
	}
	return rows
}

// publish publishes days of people and makes their profiles. fault changes the rows of some.
func (p *people) publish(t testing.TB, lt *lake.Table, from, to int, fault func([]map[string]any) []map[string]any) {
	t.Helper()
	for n := from; n <= to; n++ {
		rows := p.day(n)
		if fault != nil {
			rows = fault(rows)
		}
		m := sitetest.Publish(t, lt, dayAt(n), fmt.Sprintf("%08x", n), "", rows)
		made, err := read(t.Context(), lt, m, Options{MaxRows: enoughRows})
		require.NoError(t, err)
		require.NoError(t, Write(t.Context(), lt, made))
	}
}
