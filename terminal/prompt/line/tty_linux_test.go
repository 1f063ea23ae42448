package line

import (
	"io"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// terminalEditor returns an editor on a terminal, and the other end of it.
func terminalEditor(t *testing.T) (*Editor, io.Writer) {
	t.Helper()
	keys, in, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { keys.Close(); in.Close() })
	return &Editor{In: in, Out: io.Discard, Size: func() (int, int) { return 80, 24 }, HistoryLen: func() int { return 0 },
		Accepts: func(string) (bool, int) { return true, 0 }}, keys
}

func typeKeys(t *testing.T, to io.Writer, keys string) {
	t.Helper()
	_, err := io.WriteString(to, keys)
	require.NoError(t, err)
}

// TestEndTypedAhead presses Ctrl-D while a statement runs.
func TestEndTypedAhead(t *testing.T) {
	e, keys := terminalEditor(t)
	typeKeys(t, keys, "first\r")
	text, err := e.Read()
	require.NoError(t, err)
	require.Equal(t, "first", text)
	undo := e.Quiet()
	typeKeys(t, keys, "second\r\x04")
	time.Sleep(20 * time.Millisecond) // the terminal has both lines, but for a busy machine
	undo()
	text, err = e.Read()
	require.NoError(t, err)
	require.Equal(t, "second", text)
	_, err = e.Read()
	require.ErrorIs(t, err, io.EOF)
}

// TestInterrupt presses Ctrl-C in a text: the same Read, with the terminal raw, goes on.
func TestInterrupt(t *testing.T) {
	e, keys := terminalEditor(t)
	typeKeys(t, keys, "half\x03whole\r")
	text, err := e.Read()
	require.NoError(t, err)
	require.Equal(t, "whole", text)
}
