package archive

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestOldListings: files that were replaced since the moment of a listing are no damage, and the day is not read without those
// in their place. As soon as the listing is of now, all is there.
func TestOldListings(t *testing.T) {
	b := &storetest.OldListings{Bucket: store.NewMemory(), Below: naming.Index}
	rejectLoad(t, b, "x")
	require.Equal(t, stateBefore, state(t, b))
	replacing := &storetest.OldListings{Bucket: b, Below: naming.Loads}
	b.Freeze(t)
	replacing.Freeze(t)
	require.NoError(t, replaceDay(b, "replay", "re-1"))
	_, err := OpenErrors(ctx, replacing, "20180601")
	require.ErrorIs(t, err, errOldListing)
	old := time.AfterFunc(50*time.Millisecond, func() {
		b.Thaw()
		replacing.Thaw()
	})
	defer old.Stop()
	e, err := OpenErrors(ctx, replacing, "20180601")
	require.NoError(t, err)
	require.Len(t, e.Names(), 1)
	require.Equal(t, stateAfter, state(t, b))
}
