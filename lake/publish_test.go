package lake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

var ctx = context.Background()

const day = "20180301"

// sampled is a table with a folder for each sample, daily one without.
var (
	sampled = &schema.Table{Name: "wide", Dir: "wide", Version: "v1", PartitionKeys: []string{"submission_date_obj", "sample_id"},
		Columns: []schema.Column{newColumn("a", "int")}}
	daily = &schema.Table{Name: "crash", Dir: "crash", Version: "v1", PartitionKeys: []string{"submission_date"}, DashedDays: true}
)

// backends are the kinds of buckets to publish in: how they are made, and
// which abilities are taken from them.
var backends = []struct {
	name    string
	open    func(t *testing.T) store.Bucket
	without []string
}{
	{"local", localBucket, nil},
	{"local without exchange", localBucket, []string{"exchange"}},
	{"local without links", localBucket, []string{"link"}},
	{"local without grace", localBucket, []string{"grace"}},
	{"memory", func(*testing.T) store.Bucket { return store.NewMemory() }, []string{"grace"}},
}

func localBucket(t *testing.T) store.Bucket {
	b, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	return b
}

// opened opens a table that keeps what was replaced for an hour, unless it is of
// a bucket without "grace".
func opened(b store.Bucket, t *schema.Table) *Table {
	table := Open(b, t)
	if f, ok := b.(*storetest.Faults); !ok || !f.Lacks("grace") {
		table.Grace = Grace{For: time.Hour, Now: time.Now}
	}
	if s, ok := servers.Load(b); ok {
		return s.(server).open(table)
	}
	return table
}

// keeps returns n where a bucket keeps what was replaced, else 0.
func keeps(b *storetest.Faults, n int) int {
	if b.Lacks("grace") || b.Lacks("link") || !store.HasDirs(b) {
		return 0
	}
	return n
}

// faulty wraps a bucket without the given abilities.
func faulty(b store.Bucket, without []string) *storetest.Faults {
	f := storetest.NewFaults(b)
	for _, op := range without {
		f.Without(op)
	}
	return f
}

// run makes and publishes a generation of parts: a file and a checkpoint for each.
func run(b store.Bucket, t *schema.Table, name string, parts ...Part) error {
	table := opened(b, t)
	g, err := table.Begin(ctx, day, name)
	if err != nil {
		return err
	}
	var m Manifest
	for _, p := range parts {
		f, err := makePart(g, p)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
		m.Parts = append(m.Parts, p)
	}
	base, err := table.Partition(ctx, day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return g.Publish(ctx, m, base)
}

func makePart(g *Generation, p Part) (File, error) {
	f, err := addFile(g, p, fmt.Appendf(nil, "%s %d", g.name, p.Lo))
	if err != nil {
		return File{}, err
	}
	return f, g.SaveCheckpoint(ctx, fmt.Sprint(p.Lo), []byte("done"))
}

// addFile makes the file of a part with some content, as if it had one row.
func addFile(g *Generation, p Part, data []byte) (File, error) {
	sub := fmt.Sprintf("sample_id=%d", p.Lo)
	if len(g.table.Schema.PartitionKeys) == 1 {
		sub = ""
	}
	w, err := g.Create(ctx, g.FileName(sub, p.Lo, 0))
	if err != nil {
		return File{}, err
	}
	defer w.Abort()
	if _, err := w.Write(data); err != nil {
		return File{}, err
	}
	f, err := w.Finish()
	f.Lo, f.Hi, f.Rows = p.Lo, p.Hi, 1
	return f, err
}

// published returns the manifest of the day.
func published(t *testing.T, b store.Bucket, table *schema.Table) *Manifest {
	t.Helper()
	m, err := opened(b, table).Partition(ctx, day)
	require.NoError(t, err)
	return m
}

func part0(lo, hi int) Part { return Part{Lo: lo, Hi: hi, Work: "w"} }

// contents reads what a partition's manifest lists and checks it against the
// manifest. The result is sorted.
func contents(t *testing.T, b store.Bucket, m *Manifest, table *schema.Table) []string {
	t.Helper()
	var all []string
	checkCompact(t, b, m, table)
	paths := opened(b, table).Paths(ctx, m)
	for _, f := range m.Files {
		data, err := store.ReadFile(ctx, b, paths(f.Name))
		own, ownErr := store.ReadFile(ctx, b, opened(b, table).Path(day, f.Name))
		if err = errors.Join(err, ownErr); err == nil && !bytes.Equal(data, own) {
			err = fmt.Errorf("%s is not what the partition has", paths(f.Name))
		}
		if err != nil {
			t.Errorf("generation %s: %v", m.Generation, err)
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(data)) != f.Bytes {
			t.Errorf("%s is not as the manifest says", f.Name)
		}
		all = append(all, string(data))
	}
	slices.Sort(all)
	return all
}

// foreign lists the parquet files that a reader sees who knows no manifests.
func foreign(t *testing.T, b store.Bucket, table *schema.Table) (names []string) {
	t.Helper()
	for e, err := range b.List(ctx, table.Prefix()+"/") {
		require.NoError(t, err)
		if strings.HasSuffix(e.Name, ".parquet") {
			names = append(names, strings.TrimPrefix(e.Name, opened(b, table).dir(day)+"/"))
		}
	}
	return names
}

// wantExactly checks that the partition and the bucket hold these contents and
// nothing else.
func wantExactly(t *testing.T, b store.Bucket, table *schema.Table, want ...string) {
	t.Helper()
	m, err := opened(b, table).Partition(ctx, day)
	if err != nil {
		t.Error(err)
		return
	}
	if got := contents(t, b, m, table); !slices.Equal(got, want) {
		t.Errorf("generation %s has %q, want %q", m.Generation, got, want)
	}
	var listed []string
	for _, f := range m.Files {
		listed = append(listed, f.Name)
	}
	if names := foreign(t, b, table); !slices.Equal(names, listed) {
		t.Errorf("readers without manifests see %q, want %q", names, listed)
	}
	for e := range b.List(ctx, "") {
		if strings.HasPrefix(e.Name, stagingRoot) || strings.Contains(e.Name, "_task-") {
			t.Errorf("left over: %s", e.Name)
		}
	}
}

func TestPublish(t *testing.T) {
	for _, back := range backends {
		for _, table := range []*schema.Table{sampled, daily} {
			t.Run(back.name+" "+table.Name, func(t *testing.T) {
				b := faulty(back.open(t), back.without)
				if _, err := opened(b, table).Partition(ctx, day); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("before: %v", err)
				}
				check(t, run(b, table, "aaaa", part0(0, 49), part0(50, 99)))
				wantExactly(t, b, table, "aaaa 0", "aaaa 50")
				check(t, run(b, table, "bbbb", part0(0, 49)))
				wantExactly(t, b, table, "aaaa 50", "bbbb 0")
				check(t, run(b, table, "cccc", part0(0, 99)))
				wantExactly(t, b, table, "cccc 0")
				check(t, run(b, table, "cccc", part0(0, 99))) // once more
				wantExactly(t, b, table, "cccc 0")
				check(t, opened(b, table).Expire(ctx, day))
				check(t, opened(b, table).Expire(ctx, day))
				for e := range b.List(ctx, "") {
					t.Errorf("after Expire: %s", e.Name)
				}
			})
		}
	}
}

// Equal work gives equal bytes, the manifest's too.
func TestManifestIsDeterministic(t *testing.T) {
	var first []byte
	for _, parts := range [][]Part{{part0(0, 49), part0(50, 99)}, {part0(50, 99), part0(0, 49)}} {
		b := store.NewMemory()
		check(t, run(b, sampled, "aaaa", parts...))
		data, err := store.ReadFile(ctx, b, "wide/v1/submission_date_obj=20180301/_manifest.json")
		check(t, err)
		if first != nil && !bytes.Equal(first, data) {
			t.Errorf("manifests differ:\n%s\n%s", first, data)
		}
		first = data
	}
}

func TestPublishKeepsRanges(t *testing.T) {
	b := localBucket(t)
	check(t, run(b, sampled, "aaaa", part0(0, 9), part0(10, 10), part0(11, 19)))
	// The file of samples 0 to 9 cannot be divided.
	if err := run(b, sampled, "bbbb", part0(5, 10)); err == nil {
		t.Error("replaced half a file")
	}
	check(t, run(b, sampled, "cccc", part0(10, 10)))
	m := published(t, b, sampled)
	if !m.Covers(part0(0, 9)) || !m.Covers(part0(10, 10)) || m.Covers(part0(0, 19)) || m.Rows != 3 || len(m.Parts) != 3 {
		t.Errorf("got %+v", m)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	assert.NoError(t, err)
}
