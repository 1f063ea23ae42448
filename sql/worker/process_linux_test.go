package worker

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
)

// children returns the workers of this process.
func children(t *testing.T) (pids []int) {
	t.Helper()
	all, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread ended
		}
		for pid := range strings.FieldsSeq(string(text)) {
			n, err := strconv.Atoi(pid)
			require.NoError(t, err)
			pids = append(pids, n)
		}
	}
	return pids
}

// awaitChildren waits for the end of workers that have answered, for which nobody else waits.
func awaitChildren(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return len(children(t)) == 0 }, time.Minute, time.Millisecond)
}

// TestDeath: a worker that dies of a signal is an error of its query, and others go on.
func TestDeath(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGTERM} {
		awaitChildren(t)
		var out bytes.Buffer
		r := &Runner{Temp: t.TempDir()}
		_, err := r.Run(t.Context(), Request{SQL: "SELECT 1", Format: query.FormatCSV, Allow: func(context.Context, Plan) error {
			pids := children(t)
			require.Len(t, pids, 1)
			require.NoError(t, syscall.Kill(pids[0], signal))
			awaitChildren(t) // else it may answer before
			return nil
		}}, &out, nil)
		require.ErrorIs(t, err, errWorkerExited)
		require.ErrorContains(t, err, "the query's process died: ")
		require.Empty(t, children(t))
		_, err = r.Run(t.Context(), Request{SQL: "SELECT 1", Format: query.FormatCSV}, &out, nil)
		require.NoError(t, err)
	}
}

// TestOrphans: folders that a killed program left are removed, those in use are not.
func TestOrphans(t *testing.T) {
	base := t.TempDir()
	left := filepath.Join(base, tempPrefix+"1")
	require.NoError(t, os.MkdirAll(filepath.Join(left, "work", "more"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(base, "other"), nil, 0o600))
	used, err := newFolder(base)
	require.NoError(t, err)
	var out bytes.Buffer
	_, err = (&Runner{Temp: base}).Run(t.Context(), Request{SQL: "SELECT 1", Format: query.FormatCSV}, &out, nil)
	require.NoError(t, err)
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint([]string{filepath.Base(used.root), "other"}), fmt.Sprint([]string{entries[0].Name(), entries[1].Name()}))
	used.remove()
}

// TestSpare: a worker that was started before answers once, and one that died before is replaced.
func TestSpare(t *testing.T) {
	r := &Runner{Temp: t.TempDir()}
	defer r.Close()
	run := func() {
		var out bytes.Buffer
		_, err := r.Run(t.Context(), Request{SQL: "SELECT 1 AS one", Format: query.FormatCSV}, &out, nil)
		require.NoError(t, err)
		require.Equal(t, "one\n1\n", out.String())
	}
	awaitChildren(t)
	r.Warm()
	spare := children(t)
	require.Len(t, spare, 1)
	r.Warm()
	require.Equal(t, spare, children(t))
	run()
	awaitChildren(t)
	r.Warm()
	r.spare.kill()
	r.spare.wait()
	run()
}

// TestDeadSpares: spare workers that die leave no descriptor open.
func TestDeadSpares(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(entries)
	}
	r := &Runner{Temp: t.TempDir()}
	defer r.Close()
	r.Warm()
	before := open()
	for range 20 {
		r.spare.kill()
		<-r.spare.ended
		r.Warm()
	}
	require.LessOrEqual(t, open(), before+1)
}
