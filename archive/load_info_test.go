package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// loadsInWords renders LoadInfos.
func loadsInWords(t *testing.T, b store.Bucket) []string {
	t.Helper()
	infos, err := LoadInfos(ctx, b)
	require.NoError(t, err)
	all := make([]string, len(infos))
	for i, l := range infos {
		all[i] = fmt.Sprintf("%s %d %q %q", l.ID, l.Requests, l.Days, l.Counted)
	}
	return all
}

func TestLoadInfos(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b store.Bucket) {
		if got := loadsInWords(t, b); len(got) != 0 {
			t.Errorf("an empty archive has %q", got)
		}
		w, err := NewWriter(ctx, b, Options{Requests: 3})
		require.NoError(t, err)
		require.NoError(t, rejectAll(w, "20180601", "a"))
		require.NoError(t, w.AppendError(&Rejected{}))
		if _, err := w.Close(ctx, "x"); err != nil {
			t.Fatal(err)
		}
		load(t, b, "y", Options{}, plain(20, 100))
		if w, err = NewWriter(ctx, b, Options{Requests: 4}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Close(ctx, "empty"); err != nil {
			t.Fatal(err)
		}
		want := []string{`empty 4 [] []`, `x 3 ["" "20180601"] ["" "20180601"]`, `y 0 ["20180604"] ["20180604"]`}
		if got := loadsInWords(t, b); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
		if l, _, err := Loaded(ctx, b, "y"); err != nil || l.Requests != 0 {
			t.Errorf("the record: %+v, %v", l, err)
		}
		data, err := store.ReadFile(ctx, b, "loads/v1/empty.json")
		if err != nil || string(data) != `{"format":1,"load":"empty","files":[],"requests":4,"crc32c":"4bb8ec45"}`+"\n" {
			t.Errorf("the record: %s, %v", data, err)
		}

		all := RewriteOptions{Load: "re-1", Requests: 9, DropRejected: func(*Rejected) bool { return true }}
		if _, err := RewriteErrors(ctx, b, "20180601", all); err != nil {
			t.Fatal(err)
		}
		o := RewriteOptions{Load: "re-2", Requests: 9, Drop: func(m *ping.Meta) bool { return rowfile.SampleOf(m) == 5 }}
		if _, err := RewriteDay(ctx, b, "20180604", "main", o); err != nil {
			t.Fatal(err)
		}
		want = []string{
			`empty 4 [] []`, `re-1 9 [] []`, `re-2 9 ["20180604"] ["20180604"]`,
			`x 3 ["" "20180601"] [""]`, `y 0 ["20180604"] []`,
		}
		if got := loadsInWords(t, b); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
		e, err := OpenErrors(ctx, b, "")
		require.NoError(t, err)
		require.NoError(t, b.Delete(ctx, e.Names()[0]))
		want[3] = `x 3 ["" "20180601"] []`
		if got := loadsInWords(t, b); !slices.Equal(got, want) {
			t.Errorf("after its file has expired: %q", got)
		}
	})
}

// meddler does something once, when a prefix is listed.
type meddler struct {
	store.Bucket
	prefix string
	meddle func()
}

func (m *meddler) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	if f := m.meddle; prefix == m.prefix && f != nil {
		m.meddle = nil
		f()
	}
	return m.Bucket.List(ctx, prefix)
}

// TestLoadInfosMeanwhile commits a replacing load, and deletes another's record,
// while the loads are listed.
func TestLoadInfosMeanwhile(t *testing.T) {
	for _, prefix := range []string{"loads/v1/", "pings/v1/", "errors/v1/"} {
		b := store.NewMemory()
		load(t, b, "x", Options{}, plain(20, 100))
		load(t, b, "y", Options{}, nil)
		m := &meddler{b, prefix, func() {
			o := RewriteOptions{Load: "re-1", Drop: func(m *ping.Meta) bool { return rowfile.SampleOf(m) == 5 }}
			if _, err := RewriteDay(ctx, b, "20180604", "main", o); err != nil {
				t.Error(err)
			}
			assert.NoError(t, b.Delete(ctx, naming.Record("y")))
		}}
		want := []string{`re-1 0 ["20180604"] ["20180604"]`, `x 0 ["20180604"] []`}
		if got := loadsInWords(t, m); !slices.Equal(got, want) {
			t.Errorf("%s: got %q", prefix, got)
		}
	}
}

func TestLoadInfosFails(t *testing.T) {
	b := store.NewMemory()
	load(t, b, "x", Options{}, plain(20, 100))
	if err := store.WriteFile(ctx, b, naming.Record("y"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	if infos, err := LoadInfos(ctx, b); err != nil || len(infos) != 1 || infos[0].ID != "x" {
		t.Errorf("beside a damaged record: %+v, %v", infos, err)
	}
	f := storetest.NewFaults(b)
	f.StopAfter(0)
	_ = f.Delete(ctx, "any") // dies
	if _, err := LoadInfos(ctx, f); !errors.Is(err, storetest.ErrStopped) {
		t.Errorf("a dead bucket: %v", err)
	}
}
