package lake

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// A manifest that does not fit is an error with the reason; the readable partitions are listed nevertheless.
func TestBadManifests(t *testing.T) {
	b := store.NewMemory()
	check(t, run(b, sampled, "aaaa", part0(0, 99)))
	good, err := store.ReadFile(ctx, b, "wide/v1/submission_date_obj=20180301/_manifest.json")
	check(t, err)
	for _, test := range []struct{ old, new, want string }{
		{`"format": 1`, `"format": 9`, "its format is 9"},
		{`"table": "wide"`, `"table": "other"`, "it is of other v1, want wide v1"},
		{`"version": "v1"`, `"version": "v0"`, "move the folder away or run with the version that wrote it"},
		{`"day": "20180301"`, `"day": "20180309"`, "it is of day 20180309"},
		{`"name": "sample_id=0/`, `"name": "../sample_id=0/`, "bad object name"},
		{`{`, ``, "invalid character"},
	} {
		bad := strings.Replace(string(good), test.old, test.new, 1)
		if bad == string(good) {
			t.Errorf("%s is not in the manifest", test.old)
		}
		check(t, store.WriteFile(ctx, b, "wide/v1/submission_date_obj=20180302/_manifest.json",
			[]byte(strings.Replace(bad, "20180301", "20180302", 1))))
		table := opened(b, sampled)
		if _, err := table.Partition(ctx, "20180302"); err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("with %s: %v", test.new, err)
		}
		all, err := table.Partitions(ctx)
		if len(all) != 1 || all[0].Day != "20180301" || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("with %s: %v, %v", test.new, all, err)
		}
	}
}

// What a program of another version has left in the making is made again.
func TestForeignStaging(t *testing.T) {
	b := localBucket(t)
	check(t, store.WriteFile(ctx, b, "_staging/wide/v1/submission_date_obj=20180301/zzzz/_manifest.json", []byte("{")))
	check(t, opened(b, sampled).Recover(ctx))
	check(t, run(b, sampled, "aaaa", part0(0, 99)))
	wantExactly(t, b, sampled, "aaaa 0")
}

func TestBadGenerations(t *testing.T) {
	for _, name := range []string{"", "a/b", "..", "old", "gone", "a-b"} {
		if _, err := Open(store.NewMemory(), sampled).Begin(ctx, day, name); err == nil {
			t.Errorf("began %q", name)
		}
	}
}

func TestFingerprint(t *testing.T) {
	one := []schema.Column{newColumn("a", "int"), newColumn("b", "map<string,int>")}
	same := []schema.Column{newColumn("a", "int"), newColumn("b", "map<string,int>")}
	same[0].Doc = "docs do not count"
	other := []schema.Column{newColumn("a", "long"), newColumn("b", "map<string,int>")}
	if Fingerprint(one) != Fingerprint(same) || Fingerprint(one) == Fingerprint(other) {
		t.Error("fingerprints do not follow the columns")
	}
}

// A run that was killed finds what its generation has finished.
func TestResume(t *testing.T) {
	for _, back := range backends {
		b := faulty(back.open(t), back.without)
		g, err := opened(b, sampled).Begin(ctx, day, "aaaa")
		check(t, err)
		_, err = makePart(g, part0(0, 99))
		check(t, err)
		again, err := opened(b, sampled).Begin(ctx, day, "aaaa")
		check(t, err)
		if text, ok := again.Checkpoint(ctx, "0"); !ok || string(text) != "done" {
			t.Errorf("%s: checkpoint %q, %v", back.name, text, ok)
		}
		other, err := opened(b, sampled).Begin(ctx, day, "bbbb")
		check(t, err)
		if _, ok := other.Checkpoint(ctx, "0"); ok {
			t.Errorf("%s: another generation has the checkpoint", back.name)
		}
		if !store.HasDirs(b) { // another server may be making the other one
			check(t, opened(b, sampled).Tidy(ctx, day))
		}
		again, err = opened(b, sampled).Begin(ctx, day, "aaaa")
		check(t, err)
		if _, ok := again.Checkpoint(ctx, "0"); ok {
			t.Errorf("%s: the generation survived another one", back.name)
		}
		for e := range b.List(ctx, "") {
			t.Errorf("%s: left %s", back.name, e.Name)
		}
	}
}

// Whatever a manifest holds, reading it gives a manifest of this table or an error.
func FuzzManifest(f *testing.F) {
	b := store.NewMemory()
	require.NoError(f, run(b, sampled, "aaaa", part0(0, 49), part0(50, 99)))
	good, err := store.ReadFile(ctx, b, "wide/v1/submission_date_obj=20180301/_manifest.json")
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte("{}"))
	table := opened(b, sampled)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := table.parseManifest(data)
		if err != nil {
			return
		}
		if m.Table != "wide" || m.Format != manifestFormat {
			t.Errorf("read %+v", m)
		}
		for _, file := range m.Files {
			if strings.Contains(file.Name, "../") || strings.HasPrefix(file.Name, "/") {
				t.Errorf("read a file named %q", file.Name)
			}
		}
	})
}
