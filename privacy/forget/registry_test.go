package forget

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

var ctx = context.Background()

var noon = time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC)

func record(t *testing.T, b store.Bucket, name string, clients ...string) {
	t.Helper()
	require.NoError(t, Open(b).Record(ctx, Request{Name: name, Time: noon, Source: Operator, Clients: clients}))
}

func read(t *testing.T, r *Registry) (*Set, []*Request) {
	t.Helper()
	s, err := r.Set(ctx)
	require.NoError(t, err)
	q, err := r.Pending(ctx)
	require.NoError(t, err)
	return s, q
}

func buckets(t *testing.T) map[string]store.Bucket {
	local, err := store.OpenLocal(t.TempDir(), store.Private())
	require.NoError(t, err)
	return map[string]store.Bucket{"local": local, "memory": store.NewMemory()}
}

func TestRequestsUntilRemoved(t *testing.T) {
	for name, b := range buckets(t) {
		t.Run(name, func(t *testing.T) {
			r := Open(b)
			if s, q := read(t, r); s.Requests() != 0 || q != nil {
				t.Fatalf("an empty registry has %+v, %v", s, q)
			}
			record(t, b, "a", one)
			record(t, b, "b", two, odd, two)
			s, q := read(t, r)
			if !s.Has([]byte(one)) || !s.Has([]byte(odd)) || len(q) != 2 || s.Requests() != 2 {
				t.Fatalf("%d requests: %v", s.Requests(), q)
			}
			ids, err := r.PendingClients(ctx)
			require.NoError(t, err)
			for _, id := range []string{one, strings.ToUpper(one), odd} {
				if !slices.Contains(ids, id) {
					t.Errorf("pending clients lack %s", id)
				}
			}
			require.NoError(t, r.Finish(ctx, q[:1], noon.Add(time.Hour)))
			record(t, b, "c", other)
			s, q = read(t, r)
			if len(q) != 2 || q[0].Name != "b" || q[1].Name != "c" || s.Requests() != 3 {
				t.Fatalf("after the first is finished: %d requests, %v", s.Requests(), q)
			}
			if c, ok := s.Find([]byte(one)); !ok || !c.Removed.Equal(noon.Add(time.Hour)) || !c.Requested.Equal(noon) {
				t.Errorf("%+v, %v", c, ok)
			}
			require.NoError(t, r.Finish(ctx, q, noon.Add(2*time.Hour)))
			for e, err := range b.List(ctx, "") {
				data, readErr := store.ReadFile(ctx, b, e.Name)
				if err != nil || readErr != nil {
					t.Fatal(err, readErr)
				}
				for _, id := range []string{one, two, other, odd} {
					if strings.Contains(string(data), id) {
						t.Errorf("%s still has %s", e.Name, id)
					}
				}
			}
			fresh, _ := read(t, Open(b))
			stored, _ := read(t, r)
			if all, pending := fresh.Len(); all != 4 || pending != 0 || !reflect.DeepEqual(fresh, stored) {
				t.Errorf("%d clients, %d pending; read again %+v, else %+v", all, pending, fresh, stored)
			}
		})
	}
}

// breaking fails every change after the first few.
type breaking struct {
	store.Bucket
	left int
}

var errBroken = fmt.Errorf("broken")

func (b *breaking) Create(ctx context.Context, name string) (store.Writer, error) {
	if b.left--; b.left < 0 {
		return nil, errBroken
	}
	return b.Bucket.Create(ctx, name)
}

func (b *breaking) Delete(ctx context.Context, name string) error {
	if b.left--; b.left < 0 {
		return errBroken
	}
	return b.Bucket.Delete(ctx, name)
}

func (b *breaking) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	return b.Bucket.List(ctx, prefix)
}

func TestFinishCutShort(t *testing.T) {
	for after := range 8 {
		b := store.NewMemory()
		record(t, b, "a", one)
		_, q := read(t, Open(b))
		require.NoError(t, Open(b).Finish(ctx, q, noon))
		record(t, b, "b", two)
		record(t, b, "c", other)
		_, q = read(t, Open(b))
		err := Open(&breaking{b, after}).Finish(ctx, q, noon)
		for range 2 {
			s, pending := read(t, Open(b))
			for _, id := range []string{one, two, other} {
				if !s.Has([]byte(id)) {
					t.Fatalf("after %d changes %s is not known", after, id)
				}
			}
			if s.Requests() != 3 {
				t.Fatalf("after %d changes there are %d requests", after, s.Requests())
			}
			if n := len(pending); n != 0 && n != 2 {
				t.Fatalf("after %d changes %d requests are pending", after, n)
			}
			if len(pending) == 0 && err == nil {
				break
			}
			require.NoError(t, Open(b).Finish(ctx, q, noon))
		}
		if _, pending := read(t, Open(b)); len(pending) != 0 {
			t.Fatalf("after %d changes and all again %v is pending", after, pending)
		}
		for e := range b.List(ctx, requestsDir) {
			t.Fatalf("after %d changes and all again %s is there", after, e.Name)
		}
	}
}

func TestRecordRefuses(t *testing.T) {
	for want, q := range map[string]Request{
		"names no client": {Name: "x"},
		"bad name":        {Name: "x/y", Clients: []string{one}},
		"is empty":        {Name: "x", Clients: []string{""}},
		"more than 200":   {Name: "x", Clients: []string{strings.Repeat("a", 201)}},
		"no id has":       {Name: "x", Clients: []string{"a b"}},
	} {
		if err := Open(store.NewMemory()).Record(ctx, q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", q, err, want)
		}
	}
}

func TestDamagedObjects(t *testing.T) {
	for name, data := range map[string]string{
		removedName:                 "pmgone\x00\x01",
		requestsDir + "x" + ".json": "{}",
		requestsDir + "y" + ".json": "nothing",
	} {
		b := store.NewMemory()
		require.NoError(t, store.WriteFile(ctx, b, name, []byte(data)))
		if _, err := Open(b).Set(ctx); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := store.NewMemory()
	for _, name := range []string{runningName, checkedName, cyclesDir + "1.json"} {
		require.NoError(t, store.WriteFile(ctx, b, name, []byte(`[]`)))
	}
	r := Open(b)
	c, err := r.Running(ctx)
	require.NoError(t, err)
	require.Nil(t, c, "a damaged running cycle was taken")
	checked, err := r.Checked(ctx)
	require.NoError(t, err)
	require.Zero(t, checked, "damaged checked loads were taken")
	all, err := r.Cycles(ctx)
	require.NoError(t, err)
	require.Empty(t, all, "a damaged cycle was taken")
}

func TestCycles(t *testing.T) {
	b := store.NewMemory()
	r := Open(b)
	if c, err := r.Running(ctx); c != nil || err != nil {
		t.Fatal(c, err)
	}
	for i := range 2 {
		c := &Cycle{
			Began: noon.AddDate(0, 0, i), Requests: []string{"a"}, Made: 7, Clients: 3, Days: []string{"", "20180301"},
			Changes: []Change{{Table: "addons", Day: "20180301", Rows: 2, Files: 1}, {Table: "errors", Rows: 3, Files: 1}},
			Loads:   []string{"l"},
		}
		begun, err := r.Begin(ctx, c)
		require.NoError(t, err)
		require.Same(t, c, begun)
		if got, err := r.Running(ctx); err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v, %v", got, err)
		}
		c.Done, c.Ended = 2, noon.AddDate(0, 0, i).Add(time.Hour)
		require.NoError(t, r.End(ctx, c, nil))
	}
	all, err := r.Cycles(ctx)
	if err != nil || len(all) != 2 || !all[0].Began.Before(all[1].Began) || all[0].Rows() != 5 || all[0].Loads != nil ||
		all[0].Requests != nil {
		t.Fatalf("%+v, %v", all, err)
	}
	if c, err := r.Checked(ctx); err != nil || c.Requests != 7 || !slices.Equal(c.Loads, []string{"l"}) {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := r.Running(ctx); c != nil || err != nil {
		t.Error(c, err)
	}
}
