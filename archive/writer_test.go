package archive

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
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
			held += b.held()
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

// TestGroups checks where row groups are cut.
func TestGroups(t *testing.T) {
	rows := func(parts ...[3]int) (all []row) { // sample, bytes of a body, how many
		for _, p := range parts {
			for range p[2] {
				all = append(all, row{sample: uint8(p[0]), bodyLen: uint32(p[1])})
			}
		}
		return all
	}
	const mb = 1 << 20
	for _, c := range []struct {
		rows []row
		want string
	}{
		{nil, "[]"},
		{rows([3]int{0, 10, 5}, [3]int{1, 10, 5}), "[10]"},
		{rows([3]int{0, mb / 2, 1}, [3]int{1, mb / 2, 1}, [3]int{2, 10, 1}), "[2 1]"},
		{rows([3]int{0, mb, 1}, [3]int{1, mb, 3}, [3]int{2, mb, 1}), "[1 3 1]"},
		{rows([3]int{0, mb, 40}), "[16 16 8]"},
		{rows([3]int{0, 40 * mb, 2}), "[1 1]"},
		{rows([3]int{0, 1, 20_000}), "[8192 8192 3616]"},
	} {
		sizes := []int{}
		for _, g := range groups(c.rows) {
			sizes = append(sizes, len(g))
		}
		if got := fmt.Sprint(sizes); got != c.want {
			t.Errorf("%d rows are cut into %s instead of %s", len(c.rows), got, c.want)
		}
	}
}

// TestBlob checks the form in which rows wait, damaged ones included.
func TestBlob(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 42))
	for range 200 {
		in := record{meta: *randomMeta(r)}
		for i := range in.extra {
			if r.IntN(2) == 0 {
				in.extra[i] = []byte(fmt.Sprint(r.IntN(9)))
			}
		}
		blob := errorKind.appendBlob([]byte("x"), &in)[1:]
		var out record
		require.NoError(t, errorKind.readBlob(blob, &out))
		if a, b := in.meta.AppendJSON(nil), out.meta.AppendJSON(nil); string(a) != string(b) {
			t.Fatalf("metadata %s came back as %s", a, b)
		}
		if fmt.Sprint(in.extra) != fmt.Sprint(out.extra) {
			t.Fatalf("texts %s came back as %s", in.extra, out.extra)
		}
		if string(blobDocument(blob)) != string(in.meta.Text(ping.DocumentID)) {
			t.Fatalf("document %s", blobDocument(blob))
		}
		for n := range blob {
			if err := errorKind.readBlob(blob[:n], &out); err == nil {
				t.Fatalf("%d bytes of %d are taken", n, len(blob))
			}
		}
	}
}

func TestDamagedBody(t *testing.T) {
	r := row{squeezed: true, bodyLen: 5, data: []byte("\xff\xff\xff")}
	if err := r.unsqueeze(make([]byte, 5)); err == nil {
		t.Error("a damaged body is taken")
	}
}
