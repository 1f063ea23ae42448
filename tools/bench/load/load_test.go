package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// TestShares: ten people who ask as much as they can have equal shares while a day is made again and pings arrive, none of which is
// lost; and one with a single query waits for one at most of the fifty of another.
func TestShares(t *testing.T) {
	r, err := run(t.Context(), options{clients: 60, queries: 40, rate: 20, log: t.Output()})
	require.NoError(t, err)
	require.NoError(t, r.unfair())
	total := 0
	for _, n := range r.each {
		total += n
	}
	assert.Equal(t, 40, total)
	assert.Len(t, r.took, total)
	assert.NotEmpty(t, r.flown)
	assert.Contains(t, r.sent, " 0 missing, 0 more than once")
	assert.False(t, strings.HasPrefix(r.sent, "0 "), r.sent)
	r.print(t.Output())
}
