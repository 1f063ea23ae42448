package site

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// TestNewerFormats: a program writes to no installation with formats that it does not know, also when these become so while it
// is at work, and reads as far as it can.
func TestNewerFormats(t *testing.T) {
	dir, set := t.TempDir(), schema.NewSet(&schema.Probes{})
	s, err := Open(t.Context(), dir, set)
	require.NoError(t, err)
	defer s.Close()
	u := job.Unit{Table: "crash_summary", Day: "20180301"}
	locks := s.Locks()
	require.NoError(t, locks.Lock(t.Context(), u))
	locks.UnlockAll()

	require.NoError(t, store.WriteFile(t.Context(), s.Archive, formatName, []byte(`{"reads":1,"writes":2,"program":"1.7.0"}`)))
	lt, err := s.Table(u.Table)
	require.NoError(t, err)
	for what, take := range map[string]func() error{
		"partition": func() error { return locks.Lock(t.Context(), u) },
		"rewriting": func() error { _, err := s.LockRewriting(t.Context()); return err },
		"decoding":  func() error { _, err := s.LockDecoding(t.Context(), "e1"); return err },
		"loading":   func() error { _, err := s.LockLoading(t.Context()); return err },
		"lease":     func() error { _, err := s.Lease(t.Context(), "_leases/retention"); return err },
		"catalog":   func() error { _, err := s.LockFollowing(t.Context(), lt); return err },
		"opening":   func() error { _, err := Open(t.Context(), dir, set); return err },
	} {
		err := take()
		require.ErrorIs(t, err, ErrFormat, what)
		require.ErrorContains(t, err, "writing it needs version 2, this program has 1: install pingmill 1.7.0 or a later one", what)
	}
	reader, err := Read(t.Context(), dir, set)
	require.NoError(t, err)
	require.NoError(t, reader.Close())

	require.NoError(t, store.WriteFile(t.Context(), s.Archive, formatName, []byte(`{"reads":2,"writes":2,"program":"1.7.0"}`)))
	_, err = Read(t.Context(), dir, set)
	require.ErrorContains(t, err, "reading it needs version 2")
	require.NoError(t, store.WriteFile(t.Context(), s.Archive, formatName, []byte(`{"reads":0}`)))
	require.ErrorContains(t, s.MayWrite(t.Context()), "_format.json: reads is 0 and writes is 0")
}
