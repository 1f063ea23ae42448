package spool

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A spool in a new folder does not take numbers that an earlier one had.
func TestAfter(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []uint64{42, 43} {
		s, err := Open(dir, Options{Now: time.Now, After: 41})
		require.NoError(t, err)
		require.NoError(t, s.Append(context.Background(), &Record{URI: []byte("/submit/a/b/1/c")}))
		require.NoError(t, s.Close())
		all, err := List(dir)
		if err != nil || len(all) == 0 || all[len(all)-1].Number < want {
			t.Errorf("segments %v, %v; want one of number %d or more", all, err, want)
		}
	}
}

// An edge that is given another name would have its segments decoded twice.
func TestEdgeKeepsItsName(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{Now: time.Now, Edge: "one"})
	require.NoError(t, err)
	require.NoError(t, s.Append(context.Background(), &Record{URI: []byte("/submit/a/b/1/c")}))
	require.NoError(t, s.Close())
	if s, err := Open(dir, Options{Now: time.Now, Edge: "two"}); err == nil {
		s.Close()
		t.Error("the spool opened under another name")
	}
	if s, err = Open(dir, Options{Now: time.Now, Edge: "one"}); err != nil {
		t.Fatal(err)
	}
	assert.NoError(t, s.Close())
}
