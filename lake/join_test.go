package lake

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// joinedTask makes a file of a generation and the checkpoint of its task, as a process that joined does.
func joinedTask(t *testing.T, b store.Bucket, task string, lo int) {
	t.Helper()
	g, err := Open(b, sampled).Join(ctx, day, "bbbb")
	require.NoError(t, err)
	w, err := g.Create(ctx, g.FileName("sample_id=0", lo, 0))
	require.NoError(t, err)
	_, err = w.Write([]byte(task))
	require.NoError(t, err)
	_, err = w.Finish()
	require.NoError(t, err)
	require.NoError(t, g.SaveCheckpoint(ctx, task, []byte(task)))
}

// TestJoin: the server that begins the generation finds the files of the processes that joined, whether it has
// made some itself or not; one that goes on writing finds no folder.
func TestJoin(t *testing.T) {
	for _, back := range backends[:3] {
		for _, own := range []bool{false, true} {
			t.Run(back.name, func(t *testing.T) {
				b := faulty(back.open(t), back.without)
				server := Open(b, sampled)
				server.Token = "east"
				if own {
					g, err := server.Begin(ctx, day, "bbbb")
					require.NoError(t, err)
					require.NoError(t, g.SaveCheckpoint(ctx, "own", []byte("own")))
				}
				joinedTask(t, b, "000-049", 0)
				joinedTask(t, b, "050-100", 50)
				late, err := Open(b, sampled).Join(ctx, day, "bbbb")
				require.NoError(t, err)
				file, err := late.Create(ctx, late.FileName("sample_id=0", 7, 0))
				require.NoError(t, err)

				g, err := server.Begin(ctx, day, "bbbb")
				require.NoError(t, err)
				want := []string{"000-049", "050-100"}
				if own {
					want = append(want, "own")
				}
				for _, task := range want {
					if got, ok := g.Checkpoint(ctx, task); !ok || string(got) != task {
						t.Errorf("checkpoint %s: %q, %v", task, got, ok)
					}
				}
				for _, lo := range []int{0, 50} {
					_, err := b.Open(ctx, g.Path(g.FileName("sample_id=0", lo, 0)))
					require.NoError(t, err)
				}
				if _, err := file.Finish(); !errors.Is(err, errTaken) {
					t.Errorf("a late file: %v", err)
				}
				if err := late.SaveCheckpoint(ctx, "late", nil); !errors.Is(err, errTaken) {
					t.Errorf("a late checkpoint: %v", err)
				}
			})
		}
	}
}

// TestJoinCrashes ends the server that takes the work over before each of its operations: after the next one has begun, nothing is lost.
func TestJoinCrashes(t *testing.T) {
	for _, own := range []bool{false, true} {
		for n, ended := 1, false; !ended; n++ {
			inner := localBucket(t)
			joinedTask(t, inner, "000-100", 0)
			if own {
				server := Open(inner, sampled)
				server.Token = "east"
				_, err := server.Begin(ctx, day, "bbbb") // takes the first over
				require.NoError(t, err)
				joinedTask(t, inner, "050-100", 50)
			}
			b := storetest.NewFaults(inner)
			b.StopAfter(n)
			server := Open(b, sampled)
			server.Token = "east"
			_, err := server.Begin(ctx, day, "bbbb")
			ended = err == nil
			server = Open(inner, sampled)
			server.Token = "east"
			g, err := server.Begin(ctx, day, "bbbb")
			require.NoError(t, err)
			if _, ok := g.Checkpoint(ctx, "000-100"); !ok {
				t.Errorf("own %v: lost at operation %d", own, n)
			}
			if _, ok := g.Checkpoint(ctx, "050-100"); own && !ok {
				t.Errorf("what came later is lost at operation %d", n)
			}
		}
	}
}
