package loader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

func documents(t *testing.T, s *site.Site, day ping.Day) (all int, different map[string]bool) {
	t.Helper()
	d, err := archive.OpenDay(context.Background(), s.Archive, day, "main")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	require.NoError(t, err)
	different = map[string]bool{}
	for p, err := range d.Pings(context.Background(), 0, 100) {
		require.NoError(t, err)
		all++
		different[string(p.Meta.Text(ping.DocumentID))] = true
	}
	return all, different
}

// addsUp checks that every record of a load is counted once.
func addsUp(t *testing.T, l Loaded) {
	t.Helper()
	if sum := l.Pings + l.Errors + l.Forgotten; sum != l.Records || l.Duplicates > l.Errors || l.Known > l.Duplicates {
		t.Errorf("%d records became %d: %+v", l.Records, sum, l)
	}
}

// TestLoadKnownDocuments loads the same documents in other files.
func TestLoadKnownDocuments(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	for _, step := range []struct {
		name                    string
		content                 []byte
		pings, duplicates, know int64
	}{
		{"first", sitetest.PingLines("20180301", 0, 100), 100, 0, 0},
		{"overlapping", sitetest.PingLines("20180301", 50, 150), 50, 50, 50},
		{"twice in it", append(sitetest.PingLines("20180301", 140, 160), sitetest.PingLines("20180301", 155, 165)...), 15, 15, 10},
		{"another day", sitetest.PingLines("20180302", 0, 10), 10, 0, 0},
		{"both days", append(sitetest.PingLines("20180302", 0, 20), sitetest.PingLines("20180301", 160, 170)...), 15, 15, 15},
		{"another type", bytes.ReplaceAll(sitetest.PingLines("20180301", 0, 10), []byte("main"), []byte("crash")), 10, 0, 0},
		{"without ids", bytes.Repeat([]byte(`{"meta":{"docType":"main","submissionDate":"20180303"},"ping":{}}`+"\n"), 3), 3, 0, 0},
	} {
		l := mustLoad(t, s, step.content)
		addsUp(t, l)
		if l.Pings != step.pings || l.Duplicates != step.duplicates || l.Known != step.know {
			t.Errorf("%s: %+v", step.name, l)
		}
	}
	if l := mustLoad(t, s, sitetest.PingLines("20180301", 0, 100)); !l.AlreadyLoaded {
		t.Errorf("the first file again: %+v", l)
	}
	if all, different := documents(t, s, "20180301"); all != 170 || len(different) != 170 {
		t.Errorf("%d pings of %d documents", all, len(different))
	}
}

// TestLoadsShareDocuments loads several files with one memory, some of whose pings
// were taken back in between.
func TestLoadsShareDocuments(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	o := LoadOptions{Decode: ingest.DefaultConfig(), Documents: &Documents{}}
	load := func(content []byte, pings, known int64) Loaded {
		t.Helper()
		l, err := Load(context.Background(), s, bytes.NewReader(content), o)
		if err != nil || l.Pings != pings || l.Known != known {
			t.Fatalf("%+v, %v", l, err)
		}
		return l
	}
	first := load(sitetest.PingLines("20180301", 0, 30), 30, 0)
	load(sitetest.PingLines("20180301", 20, 40), 10, 10)
	load(sitetest.PingLines("20180301", 39, 41), 1, 1)
	if _, err := UndoLoad(context.Background(), s, first.Load); err != nil {
		t.Fatal(err)
	}
	load(sitetest.PingLines("20180301", 10, 35), 20, 5) // 10 to 29 are removed, 30 to 34 exist
}

// meanwhile is a bucket where something happens before a load writes its first file.
type meanwhile struct {
	store.Bucket

	do func()
}

func (b *meanwhile) Create(ctx context.Context, name string) (store.Writer, error) {
	if do := b.do; do != nil && strings.HasPrefix(name, "_staging/load/") {
		b.do = nil
		do()
	}
	return b.Bucket.Create(ctx, name)
}

// TestLoadMeanwhile brings a document of a file into the archive while the file is
// loaded.
func TestLoadMeanwhile(t *testing.T) {
	b := &meanwhile{Bucket: store.NewMemory()}
	s := sitetest.Memory(t, b)
	comes := func(load string, n int) {
		w, err := archive.NewWriter(context.Background(), s.Archive, archive.Options{Owner: "spool-edge"})
		require.NoError(t, err)
		var m ping.Meta
		m.SetString(ping.DocumentID, fmt.Sprintf("%08x-0000-4000-8000-000000000000", n))
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.SubmissionDate, "20180301")
		require.NoError(t, errors.Join(w.Append(&m, []byte("{}")), second(w.Close(context.Background(), load))))
	}
	b.do = func() { comes("spool.edge.1", 7) }
	if _, err := Load(context.Background(), s, bytes.NewReader(sitetest.PingLines("20180301", 0, 10)),
		LoadOptions{Decode: ingest.DefaultConfig()}); !errors.Is(err, errMeanwhile) {
		t.Fatalf("of a stream: %v", err)
	}
	if all, _ := documents(t, s, "20180301"); all != 1 {
		t.Fatalf("%d pings", all)
	}
	l := mustLoad(t, s, sitetest.PingLines("20180301", 0, 10))
	if addsUp(t, l); l.Known != 1 {
		t.Errorf("%+v", l)
	}
	// A file is read again.
	if _, err := UndoLoad(context.Background(), s, l.Load); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "pings")
	require.NoError(t, os.WriteFile(name, sitetest.PingLines("20180301", 0, 8), 0o600))
	l, err := LoadFile(context.Background(), s, name, nil, LoadOptions{Decode: ingest.DefaultConfig()})
	if addsUp(t, l); err != nil || l.Pings != 7 || l.Known != 1 {
		t.Errorf("%+v, %v", l, err)
	}
	b.do = func() { comes("spool.edge.2", 9) }
	require.NoError(t, os.WriteFile(name, sitetest.PingLines("20180301", 7, 12), 0o600))
	if l, err = LoadFile(context.Background(), s, name, nil, LoadOptions{Decode: ingest.DefaultConfig()}); err != nil || l.Pings != 3 ||
		l.Known != 2 {
		t.Errorf("%+v, %v", l, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestConfirm finds documents that came after they were looked for, also where a
// file is loaded again because of them.
func TestConfirm(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	d := &Documents{}
	d.begin()
	at := dayOfType{"20180301", "main"}
	if archived, again, err := d.seen(context.Background(), s.Archive, at, []byte("00000001-0000-4000-8000-000000000000")); archived ||
		again || err != nil {
		t.Fatal(archived, again, err)
	}
	mustLoad(t, s, sitetest.PingLines("20180301", 5, 9))
	if err := d.confirm(context.Background(), s.Archive); err != nil {
		t.Errorf("others came: %v", err)
	}
	mustLoad(t, s, sitetest.PingLines("20180301", 0, 2))
	if err := d.confirm(context.Background(), s.Archive); !errors.Is(err, errMeanwhile) {
		t.Errorf("the same came: %v", err)
	}
}

// TestUndoLoad takes loads back, and loads them again.
func TestUndoLoad(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	ctx := context.Background()
	content := append(sitetest.PingLines("20180301", 0, 20), "junk\n"...)
	first := mustLoad(t, s, content)
	mustLoad(t, s, sitetest.PingLines("20180302", 0, 5))
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	u, err := UndoLoad(ctx, s, first.Load)
	if err != nil || u.Pings != 20 || u.Errors != 1 || len(u.Stale) != 4 {
		t.Fatalf("%+v, %v", u, err)
	}
	if all, _ := documents(t, s, "20180301"); all != 0 {
		t.Errorf("%d pings are left", all)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables})
	if rows := sitetest.RowsOf(t, s, "main_summary", sitetest.Day); len(rows) != 0 {
		t.Errorf("%d rows are left", len(rows))
	}
	if u, err := UndoLoad(ctx, s, first.Load); err != nil || !u.Already {
		t.Errorf("again: %+v, %v", u, err)
	}
	for n, want := range []string{first.Load + ".2", first.Load + ".3"} {
		l := mustLoad(t, s, content)
		if l.AlreadyLoaded || l.Load != want || l.Pings != 20 {
			t.Errorf("loaded again, %d: %+v", n, l)
		}
		if l := mustLoad(t, s, content); !l.AlreadyLoaded {
			t.Errorf("and once more: %+v", l)
		}
		if _, err := UndoLoad(ctx, s, l.Load); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := documents(t, s, "20180302"); all != 5 {
		t.Errorf("%d pings of the other load", all)
	}
	for _, name := range []string{"nothing", "spool.edge.1", "re-1", ""} {
		if _, err := UndoLoad(ctx, s, name); err == nil {
			t.Errorf("undo of %q: no error", name)
		}
	}
	if a, err := archive.AuditNames(ctx, s.Archive, nil); err != nil || len(a.Damage)+len(a.Foreign) != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestUndoAfterForgetting takes back what a removal has left of a load, unless it
// is mixed with others'.
func TestUndoAfterForgetting(t *testing.T) {
	s := sitetest.Local(t)
	ctx := context.Background()
	all := sitetest.FromClients(6)
	one := mustLoad(t, s, sitetest.Lines(t, all[:3]))
	two := mustLoad(t, s, append(sitetest.Lines(t, all[3:]), '\n'))
	sitetest.AskToForget(t, s, "a", sitetest.At(9), sitetest.ClientOf(1))
	mustForget(t, s)
	if u, err := UndoLoad(ctx, s, one.Load); err != nil || u.Pings != 2 {
		t.Errorf("%+v, %v", u, err)
	}
	for i := range 6 {
		if got := sitetest.Mentioned(t, s, sitetest.ClientOf(i)) > 0; got != (i >= 3) {
			t.Errorf("client %d: %v", i, got)
		}
	}
	three := mustLoad(t, s, sitetest.Lines(t, all[:3]))
	sitetest.AskToForget(t, s, "b", sitetest.At(9), sitetest.ClientOf(2), sitetest.ClientOf(4))
	mustForget(t, s)
	for _, mixed := range []string{two.Load, three.Load} {
		if _, err := UndoLoad(ctx, s, mixed); err == nil || !strings.Contains(err.Error(), "nobody can tell their rows apart") {
			t.Errorf("undo of %s: %v", mixed, err)
		}
	}
}
