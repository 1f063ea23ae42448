package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

func TestStatusOfTheService(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	at := flags.Site{Data: data, Now: time.Now}
	s, err := at.Open(t.Context(), true)
	require.NoError(t, err)
	require.NoError(t, edgestate.SetProgress(t.Context(), s.Archive, "e1", time.Date(2018, 3, 2, 7, 0, 0, 0, time.UTC).UnixNano(),
		time.Time{}))
	require.NoError(t, s.Close())
	require.NoError(t, os.Mkdir(filepath.Join(data, "spool"), 0o700))
	out := mustCall(t, "status", "--data", data, "--from", "20180301", "--to", "20180303")
	for _, want := range []string{"edge e1: in the archive up to 2018-03-02 07:00:00", "spool: 0 submissions in 0 segments",
		"incomplete days 20180302-20180303: edge e1 is decoded up to 2018-03-02 07:00"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out = mustCall(t, "status", "--data", data, "--to", "20180303", "--format", "json"); !strings.Contains(out, `"lagSeconds"`) ||
		!strings.Contains(out, `"spool"`) {
		t.Errorf("json: %s", out)
	}
}

// TestTwoRuns: the error of a run names the owner of the ledger in one line, and the run changes nothing.
func TestTwoRuns(t *testing.T) {
	data := loadedData(t, "--clients", "5", "--days", "1")
	at := flags.Site{Data: data, Now: time.Now}
	s, err := at.Open(t.Context(), false)
	require.NoError(t, err)
	defer s.Close()
	release, err := s.Ledger.Hold(t.Context())
	require.NoError(t, err)
	defer release()
	for _, args := range [][]string{{"run", "all", "--date", "20180301"}, {"expire", "--keep-archive", "1"}} {
		out, err := program(t, append(args, "--data", data)...).CombinedOutput()
		if err == nil || strings.Count(string(out), "\n") != 1 ||
			!strings.Contains(string(out), fmt.Sprintf("in use by another run: process %d: wait for it or stop it", os.Getpid())) {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}
