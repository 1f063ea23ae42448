package storetest

import (
	"context"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

var ctx = context.Background()

func check(t *testing.T, err error) {
	t.Helper()
	assert.NoError(t, err)
}

// Create begins an object, which must work.
func Create(t *testing.T, b store.Bucket, name string) store.Writer {
	t.Helper()
	w, err := b.Create(ctx, name)
	require.NoError(t, err)
	return w
}

func write(t *testing.T, w io.Writer, data string) {
	t.Helper()
	if _, err := io.WriteString(w, data); err != nil {
		t.Error(err)
	}
}

// Put writes an object.
func Put(t *testing.T, b store.Bucket, name, data string) {
	t.Helper()
	check(t, store.WriteFile(ctx, b, name, []byte(data)))
}

func open(t *testing.T, b store.Bucket, name string) store.Reader {
	t.Helper()
	r, err := b.Open(ctx, name)
	require.NoError(t, err)
	return r
}

func get(t *testing.T, b store.Bucket, name string) string {
	t.Helper()
	data, err := store.ReadFile(ctx, b, name)
	check(t, err)
	return string(data)
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	check(t, err)
	return string(data)
}

// WantNames checks which objects there are with a prefix, in order.
func WantNames(t *testing.T, b store.Bucket, prefix string, want ...string) {
	t.Helper()
	var got []string
	for e, err := range b.List(ctx, prefix) {
		check(t, err)
		got = append(got, e.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("list %q: got %q, want %q", prefix, got, want)
	}
}
