package iceberg

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// TestBucket follows tables whose roots are in a bucket, as one of several servers: it takes and gives back a lease of each
// table, and few requests.
func TestBucket(t *testing.T) {
	counted, requests := blobtest.Counted(t, blobtest.S3(t))
	roots, err := site.Roots{}.Below(counted)
	require.NoError(t, err)
	probes := sitetest.Probes(t)
	s, err := site.Open(t.Context(), t.TempDir(), schema.NewSet(probes), site.At(roots))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	c := &testClock{sitetest.At(9)}
	s.Tables = sitetest.Tables(probes)
	s.Grace.For, s.Grace.Now = time.Minute, c.now
	require.NoError(t, s.Share(t.Context(), "", c.now))
	require.NotNil(t, s.Sharing)
	// Four slashes, as SQLAlchemy has them, are as good as three.
	f := follower(t, s, c, catalog.Config{Kind: catalog.SQL, URI: "sqlite:///" + filepath.Join(t.TempDir(), "catalog.db")})
	sitetest.DayPings(t, s.Archive, 1, 20, "20180301", "20180302")
	run(t, s, "20180301", "20180302")
	follow(t, f, Options{})
	same(t, s, f)
	for _, root := range []schema.Root{schema.StorageRoot, schema.RestrictedRoot} {
		for e, err := range s.Roots[root].List(t.Context(), "_leases/iceberg/") {
			require.NoError(t, err)
			t.Errorf("the lease %s is still held", e.Name)
		}
	}

	take := func(do func()) int {
		before, n := requests(), 0
		do()
		kinds := map[string]int{}
		for r, now := range requests() {
			kinds[r.Kind] += now - before[r]
			n += now - before[r]
			if strings.Contains(r.Key, "metadata.json") && now-before[r] > 2 {
				t.Errorf("%d times %s", now-before[r], r)
			}
		}
		t.Log(n, kinds)
		return n
	}
	one := Options{Tables: []string{"main_summary"}}
	c.Time = c.Add(10 * time.Minute)
	sitetest.DayPings(t, s.Archive, 2, 20, "20180302")
	run(t, s, "20180302")
	require.LessOrEqual(t, take(func() {
		require.Equal(t, []string{"20180302"}, follow(t, f, one)[0].Days)
	}), 60, "requests of a publication")
	follow(t, f, one)
	require.LessOrEqual(t, take(func() { require.False(t, follow(t, f, one)[0].Committed()) }), 20, "requests of a look where nothing is new")
	follow(t, f, Options{})
	same(t, s, f)
}
