package spawn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQueries(t *testing.T) {
	for line, want := range map[string]bool{
		"pingmill": false, "pingmill version": false, "pingmill query": true, "pingmill query --data x SELECT": true,
		"pingmill tables query":   false,
		"pingmill query --unsafe": false, "pingmill query --server=https://x": false, "pingmill query --server x": false,
		"pingmill query -h": false, "pingmill query --help": false,
	} {
		require.Equal(t, want, queries(strings.Fields(line)), line)
	}
}

// TestStart: the process ends when its pipe is closed, here because a test binary without worker.Main runs no test, and the caller has
// only its own ends of the pipes.
func TestStart(t *testing.T) {
	open := func() int {
		all, err := filepath.Glob("/dev/fd/*")
		require.NoError(t, err)
		return len(all)
	}
	p, err := Start() // opens what this process keeps open
	require.NoError(t, err)
	_, err = p.Wait()
	require.NoError(t, err)
	require.NoError(t, closed([]*os.File{p.To, p.From, p.Output}))
	before := open()
	p, err = Start()
	require.NoError(t, err)
	state, err := p.Wait()
	require.NoError(t, err)
	require.True(t, state.Success(), state)
	require.LessOrEqual(t, open(), before+3)
	require.NoError(t, closed([]*os.File{p.To, p.From, p.Output}))
	require.Nil(t, First(), "no query is on the command line of a test")
}
