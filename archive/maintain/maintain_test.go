package maintain_test

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/maintain"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestExpiredIsNoDamage removes days, also the records of that.
func TestExpiredIsNoDamage(t *testing.T) {
	b := store.NewMemory()
	dayLoad(t, b, "x", "20180604")
	dayLoad(t, b, "spool.e.1-1", "20180604")
	dayLoad(t, b, "spool.e.2-2")
	now := time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, expireAll(b, "20180605", now))
	for _, hours := range []int{0, 2} {
		_, err := maintain.Thin(ctx, b, now.Add(time.Duration(hours)*time.Hour))
		require.NoError(t, err)
		if _, err := archive.OpenDay(ctx, b, "20180604", "main"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after %d hours: %v", hours, err)
		}
		audit, err := archive.AuditNames(ctx, b, nil)
		require.NoError(t, err)
		require.Empty(t, audit.Damage, "after %d hours", hours)
		states, err := archive.States(ctx, b, "")
		require.NoError(t, err)
		require.Empty(t, states, "after %d hours", hours)
	}
	var index []string
	for e, err := range b.List(ctx, naming.Index+"/") {
		require.NoError(t, err)
		index = append(index, e.Name)
	}
	require.Equal(t, []string{naming.Index + "/complete"}, index)
}

// TestRebuild makes a lost record again, also of packed files.
func TestRebuild(t *testing.T) {
	b := store.NewMemory()
	mixedLoad(t, b, "l", 100)
	dayLoad(t, b, "m", "20180601", "20180602")
	for _, load := range []string{"l", "m"} {
		before, _, err := archive.Loaded(ctx, b, load)
		require.NoError(t, err)
		_, err = maintain.Rebuild(ctx, b, load)
		require.ErrorContains(t, err, "it is whole")
		require.NoError(t, b.Delete(ctx, naming.Record(load)))
		r, err := maintain.Rebuild(ctx, b, load)
		require.NoError(t, err)
		before.Rebuilt = true
		require.Equal(t, before, r.Load)
		require.Empty(t, r.Gaps)
		again, _, err := archive.Loaded(ctx, b, load)
		require.NoError(t, err)
		require.Equal(t, before, again)
	}
}

// TestUndo removes a load, but not one whose pings share a file with others.
func TestUndo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		mixedLoad(t, b, "a", 10)
		mixedLoad(t, b, "b", 10)
		dayLoad(t, b, "c", "20180602")
		_, err := archive.CompactDay(ctx, b, "20180601", "main", archive.RewriteOptions{Owner: "replay"})
		require.NoError(t, err)
		_, err = maintain.Undo(ctx, b, "a", "replay")
		require.ErrorContains(t, err, "nobody can tell their rows apart")
		_, err = maintain.Undo(ctx, b, "d", "replay")
		require.ErrorIs(t, err, maintain.ErrNoLoad)
		u, err := maintain.Undo(ctx, b, "c", "replay")
		require.NoError(t, err)
		require.EqualValues(t, 3, u.Pings)
		require.EqualValues(t, 1, u.Errors)
		undone, err := maintain.IsUndone(ctx, b, "c")
		require.NoError(t, err)
		require.True(t, undone)
		require.Equal(t, "20180601/main:20 ", state(t, b))
	})
}

// TestDrop gives up a file that is damaged, and refuses one that is whole.
func TestDrop(t *testing.T) {
	b := store.NewMemory()
	dayLoad(t, b, "a", "20180601")
	dayLoad(t, b, "b", "20180601")
	l, _, err := archive.Loaded(ctx, b, "a")
	require.NoError(t, err)
	o := maintain.DropOptions{Now: expireNow, Owner: "replay"}
	_, err = maintain.Drop(ctx, b, []string{l.Files[0].Name}, o)
	require.ErrorContains(t, err, "it is whole")
	require.NoError(t, b.Delete(ctx, l.Files[0].Name))
	before, err := archive.AuditNames(ctx, b, nil)
	require.NoError(t, err)
	require.Len(t, before.Damage, 1)
	lost, err := maintain.Drop(ctx, b, []string{l.Files[0].Name}, o)
	require.NoError(t, err)
	require.Equal(t, l.Files[:1], lost)
	require.Equal(t, "20180601/crash:2 20180601/main:4 errors 20180601:b,", state(t, b))
	after, err := archive.AuditNames(ctx, b, nil)
	require.NoError(t, err)
	require.Empty(t, after.Damage)
	require.Equal(t, lost, after.Lost)
}
