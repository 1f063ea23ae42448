package lake

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// aged opens a table whose clock reads now.
func aged(b store.Bucket, now *time.Time) *Table {
	table := Open(b, sampled)
	table.Grace = Grace{For: time.Hour, Now: func() time.Time { return *now }}
	return table
}

// publishAt publishes a generation of one file with its name as content.
func publishAt(t *testing.T, table *Table, name string) {
	t.Helper()
	g, err := table.Begin(ctx, day, name)
	require.NoError(t, err)
	f, err := makePart(g, part0(0, 99))
	if err == nil {
		err = g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil)
	}
	require.NoError(t, err)
}

// retainedFiles are the files that are kept, by the tag of their generation.
func retainedNames(t *testing.T, b store.Bucket) (all []string) {
	t.Helper()
	for e, err := range b.List(ctx, retainedRoot+"/") {
		check(t, err)
		if _, name, ok := strings.Cut(e.Name, "part-000-000-"); ok {
			all = append(all, strings.TrimSuffix(name, ".parquet"))
		}
	}
	slices.Sort(all)
	return all
}

// What was replaced stays for an hour from then on, and goes with the next publication after that, or when it is swept.
// The reader of a manifest finds its files all that time, also when the generation comes back.
func TestGrace(t *testing.T) {
	b := localBucket(t)
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	table := aged(b, &now)
	manifests := map[string]*Manifest{}
	step := func(after time.Duration, name string, want ...string) {
		t.Helper()
		now = now.Add(after)
		if name != "" {
			publishAt(t, table, name)
			m, err := table.Partition(ctx, day)
			check(t, err)
			manifests[name] = m
		} else {
			check(t, table.Sweep(ctx, day))
		}
		if got := retainedNames(t, b); !slices.Equal(got, want) {
			t.Errorf("%s: kept %q, want %q", now.Format("15:04"), got, want)
		}
		for name, m := range manifests {
			data, err := store.ReadFile(ctx, b, table.Paths(ctx, m)(m.Files[0].Name))
			if readable := slices.Contains(want, name); readable != (err == nil) || readable && string(data) != name+" 0" {
				t.Errorf("%s: a reader of %s: %q, %v", now.Format("15:04"), name, data, err)
			}
		}
	}
	step(0, "aaaa", "aaaa")
	step(5*time.Hour, "bbbb", "aaaa", "bbbb") // its time begins now, not when it was made
	step(59*time.Minute, "", "aaaa", "bbbb")
	step(30*time.Second, "cccc", "aaaa", "bbbb", "cccc")
	step(time.Minute, "", "bbbb", "cccc")
	step(50*time.Minute, "bbbb", "bbbb", "cccc") // it is back
	step(30*time.Minute, "", "bbbb", "cccc")
	step(30*time.Minute, "dddd", "bbbb", "dddd")
	step(-10*time.Hour, "", "bbbb", "dddd") // a clock that was wrong
	step(time.Hour, "", "dddd")
	all, err := table.Replaced(ctx)
	if err != nil || len(all) != 0 {
		t.Errorf("replaced: %+v, %v", all, err)
	}
}

func TestReplaced(t *testing.T) {
	b := localBucket(t)
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	table := aged(b, &now)
	for i := range 5 {
		publishAt(t, table, fmt.Sprintf("aaa%d", i))
		now = now.Add(time.Minute)
	}
	all, err := table.Replaced(ctx)
	if want := (Replaced{Day: day, Files: 4, Bytes: 4 * 6, Since: now.Add(-4 * time.Minute)}); err != nil || len(all) != 1 || all[0] != want {
		t.Errorf("got %+v, want %+v, %v", all, want, err)
	}
	if table.Over(all[0]) {
		t.Error("over before the time")
	}
	now = now.Add(time.Hour)
	if !table.Over(all[0]) || !Open(b, sampled).Over(all[0]) {
		t.Error("not over")
	}
	// A record that cannot be read is made again, and the time begins again.
	record := table.retainedDir(day) + "/" + retainedName
	check(t, store.WriteFile(ctx, b, record, []byte("garbage")))
	check(t, table.Sweep(ctx, day))
	if n := len(retainedNames(t, b)); n != 5 {
		t.Errorf("%d files are kept", n)
	}
	// Without grace nothing is kept any more.
	table.Grace = Grace{}
	check(t, table.Sweep(ctx, day))
	for e := range b.List(ctx, retainedRoot) {
		t.Errorf("kept without grace: %s", e.Name)
	}
	if m, err := table.Partition(ctx, day); err != nil || !slices.Equal(contents(t, b, m, sampled), []string{"aaa4 0"}) {
		t.Errorf("the partition: %+v, %v", m, err)
	}
}

// A lake that was copied without what is kept is as good, and the next publication
// keeps what it keeps.
func TestWithoutKept(t *testing.T) {
	b := localBucket(t)
	check(t, run(b, sampled, "aaaa", part0(0, 49), part0(50, 99)))
	check(t, store.DeleteTree(ctx, b, retainedRoot))
	wantExactly(t, b, sampled, "aaaa 0", "aaaa 50")
	check(t, run(b, sampled, "bbbb", part0(0, 49)))
	wantExactly(t, b, sampled, "aaaa 50", "bbbb 0")
	m := published(t, b, sampled)
	if dir := opened(b, sampled).filesDir(ctx, m); dir != opened(b, sampled).retainedDir(day) {
		t.Errorf("read in %s", dir)
	}
	// Single files may be missing, too.
	check(t, b.Delete(ctx, opened(b, sampled).retainedDir(day)+"/sample_id=50/part-050-000-aaaa.parquet"))
	check(t, run(b, sampled, "cccc", part0(0, 49)))
	wantExactly(t, b, sampled, "aaaa 50", "cccc 0")
}

// Removing a client's rows ends the grace of the files that have them, and of no
// others.
func TestRewriteEndsGrace(t *testing.T) {
	b := localBucket(t)
	check(t, putClients(b, sampled, "aaaa", clientFiles()))
	m := published(t, b, sampled)
	paths := opened(b, sampled).Paths(ctx, m)
	with := map[string]bool{}
	for _, f := range m.Files {
		with[f.Name] = true
	}
	// A run has made the day again without them, before the rows were removed.
	check(t, run(b, sampled, "bbbb", part0(0, 39)))
	got, err := opened(b, sampled).Rewrite(ctx, day, Rewrite{Name: "cccc", Keys: []Key{{"client_id", func([]byte) bool { return false }}}})
	if err == nil {
		t.Fatalf("files that are no parquet were read: %+v", got)
	}
	check(t, putClients(b, sampled, "dddd", map[int][]byte{0: clientFile("x", "y")}))
	got, err = opened(b, sampled).Rewrite(ctx, day, forget("eeee", "b", "c"))
	if err != nil || got.Rows != 0 || got.Generation != "dddd" || got.Replaced == 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	var left []string
	for _, name := range slices.Sorted(maps.Keys(with)) {
		if _, err := store.ReadFile(ctx, b, paths(name)); err == nil {
			left = append(left, name)
		}
	}
	if !slices.Equal(left, []string{"sample_id=20/part-020-000-aaaa.parquet"}) {
		t.Errorf("left of the replaced generation: %q", left)
	}
}
