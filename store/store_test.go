package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return store.NewMemory() })
}

func TestLocal(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return openLocal(t, t.TempDir()) })
}

func TestLocalPrivate(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return openLocal(t, t.TempDir()+"/new", store.Private()) })
}

// A Bucket with faults that has none must behave as the one inside.
func TestFaults(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return storetest.NewFaults(openLocal(t, t.TempDir())) })
	storetest.Accept(t, func(t *testing.T) store.Bucket { return storetest.NewFaults(store.NewMemory()) })
}

func openLocal(t *testing.T, dir string, opts ...store.Option) *store.Local {
	t.Helper()
	b, err := store.OpenLocal(dir, opts...)
	require.NoError(t, err)
	return b
}
