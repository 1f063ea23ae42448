package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bar limits the relative difference between the model and a measurement.
const bar = 0.20

func TestModelIsLikeWhatWasMeasured(t *testing.T) {
	m, err := measured()
	require.NoError(t, err)
	for _, c := range m.Commits {
		sim := m.like(c.Decoders, c.Each, 1)
		sim.run()
		near(t, "commits", sim.now, c.Seconds)
		assert.Equal(t, c.Decoders*c.Each, sim.done)
		near(t, "requests of a commit", sim.requests/float64(sim.done), c.Requests)
	}
	for _, d := range m.Days {
		near(t, "days", m.run(d.Days, d.Workers, 1), d.Seconds)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	t.Logf("%s: %.2f by the model, %.2f measured (%+.0f %%)", what, got, want, 100*(got/want-1))
	if math.Abs(got/want-1) > bar {
		t.Errorf("%s: %.2f by the model, %.2f measured", what, got, want)
	}
}

// The same seed gives the same, and failures cost time but no work.
func TestDayCloses(t *testing.T) {
	for _, s := range scenarios {
		one, again := s.run(defaults), s.run(defaults)
		assert.Equal(t, one, again)
		assert.Equal(t, one.tasks, one.done, s.name)
		assert.Less(t, one.closed, 6*3600.0, s.name)
	}
	quiet, slow := scenarios[0].run(defaults), scenarios[len(scenarios)-1].run(defaults)
	assert.Greater(t, slow.closed, quiet.closed)
	assert.NotZero(t, slow.again)
}

// The page has what the model says.
func TestPage(t *testing.T) {
	m, err := measured()
	require.NoError(t, err)
	page, err := os.ReadFile("../../../docs/scaling.md")
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(page), begin)
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	assert.Equal(t, string(page), before+begin+tables(m, defaults)+end+after, "make scale-sim")
}
