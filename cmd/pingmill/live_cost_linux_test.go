package main

import (
	"context"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var liveCost = flag.Int("live.cost", 0,
	"how often TestLiveCost measures a server with live rows and one without, each for 30 seconds; 0: never")

// TestLiveCost measures what live rows cost beside ingestion: the processor time of servers with and without them, in turn,
// from the socket to the archive.
func TestLiveCost(t *testing.T) {
	if *liveCost == 0 {
		t.Skip("takes minutes: make live-cost")
	}
	load := newLiveLoad(t)
	bind(t, daysCore)
	variants := map[string][]string{
		"without": {"--live="}, "with": nil,
		"without, not prepared": {"--live=", "--prepared="}, "with, not prepared": {"--prepared="},
	}
	taken := map[string][]float64{}
	for range *liveCost {
		for name, args := range variants {
			taken[name] = append(taken[name], load.cost(t, args))
		}
	}
	median := func(name string) float64 {
		all := slices.Sorted(slices.Values(taken[name]))
		return all[len(all)/2]
	}
	var ratios []float64
	for i, with := range taken["with"] {
		ratios = append(ratios, with/taken["without"][i])
	}
	slices.Sort(ratios)
	t.Logf("processor time of a submission, µs: %.0f with live rows, %.0f without, %.2f times; if rows are not prepared %.0f and %.0f; "+
		"of all rounds: %v",
		median("with"), median("without"), ratios[len(ratios)/2], median("with, not prepared"), median("without, not prepared"), taken)
}

// cost returns the processor time of a submission to a server, in µs, to its end.
func (l *liveLoad) cost(t *testing.T, args []string) float64 {
	t.Helper()
	s := newServer(t, filepath.Join(t.TempDir(), "data"))
	s.args = append([]string{"--segment-age", "10s", "--segment-bytes", "67108864", "--only", "edge,decode"}, args...)
	s.begin = func(cmd *exec.Cmd) error { return startOn(edgeCore, cmd) }
	s.start()
	l.to, l.server = s.address, s
	l.sent.Store(0)
	l.last.Store(0)
	ctx, end := context.WithTimeout(t.Context(), 30*time.Second)
	defer end()
	require.NoError(t, l.send(ctx))
	cmd := s.cmd
	s.stop()
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return float64(used.Microseconds()) / float64(l.sent.Load())
}
