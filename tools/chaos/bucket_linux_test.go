package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// disturbances lists faults between an installation and its bucket.
var disturbances = []struct {
	name   string
	faults blobtest.Faults
}{
	{"latency", blobtest.Faults{Delay: 60 * time.Millisecond}},
	{"503", blobtest.Faults{Refuse: 0.1}},
	{"cut uploads", blobtest.Faults{CutUp: 0.1}},
	{"cut downloads", blobtest.Faults{CutDown: 0.1}},
	{"lost answers", blobtest.Faults{Lose: 0.1}},
	{"some of all", blobtest.Faults{Refuse: 0.03, Break: 0.03, CutUp: 0.03, CutDown: 0.03, Lose: 0.03, Delay: 10 * time.Millisecond}},
	{"commits that time out", blobtest.Faults{HangDone: 0.05, Only: []string{"PUT"}, Max: 3}}, // half a minute each
	{"an outage of commits", blobtest.Faults{Refuse: 0.5, Only: []string{"PUT", "POST"}}},
}

// bucketTrial is an installation in a bucket that is reached through faults.
type bucketTrial struct {
	*trial
	random *rand.Rand
	clean  string // URL of the bucket
	faulty string
	seen   map[string]int

	mu sync.Mutex // of seen
}

// TestBucket has an installation in a bucket that is slow, refuses, and cuts and loses uploads and answers, and kills what works there:
// each command succeeds in the end, the rows are right then, and before that a reader never sees half of a partition.
func TestBucket(t *testing.T) {
	if *inBucket == 0 {
		t.Skip("make chaos does this")
	}
	base := newFaultBase(t)
	counts := map[string]int{}
	for n, begin := *first, time.Now(); time.Since(begin) < *inBucket && !t.Failed(); n++ {
		r := rand.New(rand.NewPCG(*seed, n))
		d := disturbances[(*seed+n)%uint64(len(disturbances))]
		t.Run(fmt.Sprintf("seed %d trial %d: %s", *seed, n, d.name), func(t *testing.T) {
			b := newBucketTrial(t, base.all, counts, r, d.faults)
			none, truth, rest := rows{}, base.all.truth, base.all.rest
			b.work(nil, "load", filepath.Join(filepath.Dir(base.half), "14.ndjson"))
			b.work(nil, "load", base.more)
			b.work([]rows{none, truth}, runAllHere()...)
			b.work([]rows{truth}, runAllHere("--force")...)
			b.work([]rows{truth, rest}, "delete", "--client-id", base.all.client, "--now")
			b.disturbed(d.faults)
		})
		counts["trials"]++
	}
	t.Logf("seed %d: %v", *seed, counts)
}

func newBucketTrial(t *testing.T, base *installation, counts map[string]int, r *rand.Rand, f blobtest.Faults) *bucketTrial {
	b := &bucketTrial{random: r, clean: blobtest.S3(t), seen: map[string]int{}}
	b.trial = &trial{t: t, base: base, data: filepath.Join(t.TempDir(), "data"), counts: counts}
	f.Seed = r.Uint64()
	f.Seen = func(fault, method, _ string) {
		b.mu.Lock()
		b.seen[fault+" "+method]++
		b.mu.Unlock()
	}
	b.faulty = blobtest.Faulty(t, b.clean, f)
	return b
}

// work runs a command through the faults, and kills it at any moment, until it succeeds. Each partition is at all times
// as in one of the states, if there are any, in the end as in the last.
func (b *bucketTrial) work(states []rows, args ...string) {
	b.t.Helper()
	for try := range 10 {
		kill := time.Duration(0)
		if try < 4 && b.random.IntN(2) == 0 {
			kill = time.Duration(b.random.Int64N(int64(3 * time.Second)))
		}
		r := b.once(kill, args...)
		switch {
		case r.ok():
			b.counts["succeeded"]++
			if len(states) > 0 {
				b.whole(states[len(states)-1])
			}
			return
		case r.code == -1 && kill > 0:
			b.counts["killed"]++
		default:
			b.counts["failed loudly"]++
			if err := r.sound(); err != nil {
				b.fail("%v", err)
			}
		}
		if len(states) > 0 {
			b.parts(states)
		}
	}
	b.fail("it does not succeed: %s", strings.Join(args, " "))
}

func (b *bucketTrial) once(kill time.Duration, args ...string) result {
	args = append(args[:len(args):len(args)], "--data", b.data, "--storage", b.faulty)
	var during func(*os.Process, <-chan struct{})
	if kill > 0 {
		during = func(p *os.Process, ended <-chan struct{}) {
			select {
			case <-time.After(kill):
				_ = p.Kill() // else it has just ended
			case <-ended:
			}
		}
	}
	r := runCommand(exec.Command(binary, args...), during, args)
	b.story = append(b.story, fmt.Sprintf("pingmill %s: exit %d: %s", args[0], r.code, shorten(lastLines(r.errs))))
	return r
}

// whole looks for rows: all are there, also through the faults, and the files are right.
func (b *bucketTrial) whole(want rows) {
	b.t.Helper()
	b.compare(b.contents(b.faulty), want)
	if s := pingmill("check", "all", "--files", "--data", b.data, "--storage", b.clean); !s.ok() {
		b.fail("%v", s)
	}
}

// parts looks for partitions that are as in none of the states.
func (b *bucketTrial) parts(states []rows) {
	b.t.Helper()
	got := b.contents(b.clean)
	for _, s := range states {
		for k := range s {
			if _, ok := got[k]; !ok {
				got[k] = ""
			}
		}
	}
	for k, is := range got {
		if !slices.ContainsFunc(states, func(s rows) bool { return s[k] == is }) {
			b.fail("%s: %q, which it has never been to be", k, is)
		}
	}
}

// contents returns the rows in the bucket, by queries.
func (b *bucketTrial) contents(root string) rows {
	b.t.Helper()
	got, r := contentsAt([]string{"--data", b.data, "--storage", root}, "", "")
	if !r.ok() {
		b.fail("%v", r)
	}
	return got
}

// disturbed looks whether anything went wrong at all, unless requests are only slow.
func (b *bucketTrial) disturbed(f blobtest.Faults) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t.Log(b.seen)
	if len(b.seen) == 0 && !reflect.DeepEqual(f, blobtest.Faults{Delay: f.Delay}) {
		b.fail("no request went wrong")
	}
}

// mirror brings what is in the bucket to a folder.
func (b *bucketTrial) mirror() string {
	b.t.Helper()
	ctx, dir := b.t.Context(), b.t.TempDir()
	from, err := blob.Open(ctx, b.clean, blob.Options{})
	require.NoError(b.t, err)
	to, err := store.OpenLocal(dir)
	require.NoError(b.t, err)
	for e, err := range from.List(ctx, "") {
		require.NoError(b.t, err)
		data, err := store.ReadFile(ctx, from, e.Name)
		require.NoError(b.t, err)
		require.NoError(b.t, store.WriteFile(ctx, to, e.Name, data))
	}
	return dir
}

// TestBucketService has a service whose archive and tables are in such a bucket, and kills it again and again: what it
// has acknowledged is in the archive in the end.
func TestBucketService(t *testing.T) {
	if *inBucket == 0 {
		t.Skip("make chaos does this")
	}
	counts := map[string]int{}
	for n, begin := *first, time.Now(); time.Since(begin) < *inBucket && !t.Failed(); n++ {
		r := rand.New(rand.NewPCG(*seed, n))
		d := disturbances[(*seed+n)%uint64(len(disturbances))]
		t.Run(fmt.Sprintf("seed %d trial %d: %s", *seed, n, d.name), func(t *testing.T) {
			b := newBucketTrial(t, nil, counts, r, d.faults)
			b.service()
			b.disturbed(d.faults)
		})
		counts["trials"]++
	}
	t.Logf("seed %d: %v", *seed, counts)
}

const serviceKills = 4

func (b *bucketTrial) service() {
	b.t.Helper()
	args := []string{"--storage", b.faulty, "--archive-every", "300ms"}
	acked := filepath.Join(b.t.TempDir(), "acked")
	for i := range serviceKills {
		s := serve(b.t, b.data, args...)
		must(b.t, "generate", "--seed", fmt.Sprint(i+1), "--clients", "6", "--rate", "300", "--to", "http://"+s.address, "--acked",
			fmt.Sprint(acked, i))
		time.Sleep(time.Duration(b.random.Int64N(int64(time.Second))))
		require.NoError(b.t, s.cmd.Process.Kill())
		_ = s.cmd.Wait() // reports that it was killed
		b.counts["killed"]++
	}
	s := serve(b.t, b.data, args...)
	for deadline := time.Now().Add(stuck); len(segments(b.t, b.data)) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.fail("decoding is stuck: %s", shorten(s.log.String()))
			break
		}
	}
	s.stop(b.t)
	dir := b.mirror()
	for i := range serviceKills {
		if r := pingmill("generate", "--verify", dir, "--acked", fmt.Sprint(acked, i), "--wait", "1s"); !r.ok() {
			b.fail("%v\n%s", r, shorten(s.log.String()))
		}
	}
}
