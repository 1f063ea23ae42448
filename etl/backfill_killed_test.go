package etl

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// What TestKilledBackfill does; see make year.
var (
	backfillDays   = flag.Int("backfill.days", 60, "days of TestKilledBackfill, from 20180301 on")
	backfillPings  = flag.Int("backfill.pings", 2, "pings of each of its days, of half as many clients")
	backfillTables = flag.String("backfill.tables", "clients_daily", "its tables, with what they need; or all")
	backfillKills  = flag.Int("backfill.kills", 10, "processes it kills")
	backfillSeed   = flag.Uint64("backfill.seed", 0, "decides when it kills; 0: any, which is logged")
)

// backfill is a backfill that runs in processes of its own.
type backfill struct {
	days   []string
	tables []string
	rand   *rand.Rand
}

// TestKilledBackfill plans the backfill of many days, kills the process that
// makes them again and again, and lets the last one finish: it ends with the
// bytes of a run that nobody disturbed, manifests included; nothing is left
// beside them, and the ledger knows each partition as published once.
func TestKilledBackfill(t *testing.T) {
	first := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	last := job.FormatDay(first.AddDate(0, 0, *backfillDays-1))
	seed := *backfillSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-backfill.seed %d", seed)
	b := backfill{
		days: sitetest.DayRange(t, job.FormatDay(first), last), tables: strings.Split(*backfillTables, ","),
		rand: rand.New(rand.NewPCG(seed, 3)),
	}
	if *backfillTables == "all" {
		b.tables = sitetest.AllTables
	}
	t.Setenv(childDays, job.FormatDay(first)+"-"+last)
	t.Setenv(childTables, strings.Join(b.tables, ","))
	want := b.undisturbed(t, filepath.Join(t.TempDir(), "reference"))

	dir := b.fill(t, filepath.Join(t.TempDir(), "killed"))
	tasks := b.plan(t, dir, false)
	began, done := time.Now(), 0
	for range *backfillKills {
		done += b.kill(t, dir, 1+b.rand.IntN(tasks*4/5 / *backfillKills), time.Duration(b.rand.IntN(30))*time.Millisecond)
	}
	t.Logf("%d processes killed, at %d of %d tasks", *backfillKills, done, tasks)
	b.plan(t, dir, true)
	rest := time.Now()
	if out, err := sitetest.Child(dir).CombinedOutput(); err != nil {
		t.Fatalf("last run: %v: %s", err, out)
	}
	t.Logf("the last run took %v, all %v", time.Since(rest).Round(time.Second), time.Since(began).Round(time.Second))
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	sitetest.SameContents(t, sitetest.Contents(t, s), want)
	for _, root := range []string{"lake", "pipeline", "restricted"} {
		wantNoFiles(t, filepath.Join(dir, root, "_staging"))
	}
	b.checkLedger(t, s)
}

// fill makes an installation with the pings of all days.
func (b *backfill) fill(t *testing.T, dir string) string {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	sitetest.DayPings(t, s.Archive, 1, *backfillPings, b.days...)
	require.NoError(t, s.Close())
	return dir
}

// undisturbed returns the hashes of the files of one undisturbed run.
func (b *backfill) undisturbed(t *testing.T, dir string) map[string]string {
	t.Helper()
	b.fill(t, dir)
	began := time.Now()
	if out, err := sitetest.Child(dir).CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v: %s", err, out)
	}
	took := time.Since(began)
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	want := sitetest.Contents(t, s)
	t.Logf("undisturbed run: %v; %d files of %d bytes from an archive of %d bytes, ledger %d bytes", took.Round(time.Second),
		len(want), fileSizes(t, dir, "lake", "pipeline", "restricted"), fileSizes(t, dir, "archive"), fileSizes(t, dir, "ledger.db"))
	require.NoError(t, errors.Join(s.Close(), os.RemoveAll(dir)))
	return want
}

// fileSizes adds up the sizes of files and of those in folders.
func fileSizes(t *testing.T, dir string, names ...string) (n int64) {
	t.Helper()
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(dir, name), func(_ string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err == nil {
				n += info.Size()
			}
			return err
		})
		require.NoError(t, err)
	}
	return n
}

// plan foresees the run and returns its number of tasks. With begun, some
// partitions are there already, and their history gives an estimate.
func (b *backfill) plan(t *testing.T, dir string, begun bool) (tasks int) {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	p, err := PlanRun(context.Background(), s, RunOptions{Tables: b.tables, Days: b.days})
	require.NoError(t, err)
	count := map[Action]int{}
	var bytes int64
	for _, u := range p.Units {
		count[u.Action]++
		tasks += u.Tasks
		bytes += u.Bytes
	}
	estimate, known := p.Estimate(0)
	if known != begun || begun && estimate <= 0 || count[Skip] > 0 || (count[Keep] > 0) != begun || count[Make] == 0 || bytes <= 0 {
		t.Errorf("plan: %v, %d bytes, estimate %v %v", count, bytes, estimate, known)
	}
	t.Logf("plan: %v, %d tasks, %d bytes of input, estimate %v", count, tasks, bytes, estimate.Round(time.Millisecond))
	return tasks
}

// kill starts the run and kills it some time after a number of tasks. It returns
// how many it saw end.
func (b *backfill) kill(t *testing.T, dir string, tasks int, after time.Duration) (seen int) {
	t.Helper()
	cmd := sitetest.Child(dir)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	killed := make(chan error, 1)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if seen++; seen == tasks {
			time.AfterFunc(after, func() { killed <- cmd.Process.Kill() })
		}
	}
	err = cmd.Wait()
	if seen < tasks || err == nil {
		t.Fatalf("the run ended by itself after %d tasks: %v: %s", seen, err, errs.String())
	}
	require.NoError(t, <-killed)
	return seen
}

// checkLedger looks for partitions that were published twice, or not at all.
func (b *backfill) checkLedger(t *testing.T, s *site.Site) {
	t.Helper()
	var partitions, published, attempts, lost int
	db, err := sql.Open("sqlite", job.ReadDSN(ledgerOf(s)))
	require.NoError(t, err)
	defer db.Close()
	err = db.QueryRow(`
		SELECT count(DISTINCT table_name || day), count(*) FILTER (WHERE outcome = 'committed'),
			count(*), count(*) FILTER (WHERE outcome = 'lost') FROM units`).
		Scan(&partitions, &published, &attempts, &lost)
	require.NoError(t, err)
	t.Logf("ledger: %d partitions, %d times published, %d attempts, %d of them lost", partitions, published, attempts, lost)
	r, err := Run(context.Background(), s, RunOptions{Tables: b.tables, Days: b.days, Now: time.Now})
	if err != nil || !r.Unchanged() || len(r.Units) != partitions || published != partitions {
		t.Errorf("%d of %d partitions were published, %d times; one more run: %v, %v", partitions, len(r.Units), published, r, err)
	}
}
