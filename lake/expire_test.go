package lake

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// runDay publishes a partition of a day.
func runDay(t *testing.T, b store.Bucket, s *schema.Table, day string) {
	t.Helper()
	g, err := opened(b, s).Begin(ctx, day, "aaaa")
	require.NoError(t, err)
	f, err := makePart(g, part0(0, 99))
	require.NoError(t, err)
	if err := g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil); err != nil {
		t.Fatal(err)
	}
}

// old lists what Before gives, in words.
func old(t *testing.T, table *Table, before string) (all []string) {
	t.Helper()
	found, err := table.Before(ctx, before)
	assert.NoError(t, err)
	for _, o := range found {
		text := o.Day
		if o.Cut {
			text += " cut"
		} else if o.Files != 1 || o.Rows != 1 || o.Bytes == 0 || o.Generation != "aaaa" {
			t.Errorf("%+v", o)
		}
		all = append(all, text)
	}
	return all
}

func TestBefore(t *testing.T) {
	for _, back := range backends {
		for _, s := range []*schema.Table{sampled, daily} {
			t.Run(back.name+" "+s.Name, func(t *testing.T) {
				b := faulty(back.open(t), back.without)
				table := opened(b, s)
				older := *s
				older.Version = "v0"
				for _, day := range []string{"20171231", "20180301", "20180302"} {
					runDay(t, b, s, day)
				}
				runDay(t, b, &older, "20180301")
				if got := old(t, table, "20180302"); !slices.Equal(got, []string{"20171231", "20180301"}) {
					t.Errorf("before: %q", got)
				}
				versions, err := table.Versions(ctx)
				if err != nil || len(versions) != 2 || versions[0].Schema.Version != "v0" || versions[1].Schema.Version != "v1" || s.Version != "v1" {
					t.Fatalf("versions: %v, %v", versions, err)
				}
				// An expiration of the only partition of a version that is killed on the way.
				for n := 1; ; n++ {
					b.StopAfter(n)
					err := versions[0].Expire(ctx, "20180301")
					stopped := b.Stopped()
					b.Revive()
					all, listErr := table.Versions(ctx)
					if listErr != nil {
						t.Fatal(listErr)
					}
					left := old(t, all[0], "20180302")
					if len(all) == 2 && !slices.Contains([]string{"20180301", "20180301 cut"}, strings.Join(left, ",")) {
						t.Errorf("stopped after %d: %q", n, left)
					}
					if err == nil && !stopped {
						break
					}
				}
				for e := range b.List(ctx, "") {
					if strings.Contains(e.Name, "/v0/") {
						t.Errorf("left over: %s", e.Name)
					}
				}
				if err := store.WriteFile(ctx, b, table.Path("20180301", manifestName), []byte("{")); err != nil {
					t.Fatal(err)
				}
				found, err := table.Before(ctx, "20180302")
				if err == nil || len(found) != 1 || found[0].Day != "20171231" {
					t.Errorf("with a damaged manifest: %v, %v", found, err)
				}
			})
		}
	}
}
