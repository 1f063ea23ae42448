package etl

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestLedgerLost: whatever becomes of the ledger's file, everything goes on, what was made is not
// made again, and the damaged file is kept.
func TestLedgerLost(t *testing.T) {
	days := sitetest.DayRange(t, sitetest.Day, sitetest.Day)
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, path string)
		aside  bool
	}{
		{"missing", func(*testing.T, string) {}, false},
		{"empty", writeLedger(""), false},
		{"garbage", writeLedger(strings.Repeat("garbage", 10_000)), true},
		{"short garbage", writeLedger("garbage"), true},
		{"cut", changeLedger(func(b []byte) []byte { return b[:len(b)/3] }), true},
		{"flipped", changeLedger(func(b []byte) []byte {
			for at := 4096; at < len(b); at += 4096 {
				copy(b[at:], bytes.Repeat([]byte{0xff}, 16))
			}
			return b
		}), true},
		{"of a newer version", sqlLedger("INSERT INTO ledger_version VALUES (1000)"), true},
		{"without a table", sqlLedger("DROP TABLE attempts"), true},
		{"a folder", func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o755)) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := siteIn(t, dir)
			sitetest.Pings(t, s.Archive, 1, 20)
			report, err := Run(t.Context(), s, RunOptions{Tables: []string{"addons"}, Days: days, Now: atLater})
			require.NoError(t, err)
			require.NoError(t, s.Close())
			path := filepath.Join(dir, "ledger.db")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.Remove(path))
			if c.name != "missing" && c.name != "a folder" {
				require.NoError(t, os.WriteFile(path, text, 0o644))
			}
			c.damage(t, path)

			read, err := site.Read(t.Context(), dir, schema.NewSet(sitetest.Probes(t)))
			require.NoError(t, err)
			st := readStates(t, read, sitetest.Later, []string{"addons"}, days...)
			if st.Partitions[0].State != statePublished || len(st.Notes) != 1 || !strings.Contains(st.Notes[0], "ledger") {
				t.Errorf("status: %+v, notes %q", st.Partitions, st.Notes)
			}
			require.NoError(t, read.Close())

			again := siteIn(t, dir)
			if len(again.Notes) != 1 || !strings.Contains(again.Notes[0], "a new one is begun") {
				t.Errorf("opened with notes %q", again.Notes)
			}
			if files := asides(t, dir); len(files) > 0 != c.aside {
				t.Errorf("kept aside: %v", files)
			}
			r, err := Run(t.Context(), again, RunOptions{Tables: []string{"addons"}, Days: days, Now: atLater})
			if err != nil || !r.Unchanged() || len(r.Units) != len(report.Units) {
				t.Errorf("a run: %v, %v", r, err)
			}
			require.NoError(t, again.Close())
			once := siteIn(t, dir)
			if len(once.Notes) != 0 {
				t.Errorf("opened again with notes %q", once.Notes)
			}
			if made, err := once.Ledger.Committed(t.Context(), job.Filter{Table: "addons", From: sitetest.Day, To: sitetest.Day}); len(made) == 0 ||
				err != nil {
				t.Errorf("the new ledger does not know what is published: %v", err)
			}
		})
	}
}

// TestLedgerSuspect: damage that opening does not see is seen once a run has met it.
func TestLedgerSuspect(t *testing.T) {
	dir := t.TempDir()
	s := siteIn(t, dir)
	sitetest.Pings(t, s.Archive, 1, 20)
	o := RunOptions{Tables: []string{"addons"}, Days: sitetest.DayRange(t, sitetest.Day, sitetest.Day), Now: atLater}
	sqlLedger("DROP TABLE attempts")(t, filepath.Join(dir, "ledger.db")) // under a site that is open
	if _, err := Run(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "give the command again") {
		t.Errorf("a run: %v", err)
	}
	require.NoError(t, s.Close())
	again := siteIn(t, dir)
	if len(again.Notes) != 1 || len(asides(t, dir)) != 1 {
		t.Errorf("opened with notes %q, kept %v", again.Notes, asides(t, dir))
	}
	if _, err := Run(t.Context(), again, o); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ledger.db.suspect")); err == nil {
		t.Error("it stays suspect")
	}
}

func writeLedger(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
}

func changeLedger(change func([]byte) []byte) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, change(b), 0o644))
	}
}

func sqlLedger(statement string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		db, err := sql.Open("sqlite", job.DSN(path))
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), "PRAGMA foreign_keys = 0; "+statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
}

// asides returns the ledgers in a folder that were damaged and kept.
func asides(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "ledger.db.damaged-?"))
	require.NoError(t, err)
	return files
}

func ledgerOf(s *site.Site) string { return filepath.Join(s.Dir, "ledger.db") }

func atLater() time.Time { return sitetest.Later }

// siteIn opens the installation in a folder.
func siteIn(t *testing.T, dir string) *site.Site {
	t.Helper()
	s, err := site.Open(t.Context(), dir, schema.NewSet(sitetest.Probes(t)))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestReadSite: an installation that is read stays as it is, while a process that died has left its journal, too.
func TestReadSite(t *testing.T) {
	dir := t.TempDir()
	s := siteIn(t, dir)
	sitetest.Pings(t, s.Archive, 1, 20)
	if _, err := Run(t.Context(), s,
		RunOptions{Tables: []string{"addons"}, Days: sitetest.DayRange(t, sitetest.Day, sitetest.Day), Now: atLater}); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(t.TempDir(), "left") // as it is on the disk while s is open
	require.NoError(t, os.CopyFS(left, os.DirFS(dir)))
	for _, end := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(filepath.Join(left, "ledger.db"+end)); err != nil {
			t.Fatal(err)
		}
	}
	read, err := site.Read(t.Context(), left, schema.NewSet(sitetest.Probes(t)))
	require.NoError(t, err)
	if made, err := read.Ledger.Committed(t.Context(), job.Filter{Table: "addons", From: sitetest.Day, To: sitetest.Day}); len(made) == 0 ||
		err != nil {
		t.Errorf("what is in the journal is not seen: %v", err)
	}
	require.NoError(t, read.Close())
	empty := t.TempDir()
	if read, err = site.Read(t.Context(), empty, schema.NewSet(sitetest.Probes(t))); err != nil {
		t.Fatal(err)
	}
	readStates(t, read, sitetest.Later, nil, sitetest.Day)
	if all, err := os.ReadDir(empty); err != nil || len(all) > 0 {
		t.Errorf("there is %v, %v", all, err)
	}
}
