package etl

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// TestSharedDay: a day is shared while somebody reads it and its files are the same.
func TestSharedDay(t *testing.T) {
	b := store.NewMemory()
	load := func(name string) {
		w, err := archive.NewWriter(context.Background(), b, archive.Options{})
		require.NoError(t, err)
		var m ping.Meta
		m.SetString(ping.DocTypeField, "main")
		m.SetString(ping.SubmissionDate, "20180301")
		require.NoError(t, w.Append(&m, []byte(`{"a":"`+name+`"}`)))
		_, err = w.Close(context.Background(), name)
		require.NoError(t, err)
	}
	open := func() *archive.Day {
		d, err := archive.OpenDay(context.Background(), b, "20180301", "main")
		require.NoError(t, err)
		return d
	}
	var s sharedDay
	load("a")
	first := s.share(open())
	require.Same(t, first, s.share(open()))
	load("b")
	second := s.share(open())
	require.Len(t, second.Names(), 2)
	require.Same(t, second, s.share(open()))
	require.Len(t, first.Names(), 1)
	runtime.KeepAlive(second)
}
