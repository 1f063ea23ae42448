package archive

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// TestMetas compares the metadata with that of the pings, before and after the
// pings are read by the same reader, and sees that bodies are left alone.
func TestMetas(t *testing.T) {
	b := &counted{Bucket: store.NewMemory()}
	r := rand.New(rand.NewPCG(41, 41))
	all := randomSamples(r, 300, 0)
	for i := range all {
		all[i].meta.SetString(ping.SubmissionDate, "20180601")
		all[i].meta.SetString(ping.DocTypeField, "main")
		all[i].body = make([]byte, 20_000)
		for j := range all[i].body {
			all[i].body[j] = byte(r.Uint32())
		}
	}
	load(t, b, "x", Options{}, all[:150])
	load(t, b, "y", Options{}, all[150:])
	d, err := OpenDay(ctx, b, "20180601", "main")
	require.NoError(t, err)
	metas := func() (all []string) {
		for m, err := range d.Metas(ctx) {
			require.NoError(t, err)
			all = append(all, string(m.AppendJSON(nil)))
		}
		return all
	}
	b.bytes = 0
	first := metas()
	if b.bytes > d.Bytes()/4 {
		t.Errorf("%d bytes of %d read", b.bytes, d.Bytes())
	}
	var want []string
	for p, err := range d.Pings(ctx, 0, 100) {
		if err != nil || len(p.Body) != 20_000 {
			t.Fatal(len(p.Body), err)
		}
		want = append(want, string(p.Meta.AppendJSON(nil)))
	}
	if !slices.Equal(first, want) || !slices.Equal(metas(), want) {
		t.Error("the metadata is not that of the pings")
	}
	for range d.Metas(ctx) {
		break
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range d.Metas(ended) {
		if err == nil {
			t.Error("a reader goes on after its context")
		}
	}
}

func TestHeads(t *testing.T) {
	b := store.NewMemory()
	rejectLoad(t, b, "x")
	e, err := OpenErrors(ctx, b, "20180601")
	require.NoError(t, err)
	var got []string
	for r, err := range e.Heads(ctx) {
		if err != nil || r.Body != nil || r.Path != "/submit/x" || r.Class != "json" {
			t.Fatalf("%+v, %v", r, err)
		}
		got = append(got, r.Message)
	}
	if !slices.Equal(got, []string{"x1", "x2"}) {
		t.Errorf("heads: %v", got)
	}
}

func TestUnfitReason(t *testing.T) {
	var m ping.Meta
	if class, message := Unfit(&m); class != "internal" || message != "archive: neither submission date nor timestamp" {
		t.Errorf("%s: %s", class, message)
	}
	m.SetInt(ping.Timestamp, 1)
	if _, message := Unfit(&m); message != "archive: no document type" {
		t.Error(message)
	}
	m.SetString(ping.DocTypeField, "main")
	if class, message := Unfit(&m); class != "" || message != "" {
		t.Errorf("%s: %s", class, message)
	}
}
