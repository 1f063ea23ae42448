package service

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/erase"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// TestDamagedBytes flips single bits of a file whose size stays: no wrong row comes
// of it, and a removal of rows and a run say so.
func TestDamagedBytes(t *testing.T) {
	s, dir := damagedSite(t)
	before := visible(t, s)
	name := one(t, dir, dataFile)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for i := 4; i < len(whole); i += 1 + len(whole)/40 {
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << (i % 8)
		require.NoError(t, os.WriteFile(name, bad, 0o600))
		damagedRun(t, s, etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{sitetest.Day}, Force: true})
		sitetest.SameContents(t, visible(t, s), before)
	}
	sitetest.AskToForget(t, s, "a", sitetest.At(9), sitetest.ClientOf(1))
	if _, err := erase.Run(context.Background(), s, forgetOptions()); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
		t.Errorf("the removal: %v", err)
	}
	require.NoError(t, os.WriteFile(name, whole, 0o600))
	mustForget(t, s)
	if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 0 {
		t.Error("the client is still there")
	}
}

// TestForgetBesideDamage removes a client while a day is damaged: from all that can
// be read at once, and from that day when it is mended.
func TestForgetBesideDamage(t *testing.T) {
	for _, damage := range []string{"a file is gone", "a record is garbage"} {
		s, dir := damagedSite(t)
		d := damages[damage]
		name := one(t, dir, d.file)
		whole, err := os.ReadFile(name)
		require.NoError(t, err)
		d.do(t, name)
		sitetest.AskToForget(t, s, "a", sitetest.At(9), sitetest.ClientOf(1))
		if _, err := erase.Run(context.Background(), s, forgetOptions()); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("%s: %v", damage, err)
		}
		if n := sitetest.Pending(t, s); n != 1 {
			t.Errorf("%s: %d requests wait", damage, n)
		}
		for _, day := range []string{sitetest.Day, "20180302"} { // tables lose the rows nevertheless
			for _, row := range sitetest.RowsOf(t, s, "main_summary", day) {
				if row["client_id"] == sitetest.ClientOf(1) {
					t.Errorf("%s: main_summary of %s has the client", damage, day)
				}
			}
		}
		require.NoError(t, os.WriteFile(name, whole, 0o600))
		mustForget(t, s)
		if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 0 || sitetest.Mentioned(t, s, sitetest.ClientOf(0)) != 4 ||
			sitetest.Pending(t, s) != 0 {
			t.Errorf("%s: after mending the client is there %d times", damage, sitetest.Mentioned(t, s, sitetest.ClientOf(1)))
		}
	}
}

// TestForgetBesideUnknownDay removes a client whose pings are in a day of which no
// record can be read, and nothing is published: the request waits.
func TestForgetBesideUnknownDay(t *testing.T) {
	s := sitetest.Local(t)
	mustLoad(t, s, sitetest.Lines(t, sitetest.FromClients(2)))
	dir, _ := store.LocalDir(s.Archive)
	record := one(t, dir, loadRecord)
	whole, err := os.ReadFile(record)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(record, []byte("{"), 0o600))
	sitetest.AskToForget(t, s, "a", sitetest.At(9), sitetest.ClientOf(1))
	if _, err := erase.Run(context.Background(), s, forgetOptions()); err == nil || sitetest.Pending(t, s) != 1 {
		t.Errorf("%v, %d requests wait", err, sitetest.Pending(t, s))
	}
	require.NoError(t, os.WriteFile(record, whole, 0o600))
	mustForget(t, s)
	if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 0 || sitetest.Mentioned(t, s, sitetest.ClientOf(0)) != 1 ||
		sitetest.Pending(t, s) != 0 {
		t.Error("the client is still there, or another is not")
	}
}

// TestMendDamage drops files, and rebuilds records.
func TestMendDamage(t *testing.T) {
	ctx := context.Background()
	s, dir := damagedSite(t)
	name := one(t, dir, dataFile)
	if _, err := loader.DropFiles(ctx, s, []string{filepath.Base(name)}, sitetest.At(9)); err == nil ||
		!strings.Contains(err.Error(), "it is whole") {
		t.Errorf("giving up a whole file: %v", err)
	}
	before := visible(t, s)
	record := one(t, dir, loadRecord)
	load := strings.TrimSuffix(filepath.Base(record), ".json")
	if _, err := loader.RebuildLoad(ctx, s, load); err == nil || !strings.Contains(err.Error(), "it is whole") {
		t.Errorf("rebuilding a whole record: %v", err)
	}
	require.NoError(t, os.Remove(record))
	r, err := loader.RebuildLoad(ctx, s, load)
	if err != nil || len(r.Files) != 2 || len(r.Gaps) != 0 || r.Files[0].Rows != 3 || r.Files[0].SHA256 == "" || !r.Rebuilt {
		t.Fatalf("%+v, %v", r, err)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day, "20180302"}})
	sitetest.SameContents(t, visible(t, s), before) // the same generations: nothing was made again
	require.NoError(t, os.Remove(name))
	d, err := loader.DropFiles(ctx, s, []string{filepath.Base(name)}, sitetest.At(9))
	if err != nil || len(d.Files) != 1 || d.Files[0].Rows != 3 || len(d.Stale) != 4 {
		t.Fatalf("%+v, %v", d, err)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	if rows := sitetest.RowsOf(t, s, "main_summary", sitetest.Day); len(rows) != 3 {
		t.Errorf("%d rows are left", len(rows))
	}
	a, err := archive.AuditNames(ctx, s.Archive, nil)
	if err != nil || len(a.Damage)+len(a.Foreign) != 0 || len(a.Lost) != 1 || a.Lost[0].Day != sitetest.Day {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestReplayBesideDamage damages rejected submissions.
func TestReplayBesideDamage(t *testing.T) {
	s := sitetest.Local(t)
	mustLoad(t, s, append(sitetest.PingLines(sitetest.Day, 0, 3), "junk\n"...))
	dir, _ := store.LocalDir(s.Archive)
	require.NoError(t, os.Remove(one(t, dir, "errors/v1/*/*.parquet")))
	if _, err := loader.Replay(context.Background(), s, loader.ReplayOptions{}); !archive.IsDamage(err) {
		t.Errorf("the replay: %v", err)
	}
	if _, err := loader.RejectedGroups(context.Background(), s.Archive, loader.RejectedFilter{}); !archive.IsDamage(err) {
		t.Errorf("the errors: %v", err)
	}
	if _, err := archive.OpenDay(context.Background(), s.Archive, ping.Day(sitetest.Day), "main"); err != nil {
		t.Errorf("the pings: %v", err)
	}
}

// TestForeignFiles reports files that are not the archive's, and leaves them.
func TestForeignFiles(t *testing.T) {
	s, dir := damagedSite(t)
	before := visible(t, s)
	folder := filepath.Dir(one(t, dir, dataFile))
	for _, name := range []string{filepath.Join(folder, "copy.parquet"), filepath.Join(folder, "nobody-000001.parquet"),
		filepath.Join(dir, "loads/v1/notes.txt")} {
		require.NoError(t, os.WriteFile(name, []byte("x"), 0o600))
	}
	link := one(t, dir, dataFile)
	require.NoError(t, os.Rename(link, filepath.Join(dir, "elsewhere")))
	require.NoError(t, os.Symlink(filepath.Join(dir, "elsewhere"), link))
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	sitetest.SameContents(t, visible(t, s), before)
	a, err := archive.AuditNames(context.Background(), s.Archive, nil)
	if err != nil || len(a.Foreign) != 4 || len(a.Damage) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
