package etl

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site/sitetest"
)

// What TestKilledChain does; see make year.
var (
	chainDays  = flag.Int("chain.days", 14, "days of TestKilledChain, from 20180301 on")
	chainKills = flag.Int("chain.kills", 5, "processes it kills")
)

// starting is about how long a process takes before it makes anything.
const starting = 80 * time.Millisecond

// TestKilledChain kills the process that makes the tables of clients, which go on from day to day, again and again, adds
// pings to a day in the middle, and goes on killing. In the end there are the files of a run that nobody disturbed and that had all pings.
func TestKilledChain(t *testing.T) {
	last := sitetest.GleanTables + "baseline_clients_last_seen"
	days := sitetest.DayRange(t, "20180301", job.FormatDay(time.Date(2018, 3, *chainDays, 0, 0, 0, 0, time.UTC)))
	middle := days[len(days)/3]
	load := func(dir, name string, some ...string) {
		s, err := sitetest.Open(dir)
		require.NoError(t, err)
		defer s.Close()
		var pings []sitetest.GleanPing
		for i, day := range some {
			for n := range 40 {
				if name == "load1" && (n*7+i*5)%11 < 7 || name == "load2" && n%9 > 0 {
					continue
				}
				pings = append(pings, sitetest.GleanPing{Day: day, Type: "baseline", ID: fmt.Sprint(name, day, n),
					Client: fmt.Sprintf("%08x-0000-4000-8000-%012x", n*40503, n)})
			}
		}
		sitetest.GleanPings(t, s.Archive, name, pings)
	}
	t.Setenv(childDays, days[0]+"-"+days[len(days)-1])
	t.Setenv(childTables, last)
	reference := sitetest.GleanDir(t, filepath.Join(t.TempDir(), "reference"))
	load(reference, "load1", days...)
	load(reference, "load2", middle)
	began := time.Now()
	out, err := sitetest.Child(reference).CombinedOutput()
	require.NoError(t, err, string(out))
	usual := time.Since(began)

	dir := sitetest.GleanDir(t, filepath.Join(t.TempDir(), "killed"))
	load(dir, "load1", days...)
	killed := 0
	for round := range *chainKills {
		if round == *chainKills/2 {
			load(dir, "load2", middle)
		}
		ended, err := sitetest.KillSoon(sitetest.Child(dir), starting+2*usual/time.Duration(*chainKills))
		if require.True(t, !ended || err == nil, "%v", err); !ended {
			killed++
		}
	}
	out, err = sitetest.Child(dir).CombinedOutput()
	require.NoError(t, err, string(out))
	t.Logf("%d of %d processes killed, a run takes %v", killed, *chainKills, usual.Round(time.Millisecond))
	at := func(dir string) map[string]string {
		s, err := sitetest.Open(dir)
		require.NoError(t, err)
		defer s.Close()
		for _, day := range days {
			require.NotEmpty(t, sitetest.RowsOf(t, s, last, day))
		}
		return sitetest.Contents(t, s)
	}
	sitetest.SameContents(t, at(dir), at(reference))
	for _, root := range []string{"lake", "pipeline", "restricted"} {
		wantNoFiles(t, filepath.Join(dir, root, "_staging"))
	}
}
