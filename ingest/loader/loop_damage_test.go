package loader

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// witness is a log that keeps its errors.
type witness struct {
	mu    sync.Mutex
	lines []string
}

func (w *witness) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, string(p))
	return len(p), nil
}

// errors returns the lines about damage.
func (w *witness) errors() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lines {
		if strings.Contains(l, "level=ERROR") && strings.Contains(l, "damaged") {
			n++
		}
	}
	return n
}

// sealedSpool returns a folder of sealed segments with all submissions, each of them different; perCommit of them are
// in a commit.
func sealedSpool(t *testing.T, n, bodies int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := spool.Open(dir, spool.Options{Edge: "e1", SegmentBytes: 64 << 10, MinFree: -1, Now: (&sitetest.Clock{}).Now})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for at := 0; at < n; at += 5 {
		for i := at; i < min(n, at+5); i++ { // several in a commit
			r := submissionOf(i, bodies)
			wg.Go(func() {
				assert.NoError(t, s.Append(context.Background(), r))
			})
		}
		wg.Wait()
	}
	require.NoError(t, s.Close())
	return dir
}

// submissionOf returns a submission that is decoded to a ping.
func submissionOf(i, size int) *spool.Record {
	return &spool.Record{
		URI:  fmt.Appendf(nil, "/submit/telemetry/%08x-0000-4000-8000-000000000000/core/Fennec/60.0/nightly/20180301000000", i),
		Body: fmt.Appendf(nil, `{"v":1,"n":%d,"x":%q}`, i, strings.Repeat("abcdefgh", size/8)),
	}
}

// numbers returns the submissions in the archive, as pings or rejected, and how many places of damage are reported.
func numbers(t *testing.T, s *site.Site) (found map[string]bool, reported int) {
	t.Helper()
	ctx := context.Background()
	found = map[string]bool{}
	days, err := archive.Days(ctx, s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		a, err := archive.OpenDay(ctx, s.Archive, d.Day, d.DocType)
		require.NoError(t, err)
		for p, err := range a.Pings(ctx, 0, 100) {
			require.NoError(t, err)
			found[string(p.Body)] = true
		}
	}
	days, err = archive.ErrorDays(ctx, s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		if d.Day == "" {
			t.Error("damage without a day")
		}
		for r, err := range mustErrors(t, s, d.Day).All(ctx) {
			require.NoError(t, err)
			if r.Class == classRecord {
				reported++
			} else {
				found[string(r.Body)] = true
			}
		}
	}
	return found, reported
}

// copyDir copies the files of a folder.
func copyDir(t *testing.T, from string) (to string) {
	t.Helper()
	to = t.TempDir()
	require.NoError(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

// spoolDamage changes one thing in a sealed spool.
type spoolDamage struct {
	name string
	do   func(t *testing.T, r *rand.Rand, file string)
	most int // submissions that may be lost; 0: those of the segment
}

func changeFile(t *testing.T, file string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, change(b), 0o600))
}

var spoolDamages = []spoolDamage{
	{"flip a bit", func(t *testing.T, r *rand.Rand, file string) {
		changeFile(t, file, func(b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b })
	}, 1},
	{"cut", func(t *testing.T, r *rand.Rand, file string) {
		changeFile(t, file, func(b []byte) []byte { return b[:r.IntN(len(b))] })
	}, 0},
	{"zero a block", func(t *testing.T, r *rand.Rand, file string) {
		changeFile(t, file, func(b []byte) []byte { at := r.IntN(len(b)) / 4096 * 4096; clear(b[at:min(at+4096, len(b))]); return b })
	}, 0},
	{"delete", func(t *testing.T, _ *rand.Rand, file string) {
		require.NoError(t, os.Remove(file))
	}, 0},
	{"a folder in its place", func(t *testing.T, _ *rand.Rand, file string) {
		require.NoError(t, os.Remove(file))
		require.NoError(t, os.Mkdir(file, 0o700))
	}, 0},
	{"a link in its place", func(t *testing.T, _ *rand.Rand, file string) {
		require.NoError(t, os.Rename(file, file+".elsewhere"))
		if err := os.Symlink(file+".elsewhere", file); err != nil {
			t.Skip(err)
		}
	}, 0},
}

// TestSpoolDamage spoolDamages one place of a sealed spool of acknowledged submissions
// after the other: all others get into the archive, and no loss is silent. Half of
// the times decoding was at work on the spool before, half by a follower.
func TestSpoolDamage(t *testing.T) {
	const n = 60
	for _, size := range []int{200, 6000} {
		whole := sealedSpool(t, n, size)
		for _, d := range spoolDamages {
			rounds := 12
			if testing.Short() || d.most == 0 && d.name != "cut" && d.name != "zero a block" {
				rounds = 4
			}
			for seed := range rounds {
				t.Run(fmt.Sprintf("%s/%d/%d", d.name, size, seed), func(t *testing.T) {
					damageOnce(t, whole, d, n, size, rand.New(rand.NewPCG(uint64(seed), uint64(size))))
				})
			}
		}
	}
}

func damageOnce(t *testing.T, whole string, d spoolDamage, n, size int, r *rand.Rand) {
	dir := copyDir(t, whole)
	segments, err := spool.List(dir)
	require.NoError(t, err)
	hit := r.IntN(len(segments))
	var w witness
	v := newService(t, sitetest.Memory(t, store.NewMemory()))
	v.dir = dir
	v.opts.Log = slog.New(slog.NewTextHandler(&w, nil))
	if hit > 0 && r.IntN(2) == 0 {
		decodeFirst(t, v, segments[hit:]) // the damage is met by a process that knows what came before
	} else {
		hit = max(hit, 1) // of the very first segment nothing knows whether it was decoded long ago
		if d.name != "delete" {
			hit = r.IntN(len(segments))
		}
	}
	file := segments[hit].Path
	d.do(t, r, file)
	if r.IntN(2) == 0 {
		v.start()
		v.finish()
	} else {
		v.opts.ArchiveEvery, v.stop = time.Second, nil
		end := v.follow()
		v.awaitThat("all is decoded", func() bool { left, err := spool.List(dir); return err == nil && len(left) == 0 })
		end()
	}
	found, reported := numbers(t, v.site)
	lost := 0
	for i := range n {
		if !found[string(submissionOf(i, size).Body)] {
			lost++
		}
	}
	if most := max(d.most, segments[hit].Records); d.most == 1 && lost > 1 || lost > most {
		t.Errorf("%d submissions are lost, of %d in the segment", lost, segments[hit].Records)
	}
	if len(found) > n {
		t.Errorf("%d submissions of %d", len(found), n)
	}
	damaged, err := spool.ListDamaged(dir)
	require.NoError(t, err)
	status, err := status.Read(context.Background(), v.site, status.Options{Now: v.clock.Now(), Spool: dir})
	require.NoError(t, err)
	if loud := reported > 0 && len(damaged) == 1 && w.errors() > 0 && len(status.Trouble) == 1; lost > 0 && !loud {
		t.Errorf("%d are lost: %d told, kept %v, %d errors logged, status %q", lost, reported, damaged, w.errors(), status.Trouble)
	}
	if left, err := spool.List(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	for _, k := range damaged { // what was decoded does not stay
		b, err := os.ReadFile(k.Path)
		if err != nil {
			continue // no file
		}
		for body := range found {
			if strings.Contains(string(b), body) && d.name != "a link in its place" {
				t.Errorf("%s has a submission that is in the archive", k.Path)
			}
		}
	}
}

// decodeFirst decodes all segments but those given, and puts these back.
func decodeFirst(t *testing.T, v *service, without []spool.Segment) {
	t.Helper()
	aside := t.TempDir()
	for _, g := range without {
		require.NoError(t, os.Rename(g.Path, filepath.Join(aside, filepath.Base(g.Path))))
	}
	floor, err := os.ReadFile(filepath.Join(v.dir, "floor"))
	require.NoError(t, err)
	// As if these had not been sealed yet.
	require.NoError(t, os.Remove(filepath.Join(v.dir, "floor")))
	v.start()
	v.finish()
	require.NoError(t, os.WriteFile(filepath.Join(v.dir, "floor"), floor, 0o600))
	for _, g := range without {
		require.NoError(t, os.Rename(filepath.Join(aside, filepath.Base(g.Path)), g.Path))
	}
}

// TestLossText: the log does not call lost what the count shows to be there.
func TestLossText(t *testing.T) {
	for n, want := range map[int]string{0: "by their count no acknowledged submission is lost", 1: "acknowledged submissions are lost",
		-1: "acknowledged submissions are lost"} {
		if got := lossText(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
