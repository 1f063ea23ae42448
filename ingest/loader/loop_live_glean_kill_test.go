package loader

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site/sitetest"
)

// killedTables are Glean tables that are looked at after kills and with several edges: of one type of pings, and of all.
var killedTables = []string{"firefox_desktop_baseline", "firefox_desktop_events_stream"}

// awaitGlean waits until the tables have rows of all pings of a day.
func (v *service) awaitGlean(day string, want map[string]int) {
	v.t.Helper()
	sitetest.WaitFor(v.t, "live rows", func() bool {
		v.clock.Ns.Add(int64(time.Second))
		return !slices.ContainsFunc(killedTables, func(table string) bool {
			m := partition(v.t, v.site, table, day)
			return m == nil || int(m.Rows) != want[table+" "+day]
		})
	})
}

// TestLiveGleanSurvivesKills: decoding that is cut short again and again leaves each row of Glean pings and events there once.
func TestLiveGleanSurvivesKills(t *testing.T) {
	records, want := gleanPopulation(t, 40, 1)
	s := sitetest.Local(t)
	v := liveGlean(t, s, gleanDefinitions(t))
	v.opts.ArchiveBytes = 16 << 10
	v.cutShort(records)
	v.start()
	v.awaitGlean("20180301", want)
	v.finish()
	rows := map[string][]string{}
	for _, table := range killedTables {
		rows[table] = rowTexts(t, s, table, "20180301")
	}
	v.clock.Set(time.Date(2018, 3, 2, 0, 1, 0, 0, time.UTC).UnixNano())
	v.start()
	v.finish()
	v.round()
	for _, table := range killedTables {
		assert.Equal(t, rowTexts(t, s, table, "20180301"), rows[table], table)
	}
}

// TestLiveGleanOfSeveralEdges: rows of pings that come to several edges, some of them to both, are there once, with their loads.
func TestLiveGleanOfSeveralEdges(t *testing.T) {
	defs := gleanDefinitions(t)
	records, want := gleanPopulation(t, 40, 1)
	all := edges(t, "e1", "e2")
	var sending sync.WaitGroup
	for i, v := range all {
		withGlean(v.site, defs)
		v.opts.Live.Tables, v.opts.Live.Every = []string{live.Glean}, time.Nanosecond
		v.opts.Decode.Glean = liveGlean(t, v.site, defs).opts.Decode.Glean
		v.start()
		var own []*spool.Record
		for n, r := range records {
			if n%2 == i || n%10 == 0 { // a retry that reaches the other edge
				own = append(own, r)
			}
		}
		sending.Go(func() { v.send(own) })
	}
	sending.Wait()
	for _, v := range all {
		v.finish()
	}
	all[0].start()
	all[0].awaitGlean("20180301", want)
	all[0].finish()
	for _, table := range killedTables {
		for _, f := range partition(t, all[0].site, table, "20180301").Files {
			assert.Empty(t, f.OpenFor, table)
		}
	}
}
