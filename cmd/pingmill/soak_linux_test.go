package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

// The defaults take about a minute; make soak runs the long one.
var (
	soakSubmissions = flag.Int64("soak.submissions", 10_000, "submissions of TestSoak")
	soakKills       = flag.Int("soak.kills", 8, "how often TestSoak kills the server")
	soakFills       = flag.Int("soak.fills", 1, "how often TestSoak fills the disk")
	soakDisk        = flag.Int64("soak.disk", 2<<30, "bytes of the disk of TestSoak")
	soakRate        = flag.Float64("soak.rate", 250, "submissions a second of TestSoak; 0: as fast as they are answered")
	soakSeed        = flag.Uint64("soak.seed", 1, "seed of TestSoak")
)

// TestSoak sends a population to a server that is killed at random moments and
// whose disk is filled to the limit. In the end every acknowledged submission
// is in the archive, among the rejected or the duplicates, once.
func TestSoak(t *testing.T) {
	t.Parallel()
	disk := newDisk(t, *soakDisk)
	s := newServer(t, filepath.Join(disk.dir, "data"))
	if !disk.mounted {
		disk.bound = disk.free() - plainRoom
		s.minFree = disk.bound
	}
	s.args = []string{"--archive-every", "5s", "--publish-every", "2s", "--glean-application", "firefox-desktop,org-example-browser"}
	g, err := generate.New(generate.Config{
		Seed: *soakSeed, Clients: int(*soakSubmissions/3) + 10, Days: 3, MeanBytes: 16_000, Gzip: true, Glean: true, Damaged: 0.02,
		Duplicates: 0.02,
	})
	require.NoError(t, err)
	var ids send.IDs
	to, err := url.Parse("http://" + s.address)
	require.NoError(t, err)
	s.start()
	ended := make(chan struct{})
	troubled := make(chan int)
	go func() { troubled <- s.trouble(disk, ended) }()
	report, err := send.Run(context.Background(), g, send.Options{
		To: to, Rate: *soakRate, Concurrency: 64, Retries: -1, Limit: *soakSubmissions, Backoff: 50 * time.Millisecond, MaxBackoff: time.Second,
		Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error { // more eager than the server asks for
			return clock.Wait(ctx, min(d, time.Second))
		}}, IDs: &ids,
	})
	close(ended)
	kills := <-troubled
	require.NoError(t, err)
	s.stop()
	t.Logf("%d kills, %d acknowledged of %d, %d retries, answers %v, %.0f/s", kills, report.Acknowledged, report.Submissions, report.Retries,
		report.Responses, report.Rate())
	if kills < *soakKills {
		t.Errorf("the server was killed %d times, want %d: send more or slower", kills, *soakKills)
	}
	if *soakFills > 0 && report.Responses[507] == 0 {
		t.Error("the disk was never full")
	}
	if report.Acknowledged < *soakSubmissions*9/10 {
		t.Errorf("%d acknowledged of %d", report.Acknowledged, report.Submissions)
	}
	account(t, s.data, &ids)
}

// account checks that every acknowledged submission is there once, and that the
// direct tables have the rows of the archive.
func account(t *testing.T, data string, ids *send.IDs) {
	t.Helper()
	site := openSite(t, data)
	a, err := loader.AccountFor(context.Background(), site.Archive, ids)
	require.NoError(t, err)
	t.Logf("account: %+v", a)
	if a.Missing > 0 || a.Repeated > 0 {
		t.Errorf("of %d acknowledged %d are missing and %d repeated", a.Acked, a.Missing, a.Repeated)
	}
	checkDirect(t, site)
}

// checkDirect compares the direct tables with the archive.
func checkDirect(t *testing.T, site *site.Site) {
	t.Helper()
	for _, lack := range directLacks(t, site) {
		t.Error(lack)
	}
}

// directLacks lists archived pings that the direct tables lack.
func directLacks(t *testing.T, site *site.Site) (lacks []string) {
	t.Helper()
	for _, name := range site.Direct() {
		table, err := site.Table(name)
		require.NoError(t, err)
		manifests, err := table.Partitions(context.Background())
		require.NoError(t, err)
		rows := map[string]int64{}
		for _, m := range manifests {
			rows[m.Day] = m.Rows
		}
		pings := archived(t, site, table.Schema.DocType)
		for day, n := range pings {
			if rows[day] != n {
				lacks = append(lacks, fmt.Sprintf("%s %s has %d rows, the archive %d pings", name, day, rows[day], n))
			}
		}
		if len(pings) == 0 {
			lacks = append(lacks, fmt.Sprintf("there are no pings for %s", name))
		}
	}
	return lacks
}

// trouble kills the server and fills its disk at random moments, until it has
// done so as often as asked for or the sending ended. It returns the kills.
func (s *server) trouble(disk *disk, ended <-chan struct{}) (kills int) {
	r := rand.New(rand.NewPCG(*soakSeed, 2))
	mean := 2 * time.Second
	if *soakRate > 0 {
		whole := time.Duration(float64(*soakSubmissions) / *soakRate * float64(time.Second))
		mean = whole * 7 / 10 / time.Duration(*soakKills+*soakFills+1)
	}
	fills := 0
	for kills < *soakKills || fills < *soakFills {
		select {
		case <-ended:
			return kills
		case <-time.After(time.Duration(r.Int64N(int64(2*mean) + 1))):
		}
		if fills*(*soakKills) < kills*(*soakFills) || kills == *soakKills {
			fills++
			s.note("disk filled")
			for range 50 { // five seconds, in which segments run out
				disk.fill()
				time.Sleep(100 * time.Millisecond)
			}
		} else {
			kills++
			s.kill()
			s.start()
		}
		disk.empty()
	}
	return kills
}

// disk is a small file system of its own where the machine permits one.
type disk struct {
	t       *testing.T
	dir     string
	mounted bool
	bound   int64 // of free bytes, on a disk that is not mounted for the test
}

func (d *disk) ballast() string { return filepath.Join(d.dir, "ballast") }

// empty gives back what fill took.
func (d *disk) empty() {
	if err := os.Remove(d.ballast()); err != nil && !os.IsNotExist(err) {
		d.t.Error(err)
	}
}
