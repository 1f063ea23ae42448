package store_test

import (
	"context"
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

func create(t *testing.T, b store.Bucket, name string) store.Writer {
	t.Helper()
	w, err := b.Create(ctx, name)
	require.NoError(t, err)
	return w
}

func put(t *testing.T, b store.Bucket, name, data string) {
	t.Helper()
	check(t, store.WriteFile(ctx, b, name, []byte(data)))
}

func wantNames(t *testing.T, b store.Bucket, prefix string, want ...string) {
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
