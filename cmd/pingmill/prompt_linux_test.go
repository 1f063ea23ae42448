package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// prompts starts prompts of one installation, and with one home folder.
type prompts struct{ data, home string }

// promptAt is for an installation with one day of all tables.
func promptAt(t *testing.T) prompts {
	t.Helper()
	data := loadedData(t, "--clients", "30", "--days", "1")
	mustCall(t, "run", "all", "--data", data, "--date", "20180301")
	return prompts{data, t.TempDir()}
}

func (p prompts) start(t *testing.T, width, height int, vars ...string) *terminal {
	t.Helper()
	s := onTerminal(t, width, height, p.home, vars, "query", "--data", p.data)
	s.ready()
	return s
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	at := promptAt(t)
	home := at.home
	t.Run("statements in several lines", func(t *testing.T) {
		s := at.start(t, 80, 24)
		s.types("SELECT 1 AS one,\r  2 AS two;\r")
		s.shows(`^ one \| two$`)
		s.shows(`^\(1 row\)$`)
		s.ready()
		s.types("\\q\r")
		s.ends()
	})
	t.Run("history of another session", func(t *testing.T) {
		s := at.start(t, 80, 24)
		s.types("\x1b[A\x1b[A") // \q and the statement before, whole
		s.shows(`^pingmill> SELECT 1 AS one,\n.* 2 AS two;\z`)
		s.types("\x7f, 40 + 2 AS three;\r")
		s.shows(`^ one \| two \| three$`)
		s.shows(`^ +1 \| +2 \| +42$`)
		s.ready()
		s.types("\x12one")
		s.shows(`search: one`)
		s.types("\r") // the newest one is found, and runs
		s.shows(`(?s)42$.*42$`)
		info, err := os.Stat(filepath.Join(home, ".local/state/pingmill/query_history"))
		require.NoError(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("others may read the history: %v", info.Mode())
		}
	})
	t.Run("completion", func(t *testing.T) {
		s := at.start(t, 100, 24)
		s.types("SELECT os FROM clients_d\t")
		s.shows(`FROM clients_daily\z`)
		s.types(" WHERE subm\t")
		s.shows(`WHERE submission_date`)
		s.types("\x03")
		s.ready()
		s.types("\\d crash\t")
		s.shows(`\\d crash_summary\z`)
	})
	t.Run("errors point at the place", func(t *testing.T) {
		s := at.start(t, 80, 24)
		s.types("SELECT 1,\r nothere;\r")
		s.shows(`^LINE 2:  nothere$`)
		s.shows(`^         \^$`)
		s.ready()
	})
	t.Run("cancel", func(t *testing.T) {
		s := at.start(t, 80, 24)
		s.types("SELECT count(*) FROM UNNEST(sequence(1, 9999)) a(x), UNNEST(sequence(1, 9999)) b(y), UNNEST(sequence(1, 9999)) c(z) WHERE " +
			"x * y % 7 + z = -1;\r")
		s.shows(`Ctrl-C cancels`)
		s.types("\x03")
		s.shows(`^cancelled$`)
		s.ready()
		s.types("SELECT 41 + 1 AS still;\r")
		s.shows(`42$`)
		s.types("SELECT 'half of it")
		s.types("\x03")
		s.ready()
		s.types("\x04")
		s.ends()
	})
	t.Run("nothing in data drives the terminal", func(t *testing.T) {
		s := at.start(t, 80, 24)
		s.types("SELECT chr(27) || ']0;title' || chr(7) AS evil;\r")
		s.shows(`\\x1b\]0;title\\a`)
		s.types("\\format csv\r")
		s.shows(`format is csv`)
		s.types("SELECT chr(27) || '[31mred' AS evil;\r")
		s.shows(`^"?\\x1b\[31mred`)
		s.types("\\format table\r")
		s.types("SELECT CAST(chr(27) || '[31mblue' AS INTEGER);\r")
		s.shows(`\\x1b\[31mblue`)
		for _, bad := range []string{"\x1b]0;", "\x1b[31mred", "\x1b[31mblue"} {
			if strings.Contains(s.output(), bad) {
				t.Errorf("%q came to the terminal", bad)
			}
		}
	})
}
