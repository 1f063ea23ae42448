package order

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

var noon = time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, b store.Bucket, by string, settle func(context.Context, Entry) (bool, error)) *Log {
	t.Helper()
	l, err := Open(t.Context(), b, Options{
		By: by, Now: func() time.Time { return noon }, Settle: settle, Pause: time.Microsecond, Looks: 3,
	})
	require.NoError(t, err)
	return l
}

// commit commits a load, whatever the others have committed before, and gives that.
func commit(t testing.TB, l *Log, load string) (before []string) {
	t.Helper()
	for {
		err := l.Begin(t.Context(), load, "_staging/"+load)
		if err == nil {
			assert.NoError(t, l.End(t.Context(), load, "_staging/"+load))
			return before
		}
		if !assert.ErrorIs(t, err, ErrBehind) {
			return before
		}
		news, err := l.News(t.Context())
		assert.NoError(t, err)
		for _, e := range news {
			before = append(before, e.Load)
		}
	}
}

func never(context.Context, Entry) (bool, error) {
	return false, errors.New("nobody has died")
}

// Many servers commit at once, more than one object of the list has. Each knows what
// was committed before each of its own commits, and all see one order.
func TestOrder(t *testing.T) {
	b := store.NewMemory()
	const servers, each = 4, chunkSize/4 + 10
	known := make([][]string, servers) // by server: all loads in the order in which it got to know them
	var group sync.WaitGroup
	for s := range servers {
		l := open(t, b, fmt.Sprint("server ", s), never)
		l.o.Looks = 1 << 30
		group.Go(func() {
			for i := range each {
				load := fmt.Sprintf("s%d-%d", s, i)
				known[s] = append(append(known[s], commit(t, l, load)...), load)
			}
		})
	}
	group.Wait()
	news, err := open(t, b, "reader", never).News(t.Context())
	require.NoError(t, err)
	var all []string
	for _, e := range news {
		all = append(all, e.Load)
	}
	require.Len(t, all, servers*each)
	for s := range servers {
		assert.Equal(t, all[:len(known[s])], known[s], "server %d", s)
	}
	numbers, err := chunks(t.Context(), b)
	require.NoError(t, err)
	assert.Len(t, numbers, (servers*each+chunkSize-1)/chunkSize)
}

// listing is a bucket in which something happens before it is listed.
type listing struct {
	store.Bucket
	before func()
}

func (b *listing) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	b.before()
	return b.Bucket.List(ctx, prefix)
}

// The next object of the list is made between two looks of a server at it.
func TestOrderGoesOnMeanwhile(t *testing.T) {
	b := store.NewMemory()
	l, other := open(t, b, "one", never), open(t, b, "two", never)
	for i := range chunkSize {
		commit(t, other, fmt.Sprint("l", i))
	}
	l.bucket = &listing{b, sync.OnceFunc(func() { commit(t, other, "next") })}
	news, err := l.News(t.Context())
	require.NoError(t, err)
	assert.Len(t, news, chunkSize+1)
}

// What a server had begun before it died is finished by the next one, or by itself; one
// that comes again after that does not commit a second time.
func TestOrderAfterADeath(t *testing.T) {
	for _, done := range []bool{true, false} {
		b := store.NewMemory()
		settle := func(_ context.Context, e Entry) (bool, error) {
			assert.Equal(t, "a", e.Load)
			return done, nil
		}
		dead := open(t, b, "one", never)
		require.NoError(t, dead.Begin(t.Context(), "a", "_staging/a"))
		two := open(t, b, "two", settle)
		want := []string(nil)
		if done {
			want = []string{"a"}
		}
		assert.Equal(t, want, commit(t, two, "b"))
		had, err := two.Had(t.Context(), "a", "_staging/a")
		assert.True(t, err == nil && had == done, "%v, %v", had, err)
		if err := dead.End(t.Context(), "a", "_staging/a"); (err == nil) != done {
			t.Errorf("the end after all: %v", err)
		}
		had, err = two.Had(t.Context(), "a", "_staging/other")
		assert.True(t, err == nil && !had, "another attempt: %v, %v", had, err)
	}
	b := store.NewMemory()
	require.NoError(t, open(t, b, "one", never).Begin(t.Context(), "a", "_staging/a"))
	l := open(t, b, "one", func(context.Context, Entry) (bool, error) { return true, nil })
	require.NoError(t, l.Recover(t.Context()))
	assert.Equal(t, []string{"a"}, commit(t, open(t, b, "two", never), "b"))
}

// A write without an answer, which happened or did not, gives the turn at most once.
func TestOrderWithFaults(t *testing.T) {
	for at := 1; at < 6; at++ {
		f := storetest.NewFaults(store.NewMemory())
		l := open(t, f, "one", func(context.Context, Entry) (bool, error) { return true, nil })
		f.FailAt(at, errors.New("injected"))
		for i := range 4 {
			load := fmt.Sprint("l", i)
			for try := 0; ; try++ {
				err := l.Begin(t.Context(), load, "_staging/"+load)
				if errors.Is(err, ErrBehind) {
					_, err = l.News(t.Context())
					require.NoError(t, err)
					continue
				}
				if err == nil {
					_ = l.End(t.Context(), load, "_staging/"+load) // the next Begin does it
					break
				}
				require.Less(t, try, 3, "%v", err)
			}
		}
		require.NoError(t, l.Recover(t.Context()))
		news, err := open(t, f, "reader", never).News(t.Context())
		require.NoError(t, err)
		assert.Len(t, news, 4)
	}
}

// Old entries go; a server that slept for longer than they are kept begins again.
func TestOrderIsPruned(t *testing.T) {
	b := store.NewMemory()
	l, sleeper := open(t, b, "one", never), open(t, b, "two", never)
	for i := range 3 * chunkSize {
		l.o.Now = func() time.Time { return noon.Add(time.Duration(i) * time.Hour) }
		commit(t, l, fmt.Sprint("l", i))
	}
	numbers, err := chunks(t.Context(), b)
	require.NoError(t, err)
	assert.Equal(t, []int{2, 3}, numbers) // the second one ended within the time when the third was begun
	_, err = sleeper.News(t.Context())
	require.ErrorIs(t, err, errAsleep)
	require.ErrorIs(t, sleeper.Begin(t.Context(), "x", "_staging/x"), errAsleep)
}

// What is not ours, of another version or damaged stops everything, and names the object.
func TestBadOrder(t *testing.T) {
	entry := `{"load":"a","by":"b","stage":"_staging/c","at":1,"state":"done"}`
	for text, want := range map[string]string{
		"":                                       "no JSON",
		"x":                                      "no JSON",
		`{"format":2,"commits":[` + entry + `]}`: "format 2",
		`{"format":1}`:                           "0 entries",
		`{"format":1,"commits":[` + strings.Repeat(entry+",", chunkSize) + entry + `]}`:        "257 entries",
		`{"format":1,"commits":[` + strings.Replace(entry, "done", "lost", 1) + `]}`:           "cannot be",
		`{"format":1,"commits":[` + strings.Replace(entry, "done", "", 1) + "," + entry + `]}`: "cannot be",
		`{"format":1,"commits":[{"load":"a"}]}`:                                                "cannot be",
		strings.Repeat(" ", maxChunk+1):                                                        "larger",
	} {
		b := store.NewMemory()
		require.NoError(t, store.WriteFile(t.Context(), b, chunkName(1), []byte(text)))
		l := open(t, b, "one", never)
		_, news := l.News(t.Context())
		for _, err := range []error{news, l.Begin(t.Context(), "x", "_staging/x"), l.Recover(t.Context())} {
			var bad *BadError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), chunkName(1)) {
				t.Errorf("%.60q: %v, want %s", text, err, want)
			}
		}
		after, err := store.ReadFile(t.Context(), b, chunkName(1))
		assert.True(t, err == nil && string(after) == text, "it was changed: %.60q, %v", after, err)
	}
	b := store.NewMemory()
	require.NoError(t, store.WriteFile(t.Context(), b, naming.Commits+"/other", []byte("x")))
	_, err := Open(t.Context(), b, Options{By: "one"})
	require.ErrorContains(t, err, naming.Commits+"/other")
}

// FuzzChunk: whatever is in the bucket, nothing that is read has an entry that cannot be.
func FuzzChunk(f *testing.F) {
	f.Add([]byte(`{"format":1,"commits":[{"load":"a","by":"b","stage":"_staging/c","at":1,"state":"done"}]}`))
	f.Add([]byte(`{"format":1,"commits":[{"load":"a","by":"b","stage":"_staging/c"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &chunk{name: "x", data: data}
		if c.parse() != nil {
			return
		}
		for i, e := range c.Entries {
			if e.Load == "" || e.Stage == "" || e.By == "" || e.State == stateBegun && i < len(c.Entries)-1 {
				t.Errorf("%q: %+v", data, e)
			}
		}
	})
}
