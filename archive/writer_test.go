package archive

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// TestMemory checks that the buffers stay within their part of the budget,
// also with many partitions, and that a body larger than all of it passes.
func TestMemory(t *testing.T) {
	b := store.NewMemory()
	const budget = 4 << 20
	w, err := NewWriter(ctx, b, Options{BufferBytes: budget})
	require.NoError(t, err)
	defer w.Abort()
	r := rand.New(rand.NewPCG(40, 40))
	for i := range 1500 {
		m := telemetryMeta(r, benchDay+int64(i%60)*86400e9)
		body := telemetryBody(r, r.IntN(20_000))
		if i == 100 {
			body = make([]byte, 2*budget)
			for j := range body {
				body[j] = byte(r.Uint32())
			}
		}
		require.NoError(t, w.Append(m, body))
		held := int64(0)
		for _, b := range w.buffers {
			held += b.Held()
		}
		if held > budget/2 || held != w.held {
			t.Fatalf("%d bytes are held, thought to be %d, of %d", held, w.held, budget)
		}
	}
	s, err := w.Close(ctx, "x")
	if err != nil || s.Pings != 1500 || len(s.Days) != 60 {
		t.Fatal(s, err)
	}
	if n := visible(t, b); n != 1500 {
		t.Errorf("%d pings are there", n)
	}
}

func TestWriterMisuse(t *testing.T) {
	b := store.NewMemory()
	if _, err := NewWriter(ctx, b, Options{Owner: "a/b"}); err == nil {
		t.Error("an owner with a slash is taken")
	}
	w, err := NewWriter(ctx, b, Options{})
	require.NoError(t, err)
	m := telemetryMeta(rand.New(rand.NewPCG(1, 1)), benchDay)
	w.most = 1000
	if err := w.Append(m, make([]byte, 1001)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a huge body: %v", err)
	}
	require.NoError(t, w.Append(m, nil))
	for _, load := range []string{"", "..", "_x", "a/b", "ä", strings.Repeat("x", 101)} {
		if _, _, err := Loaded(ctx, b, load); err == nil {
			t.Errorf("load name %q is taken", load)
		}
	}
	if _, err := w.Close(ctx, "../x"); err == nil || !strings.Contains(err.Error(), "load name") {
		t.Errorf("a bad load name: %v", err)
	}
	if err := w.Append(m, nil); err == nil {
		t.Error("append after Close")
	}
	if _, err := w.Close(ctx, "x"); err == nil {
		t.Error("a second Close")
	}
	if err := w.Abort(); err != nil {
		t.Errorf("abort after Close: %v", err)
	}
	if c := contents(t, b); len(c) != 0 {
		t.Errorf("this stays: %s", c)
	}
}

func TestEmptyLoad(t *testing.T) {
	b := store.NewMemory()
	for _, again := range []bool{false, true} {
		s := load(t, b, "empty", Options{}, nil)
		if s.Files != 0 || s.AlreadyLoaded != again {
			t.Errorf("summary is %+v", s)
		}
	}
	if l, ok, err := Loaded(ctx, b, "empty"); !ok || err != nil || l.ID != "empty" {
		t.Errorf("the load is %+v, %t, %v", l, ok, err)
	}
	if days, err := Days(ctx, b); err != nil || len(days) != 0 {
		t.Errorf("days: %v, %v", days, err)
	}
}

func TestAbort(t *testing.T) {
	b := store.NewMemory()
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := NewWriter(c, b, Options{BufferBytes: 600 << 10})
	require.NoError(t, err)
	var failed error
	for i, s := range randomSamples(rand.New(rand.NewPCG(41, 41)), 300, 20_000) {
		if i == 200 {
			cancel()
		}
		if failed = w.Append(s.meta, s.body); failed != nil {
			break
		}
	}
	if !errors.Is(failed, context.Canceled) {
		t.Errorf("after the end of the context: %v", failed)
	}
	require.NoError(t, w.Abort())
	if c := contents(t, b); len(c) != 0 {
		t.Errorf("this stays: %s", c)
	}
}
