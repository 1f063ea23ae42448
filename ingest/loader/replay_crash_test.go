package loader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// mixedSubmissions returns some that will be pings, some that fail again and some copies.
func mixedSubmissions() []sitetest.Sent {
	all := sitetest.AFewDays(20)
	all[3].Body = "{broken"
	all[4].Id = all[2].Id
	return append(all, sitetest.Sent{Path: "/elsewhere", Body: "{}", At: sitetest.Arrival})
}

// outcomeOf returns all that readers find in an archive, in a word.
func outcomeOf(t testing.TB, b store.Bucket) string {
	return strings.Join(append(sitetest.PingsOf(t, b), errorsOf(t, b)...), "\n")
}

// TestReplayCrash stops a replay at every operation. Readers find the state
// before or the one after, whole; done again it ends as if nothing had happened.
func TestReplayCrash(t *testing.T) {
	strict, all := strictSchemas(t), mixedSubmissions()
	reference := sitetest.Memory(t, store.NewMemory())
	loadStrictly(t, reference, strict, all)
	before := outcomeOf(t, reference.Archive)
	if r := mustReplay(t, reference, ReplayOptions{}); r.Pings != 18 || r.Duplicates != 1 || r.Failed != 2 {
		t.Fatalf("%+v", r)
	}
	after, want := outcomeOf(t, reference.Archive), objectsOf(t, reference.Archive)
	seen := map[string]bool{}
	s := sitetest.Memory(t, nil)
	for n := 0; ; n++ {
		b := store.NewMemory()
		s.Archive = b
		loadStrictly(t, s, strict, all)
		f := storetest.NewFaults(b)
		f.StopAfter(n)
		s.Archive = f
		_, err := Replay(context.Background(), s, ReplayOptions{})
		if err != nil && !errors.Is(err, storetest.ErrStopped) {
			t.Fatal(err)
		}
		got := outcomeOf(t, b)
		if got != before && got != after {
			t.Fatalf("stopped after %d operations there is:\n%s", n, got)
		}
		seen[got] = true
		if !f.Stopped() {
			break
		}
		s.Archive = b
		mustReplay(t, s, ReplayOptions{})
		if got := objectsOf(t, b); !slices.Equal(got, want) {
			t.Fatalf("stopped after %d operations, then:\n%s\ninstead of\n%s", n, got, want)
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d states seen", len(seen))
	}
}

// replayDir, when set, makes TestReplayChild replay in the installation there.
const replayDir = "PINGMILL_TEST_REPLAY"

// TestReplayChild is the process that TestReplayKilled kills; otherwise nothing.
// It says when it begins, and takes its time to write.
func TestReplayChild(t *testing.T) {
	dir := os.Getenv(replayDir)
	if dir == "" {
		return
	}
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	s.Archive = &tellingBucket{Bucket: s.Archive}
	mustReplay(t, s, ReplayOptions{Decode: ingest.Config{}})
}

// tellingBucket prints a line before each commit and deletion, and waits until
// standard input has a byte for it.
type tellingBucket struct{ store.Bucket }

func request(what string) {
	fmt.Println("about to", what)
	var b [1]byte
	if _, err := os.Stdin.Read(b[:]); err != nil {
		os.Exit(3)
	}
}

type tellingWriter struct {
	store.Writer
	name string
}

func (b *tellingBucket) Create(ctx context.Context, name string) (store.Writer, error) {
	w, err := b.Bucket.Create(ctx, name)
	return &tellingWriter{w, name}, err
}

func (w *tellingWriter) Commit() error {
	request("commit " + w.name)
	return w.Writer.Commit()
}

func (b *tellingBucket) Delete(ctx context.Context, name string) error {
	request("delete " + name)
	return b.Bucket.Delete(ctx, name)
}

// TestReplayKilled kills a replaying process before its first, second, … step
// that others can see, and replays again.
func TestReplayKilled(t *testing.T) {
	strict, all := strictSchemas(t), mixedSubmissions()
	var want string
	for kill := 1; ; kill++ {
		dir := filepath.Join(t.TempDir(), "site")
		s, err := sitetest.Open(dir)
		require.NoError(t, err)
		loadStrictly(t, s, strict, all)
		before := outcomeOf(t, s.Archive)
		ended := replayAndKill(t, dir, kill)
		got := outcomeOf(t, s.Archive)
		mustReplay(t, s, ReplayOptions{})
		after := outcomeOf(t, s.Archive)
		if want == "" {
			want = after
		}
		if got != before && got != after || after != want || after == before {
			t.Fatalf("killed at step %d there is:\n%s\nand then:\n%s", kill, got, after)
		}
		for _, o := range objectsOf(t, s.Archive) {
			if strings.Contains(o, "_staging") {
				t.Errorf("killed at step %d, then still there: %s", kill, o)
			}
		}
		require.NoError(t, s.Close())
		if ended {
			if kill < 5 {
				t.Errorf("a replay has %d steps only", kill)
			}
			return
		}
	}
}

// replayAndKill replays in a process that is killed at a step. It says true
// when the process had ended by itself.
func replayAndKill(t *testing.T, dir string, step int) (ended bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestReplayChild$")
	cmd.Env = append(os.Environ(), replayDir+"="+dir)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer cmd.Wait()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch {
		case !strings.HasPrefix(lines.Text(), "about to"):
		case step == 1:
			require.NoError(t, cmd.Process.Kill())
			return false
		default:
			step--
			if _, err := in.Write([]byte{'\n'}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return true
}
