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
	load := func(name, docType string) {
		w, err := archive.NewWriter(context.Background(), b, archive.Options{})
		require.NoError(t, err)
		var m ping.Meta
		m.SetString(ping.DocTypeField, docType)
		m.SetString(ping.SubmissionDate, "20180301")
		require.NoError(t, w.Append(&m, []byte(`{"a":"`+name+`"}`)))
		_, err = w.Close(context.Background(), name)
		require.NoError(t, err)
	}
	open := func(docType ping.DocType) *archive.Day {
		d, err := archive.OpenDay(context.Background(), b, "20180301", docType)
		require.NoError(t, err)
		return d
	}
	var s sharedDays
	load("a", "main")
	first := s.share(open("main"))
	require.Same(t, first, s.share(open("main")))
	load("b", "main")
	second := s.share(open("main"))
	require.Len(t, second.Names(), 2)
	load("c", "crash")
	crash := s.share(open("crash"))
	require.Same(t, crash, s.share(open("crash")))
	require.Same(t, second, s.share(open("main")))
	require.Len(t, first.Names(), 1)
	runtime.KeepAlive(second)
	runtime.KeepAlive(crash)
}
