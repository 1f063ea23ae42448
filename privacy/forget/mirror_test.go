package forget

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// TestHiddenByHashes: a reader without the right to see the requests leaves out the same clients.
func TestHiddenByHashes(t *testing.T) {
	requests, hashes := store.NewMemory(), store.NewMemory()
	open := func() *Registry { return Open(requests).MirroredIn(hashes) }
	other := open()                    // sees the hashes alone
	record(t, requests, "before", one) // by an older program
	if _, err := other.mirrored(ctx, os.ErrPermission); err == nil {
		t.Error("requests are taken to be none before they have hashes")
	}
	require.NoError(t, open().Mirror(ctx))
	r := open()
	if err := r.Record(ctx, Request{Name: "after", Time: noon, Source: Operator, Clients: []string{two, odd}}); err != nil {
		t.Fatal(err)
	}
	hidden := func() func(string) bool {
		var f func(string) bool
		mirrored, err := other.mirrored(ctx, os.ErrPermission)
		require.NoError(t, err)
		if len(mirrored) > 0 {
			f = Finder(mirrored)
		}
		known, err := r.HiddenHashes(ctx)
		require.NoError(t, err)
		byHash := Finder(known)
		own, err := r.Hidden(ctx)
		if err != nil || (f == nil) != (own == nil) {
			t.Fatalf("%v: own %t, others %t", err, own != nil, f != nil)
		}
		for _, id := range []string{one, two, odd, strings.ToUpper(two), "another"} {
			if f != nil && (f(id) != own(id) || byHash(id) != own(id)) {
				t.Errorf("%s: hidden %t from the owner, %t by hash, %t from others", id, own(id), byHash(id), f(id))
			}
		}
		return f
	}
	if f := hidden(); !f(one) || !f(two) || !f(odd) || !f(strings.ToUpper(two)) || f("another") {
		t.Error("not the right clients are hidden")
	}
	for e, err := range hashes.List(ctx, "") {
		b, readErr := store.ReadFile(ctx, hashes, e.Name)
		if err != nil || readErr != nil || strings.Contains(string(b), one) || strings.Contains(string(b), odd) {
			t.Errorf("%s: %v, %v: %s", e.Name, err, readErr, b)
		}
	}
	_, q := read(t, r)
	require.NoError(t, r.Finish(ctx, q, noon))
	if hidden() != nil {
		t.Error("hashes stay for ever")
	}
}

// TestHashesDamaged: what cannot be read hides nobody silently.
func TestHashesDamaged(t *testing.T) {
	dir := t.TempDir()
	hashes, err := store.OpenLocal(dir)
	require.NoError(t, err)
	r := Open(store.NewMemory()).MirroredIn(hashes)
	if err := r.Record(ctx, Request{Name: "a", Time: noon, Source: Operator, Clients: []string{one}}); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, r.Mirror(ctx))
	require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(hashesDir), "a"), []byte("garbage\n"), 0o600))
	if _, err := r.mirrored(ctx, os.ErrPermission); err == nil || !strings.Contains(err.Error(), "a is damaged") {
		t.Error(err)
	}
}
