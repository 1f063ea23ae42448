package worker

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
)

// killedVariable makes TestKilledCaller a caller that is going to be killed: its folder for temporary files.
const killedVariable = "PINGMILL_TEST_KILLED"

// TestKilledCaller: the worker of a caller that is killed ends, too, and its folder is removed by the next caller.
func TestKilledCaller(t *testing.T) {
	if temp := os.Getenv(killedVariable); temp != "" {
		r := &Runner{Temp: temp}
		_, _ = r.Run(t.Context(), Request{
			SQL: "SELECT count(*) FROM range(1000000000) a, range(1000000000) b", Dialect: query.DuckDB, Format: query.FormatCSV,
			Limits: Limits{Threads: 1},
		}, io.Discard, func(e Event) {
			if _, ok := e.(Columns); ok { // it runs
				_, _ = os.Stdout.WriteString(strconv.Itoa(children(t)[0]) + "\n")
			}
		})
		return
	}
	temp := t.TempDir()
	caller := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledCaller$")
	caller.Env = append(os.Environ(), killedVariable+"="+temp)
	out, err := caller.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, caller.Start())
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	pid, err := strconv.Atoi(lines.Text())
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, 0))
	left, err := filepath.Glob(filepath.Join(temp, tempPrefix+"*"))
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.NoError(t, caller.Process.Kill())
	_ = caller.Wait()
	for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && !isZombie(pid) {
		time.Sleep(5 * time.Millisecond)
	}
	_, err = (&Runner{Temp: temp}).Run(t.Context(), Request{SQL: "SELECT 1", Format: query.FormatCSV}, io.Discard, nil)
	require.NoError(t, err)
	require.NoDirExists(t, left[0])
}

// isZombie reports whether a process has ended and nobody asked how: what inherits it may not.
func isZombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	for i := len(text) - 1; i > 0; i-- {
		if text[i] == ')' {
			return i+2 < len(text) && text[i+2] == 'Z'
		}
	}
	return false
}
