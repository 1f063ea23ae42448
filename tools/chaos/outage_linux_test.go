package chaos

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// outages lists faults of a bucket that a service has beside outages.
var outages = []struct {
	name   string
	faults blobtest.Faults
}{
	{"outages alone", blobtest.Faults{}},
	{"old listings", blobtest.Faults{Stale: 2 * time.Second}},
	{"no versions", blobtest.Faults{NoVersion: "/archive/commits/"}},
	{"no versions of anything", blobtest.Faults{NoVersion: "/"}},
	{"503", blobtest.Faults{Refuse: 0.1}},
	{"500", blobtest.Faults{Break: 0.1}},
	{"cut uploads", blobtest.Faults{CutUp: 0.1}},
	{"cut downloads", blobtest.Faults{CutDown: 0.1}},
	{"lost answers", blobtest.Faults{Lose: 0.1}},
	{"commits that time out", blobtest.Faults{HangDone: 0.05, Only: []string{"PUT"}, Max: 2}},
	{"some of all", blobtest.Faults{Refuse: 0.03, Break: 0.03, CutUp: 0.03, CutDown: 0.03, Lose: 0.03, Stale: time.Second,
		Delay: 10 * time.Millisecond}},
}

// maxRate is the number of equal requests a second that only a loop without pause sends.
const maxRate = 10

// TestOutages has a service whose object storage is away at the start or later, comes again, and has faults meanwhile; both are
// killed again and again. The edge always acknowledges. In the end what was acknowledged is in the archive, nothing was said
// to be lost or damaged, and nothing was requested in a loop.
func TestOutages(t *testing.T) {
	if *inOutage == 0 {
		t.Skip("make outages does this")
	}
	counts := map[string]int{}
	for n, begin := *first, time.Now(); time.Since(begin) < *inOutage && !t.Failed(); n++ {
		r := rand.New(rand.NewPCG(*seed, n))
		o := outages[(*seed+n)%uint64(len(outages))]
		t.Run(fmt.Sprintf("seed %d trial %d: %s", *seed, n, o.name), func(t *testing.T) {
			b := &outage{random: r, counts: counts}
			b.run(t, o.faults)
		})
		counts["trials"]++
		counts[o.name]++
	}
	t.Logf("seed %d: %v", *seed, counts)
}

// outage is a service with a bucket that comes and goes.
type outage struct {
	random *rand.Rand
	counts map[string]int
	calm   atomic.Bool // no faults any more

	mu       sync.Mutex
	requests map[string]int // in the present 10 seconds, by method and object
	since    time.Time
	busiest  string
	most     int
}

// sent counts a request.
func (o *outage) sent(method, path string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	const window = 10 * time.Second
	if now := time.Now(); now.Sub(o.since) > window {
		o.since, o.requests = now, map[string]int{}
	}
	key := method + " " + path
	o.requests[key]++
	if n := o.requests[key]; n > o.most {
		o.most, o.busiest = n, key
	}
}

func (o *outage) run(t *testing.T, f blobtest.Faults) {
	dir := t.TempDir()
	data, acked := filepath.Join(dir, "data"), filepath.Join(dir, "acked")
	storage, clean := blobtest.S3Away(t)
	f.Seed, f.Off, f.Sent = o.random.Uint64(), &o.calm, o.sent
	args := []string{"--storage", blobtest.Faulty(t, clean, f), "--archive-every", "2s"}
	up, logs := false, ""
	toggle := func(to bool) {
		switch {
		case to && !up:
			storage.Start()
		case !to && up:
			storage.Kill()
			o.counts["outages"]++
		}
		up = to
	}
	rounds := 5
	for i := range rounds {
		toggle(o.random.IntN(2) == 0)
		s := serve(t, data, args...)
		must(t, "generate", "--seed", fmt.Sprint(i+1), "--clients", "6", "--rate", "300", "--to", "http://"+s.address, "--acked",
			fmt.Sprint(acked, i))
		o.pause(4 * time.Second)
		toggle(o.random.IntN(2) == 0)
		o.pause(4 * time.Second)
		if o.random.IntN(3) > 0 {
			require.NoError(t, s.cmd.Process.Kill())
			o.counts["killed"]++
		} else {
			require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
			kill := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
			defer kill.Stop()
			o.counts["ended"]++
		}
		_ = s.cmd.Wait() // reports how it ended
		logs += s.log.String()
	}
	o.calm.Store(true)
	toggle(true)
	s := serve(t, data, args...)
	for deadline := time.Now().Add(stuck); len(segments(t, data)) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("decoding is stuck: %s", shorten(s.log.String()))
			break
		}
	}
	s.stop(t)
	logs += s.log.String()
	for i := range rounds {
		r := pingmill("generate", "--verify", data, "--storage", clean, "--acked", fmt.Sprint(acked, i), "--wait", "1s")
		if !r.ok() {
			t.Errorf("%v\n%s", r, shorten(logs))
		}
	}
	if preserved, err := filepath.Glob(filepath.Join(data, "spool", "*.damaged")); err != nil || len(preserved) > 0 {
		t.Errorf("kept as damaged: %v %v", preserved, err)
	}
	status := pingmill("status", "--data", data, "--storage", clean)
	for _, text := range []string{logs, status.out, status.errs} {
		for _, bad := range []string{"are lost", "is lost", "is missing", "are damaged", "panic:"} {
			if i := strings.Index(text, bad); i >= 0 {
				t.Errorf("a false alarm: …%s…", text[max(0, i-300):min(len(text), i+200)])
			}
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	t.Logf("most equal requests in 10 seconds: %d, %s; %v", o.most, o.busiest, maps.Clone(o.counts))
	if o.most > 10*maxRate {
		t.Errorf("%d requests in 10 seconds: %s", o.most, o.busiest)
	}
}

// pause waits for a random time.
func (o *outage) pause(most time.Duration) { time.Sleep(time.Duration(o.random.Int64N(int64(most)))) }
