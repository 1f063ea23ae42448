package iceberg

import (
	"flag"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

var engines = flag.Bool("engines", false, "try catalogs and engines of others: they are installed")

func forEngines(t *testing.T) {
	t.Helper()
	if !*engines {
		t.Skip("without -engines: see make engines-iceberg")
	}
}

// TestREST follows with the REST catalog of Iceberg's own tests: it gives columns other ids, refuses conflicts, and is
// unreachable for a while.
func TestREST(t *testing.T) {
	forEngines(t)
	uri, stop := clienttest.RESTCatalog(t, 0)
	s, _, c := following(t)
	config := catalog.Config{Kind: catalog.REST, URI: uri}
	f := follower(t, s, c, config)
	run(t, s, "20180301")
	follow(t, f, Options{})
	same(t, s, f)
	run(t, s, "20180302")
	require.Equal(t, []string{"20180302"}, follow(t, f, Options{})[0].Days)
	same(t, s, f)
	columns := load(t, f, "main_summary").Schema()
	require.Len(t, columns.Fields, len(s.Tables[0].Columns))
	require.Equal(t, s.Tables[0].Columns[3].Doc, columns.Fields[3].Doc)

	// Another server's snapshot comes between the look and the commit.
	stale := load(t, f, "addons")
	sitetest.DayPings(t, s.Archive, 2, 60, "20180302")
	run(t, s, "20180302")
	follow(t, f, Options{})
	lt, err := s.Table("addons")
	require.NoError(t, err)
	p, err := placeOf(lt.Bucket())
	require.NoError(t, err)
	_, err = f.catalog.Commit(t.Context(), f.name(lt.Schema, p), stale, nil, c.now().UnixMilli())
	require.ErrorIs(t, err, catalog.ErrConflict)
	c.Time = time.Now().Add(2 * time.Hour) // the server has its own
	follow(t, f, Options{Whole: true})
	require.Len(t, load(t, f, "addons").Snapshots, 1)
	same(t, s, f)

	stop()
	sitetest.DayPings(t, s.Archive, 3, 60, "20180302")
	run(t, s, "20180302")
	_, err = f.Sync(t.Context(), Options{})
	require.Error(t, err)
	behind(t, s, len(s.Tables))
}

// TestGlue follows with moto's Glue.
func TestGlue(t *testing.T) {
	forEngines(t)
	uri := clienttest.Moto(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	t.Setenv("AWS_REGION", "eu-west-1")
	s, _, c := following(t)
	f := follower(t, s, c, catalog.Config{Kind: catalog.Glue, URI: uri})
	run(t, s, "20180301")
	follow(t, f, Options{})
	stale := load(t, f, "addons")
	run(t, s, "20180302")
	require.Equal(t, []string{"20180302"}, follow(t, f, Options{})[0].Days)
	same(t, s, f)
	lt, err := s.Table("addons")
	require.NoError(t, err)
	p, err := placeOf(lt.Bucket())
	require.NoError(t, err)
	_, err = f.catalog.Commit(t.Context(), f.name(lt.Schema, p), stale, nil, c.now().UnixMilli())
	require.ErrorIs(t, err, catalog.ErrConflict)
}

// TestCatalogAway has a catalog that cannot be reached when something is published: what publishes does not notice, and
// it is caught up when the catalog is there.
func TestCatalogAway(t *testing.T) {
	s, _, c := following(t)
	at := filepath.Join(t.TempDir(), "later", "catalog.db")
	f := follower(t, s, c, catalog.Config{Kind: catalog.SQL, URI: "sqlite://" + at})
	run(t, s, "20180301")
	all, err := f.Sync(t.Context(), Options{})
	require.Error(t, err)
	require.Len(t, all, len(s.Tables))
	behind(t, s, len(s.Tables))
	makeDir(t, filepath.Dir(at))
	follow(t, f, Options{})
	behind(t, s, 0)
	same(t, s, f)
}
