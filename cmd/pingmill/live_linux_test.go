package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate"
)

var (
	liveTook = flag.Duration("live.took", 0, "how long TestLive sends submissions, while a job runs; 0: it sends one")
	liveRate = flag.Float64("live.rate", 500, "submissions a second of TestLive")
)

// documentIn finds the document id in a path.
var documentIn = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// visibleWithin limits the time from the acknowledgement of a ping until queries see it.
const visibleWithin = time.Minute

// TestLive: a ping is in the answers of queries soon after it was acknowledged, also while many others arrive on one core
// and a job has the other.
func TestLive(t *testing.T) {
	s := newServer(t, filepath.Join(t.TempDir(), "data"))
	if *liveTook == 0 {
		definitions, err := filepath.Abs("../../tools/generate/definitions")
		require.NoError(t, err)
		s.args = []string{"--live-every", "1s", "--definitions", definitions}
		s.start()
		s.checkVisible(submissions(t, 1, 16_000, "main")[0])
		baseline := submissions(t, 1, 16_000, "firefox-desktop/baseline")[0]
		s.checkVisibleIn(baseline, "firefox_desktop.baseline WHERE document_id = '%s' AND submission_date >= '%s'", time.DateOnly)
		events := submissions(t, 1, 16_000, "firefox-desktop/events")[0]
		s.checkVisibleIn(events, "(SELECT DISTINCT document_id FROM firefox_desktop.events_stream WHERE document_id = '%s' AND "+
			"submission_date >= '%s')", time.DateOnly)
		s.stop()
		return
	}
	pings, load := submissions(t, 2000, 16_000, "main"), newLiveLoad(t)
	days := newDays(t, s.bin)
	s.begin = func(cmd *exec.Cmd) error { return startOn(edgeCore, cmd) }
	s.args = []string{"--segment-age", "10s", "--segment-bytes", "67108864", "--only", "edge,decode"}
	s.start()
	load.to, load.server = s.address, s
	bind(t, edgeCore)
	ctx, end := context.WithTimeout(t.Context(), *liveTook)
	defer end()
	ended := make(chan error, 3)
	go func() { ended <- load.send(ctx) }()
	go func() { ended <- load.watch(ctx, t.Logf) }()
	go func() { ended <- days.run(ctx) }()
	var lags []time.Duration
	for _, p := range pings {
		if ctx.Err() != nil {
			break
		}
		lags = append(lags, s.checkVisible(p))
	}
	for range cap(ended) {
		assert.NoError(t, <-ended)
	}
	t.Log(load.used(days))
	s.stop()
	server, err := os.ReadFile(s.log.Name())
	require.NoError(t, err)
	t.Logf("%d loads, rows of %d of them could not all be made in time", bytes.Count(server, []byte(`"archived"`)),
		bytes.Count(server, []byte("live rows follow")))
	if least := int64(0.9 * *liveRate * liveTook.Seconds()); load.sent.Load() < least {
		t.Errorf("%d submissions were acknowledged, at least %d should be", load.sent.Load(), least)
	}
	slices.Sort(lags)
	t.Logf("%d pings, seen after %v at the median and %v at most", len(lags), lags[len(lags)/2], lags[len(lags)-1])
}

// submissions returns some of a population that are accepted, each of another document: those of a type, or all.
func submissions(t *testing.T, most, mean int, docType ping.DocType) (all []*generate.Submission) {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: 8, Clients: max(400, most/2), Days: 2, MeanBytes: mean, Gzip: true,
		Glean: strings.Contains(string(docType), "/")})
	require.NoError(t, err)
	for s := range g.Submissions() {
		if len(all) == most {
			break
		}
		if s.Fate == generate.Accepted && (docType == "" || s.DocType == docType) {
			own := *s
			own.URI, own.Body, own.Headers = bytes.Clone(s.URI), bytes.Clone(s.Body), slices.Clone(s.Headers)
			all = append(all, &own)
		}
	}
	require.NotEmpty(t, all)
	return all
}

// checkVisible sends a main ping, and waits until a query finds it.
func (s *server) checkVisible(p *generate.Submission) time.Duration {
	s.t.Helper()
	return s.checkVisibleIn(p, "main_summary WHERE document_id = '%s' AND submission_date_obj >= '%s'", "20060102")
}

// checkVisibleIn sends a ping, and waits until a query of something finds its document on a day since an hour ago.
func (s *server) checkVisibleIn(p *generate.Submission, from, day string) time.Duration {
	s.t.Helper()
	s.post(string(p.URI), p.Body, p.Headers, 200)
	began := time.Now()
	document := documentIn.FindString(string(p.URI))
	sql := "SELECT count(*) FROM " + fmt.Sprintf(from, document, began.UTC().Add(-time.Hour).Format(day))
	for {
		var out bytes.Buffer
		cmd := exec.Command(s.bin, "query", "--data", s.data, "--format", "csv", sql)
		cmd.Stdout, cmd.Stderr = &out, &out
		err := startOn(anyCore, cmd)
		if err == nil {
			err = cmd.Wait()
		}
		lag := time.Since(began)
		switch {
		case err != nil && !strings.Contains(out.String(), "is missing"):
			s.t.Fatalf("%v: %s", err, out.String())
		case err == nil && strings.HasSuffix(strings.TrimSpace(out.String()), "\n1"):
			return lag
		case lag > visibleWithin:
			s.t.Errorf("document %s is not seen within %v: %s", document, visibleWithin, out.String())
			return lag
		}
		time.Sleep(min(time.Second, *liveTook+200*time.Millisecond))
	}
}
