package etl

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// asked counts the manifests that are read.
type requested struct {
	store.Bucket
	manifests int
}

func (a *requested) Open(ctx context.Context, name string) (store.Reader, error) {
	if path.Base(name) == "_manifest.json" {
		a.manifests++
	}
	return a.Bucket.Open(ctx, name)
}

// retype gives the site a table with a column of another type.
func retype(t *testing.T, s *site.Site, table, column, typ string) {
	t.Helper()
	s.Tables = slices.Clone(s.Tables)
	for i, other := range s.Tables {
		if other.Name != table {
			continue
		}
		own := *other
		own.Columns = slices.Clone(other.Columns)
		at := slices.IndexFunc(own.Columns, func(c schema.Column) bool { return c.Name == column })
		var err error
		own.Columns[at].Type, err = schema.ParseType(typ)
		require.NoError(t, err)
		s.Tables[i] = &own
	}
}

// TestTypesInABucket: that a column changes its type is seen without reading the
// manifest of each day, after files were copied to the bucket, and where what is kept for that is damaged.
func TestTypesInABucket(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	days := []string{"20180301", "20180302", "20180303"}
	sitetest.DayPings(t, s.Archive, 1, 20, days...)
	mustRun(t, s, RunOptions{Tables: []string{"crash_summary"}, Days: days})
	counted := &requested{Bucket: s.Roots[schema.StorageRoot]}
	s.Roots[schema.StorageRoot] = counted
	check := func(publish bool) error {
		_, err := checkAllTypes(t.Context(), &s.Data, []string{"crash_summary"}, publish, nil)
		return err
	}
	require.NoError(t, check(true))
	require.Zero(t, counted.manifests)
	dir := path.Join(columnsDir, "crash_summary/v1")
	names := func() (all []string) {
		for e, err := range counted.List(t.Context(), dir+"/") {
			require.NoError(t, err)
			all = append(all, e.Name)
		}
		return all
	}
	require.Len(t, names(), 2)

	right := s.Tables
	retype(t, s, "crash_summary", "application", "int")
	require.ErrorIs(t, check(false), ErrRetyped)
	list := path.Join(dir, lake.Fingerprint(
		s.Tables[slices.IndexFunc(right, func(t *schema.Table) bool { return t.Name == "crash_summary" })].Columns))
	require.NotContains(t, names(), list, "columns that are refused are kept")
	for _, name := range names() {
		require.NoError(t, store.WriteFile(t.Context(), counted, name, []byte("damaged")))
	}
	require.ErrorIs(t, check(true), ErrRetyped)
	for _, name := range names() { // as in a bucket that the tables alone were copied to
		require.NoError(t, counted.Delete(t.Context(), name))
	}
	require.ErrorIs(t, check(true), ErrRetyped)
	require.False(t, slices.ContainsFunc(names(), func(name string) bool { return strings.HasSuffix(name, allColumns) }))
	s.Tables = right
	require.NoError(t, check(true))
	counted.manifests = 0
	require.NoError(t, check(true))
	require.Zero(t, counted.manifests)

	for e, err := range counted.List(t.Context(), "crash_summary/") { // the published files are removed: nothing is against it
		require.NoError(t, errors.Join(err, counted.Delete(t.Context(), e.Name)))
	}
	retype(t, s, "crash_summary", "application", "int")
	require.NoError(t, check(true))
}

// noLists fails to change what is kept of columns.
type noLists struct {
	store.Bucket
	create, remove error
}

func (b *noLists) Create(ctx context.Context, name string) (store.Writer, error) {
	if strings.HasPrefix(name, columnsDir+"/") && b.create != nil {
		return nil, b.create
	}
	return b.Bucket.Create(ctx, name)
}

func (b *noLists) Delete(ctx context.Context, name string) error {
	if strings.HasPrefix(name, columnsDir+"/") && b.remove != nil {
		return b.remove
	}
	return b.Bucket.Delete(ctx, name)
}

// TestColumnsAreNotKept: runs publish where lists of columns cannot be written, and see nevertheless
// that a column changes its type. Lists that are not complete do not pretend to be.
func TestColumnsAreNotKept(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	days := []string{"20180301", "20180302"}
	sitetest.DayPings(t, s.Archive, 1, 20, days...)
	b := &noLists{Bucket: s.Roots[schema.StorageRoot], create: errors.New("injected")}
	s.Roots[schema.StorageRoot] = b
	complete := path.Join(columnsDir, "crash_summary/v1", allColumns)
	is := func() bool {
		_, err := store.ReadFile(t.Context(), b, complete)
		return err == nil
	}
	run := func(day string) error {
		_, err := Run(t.Context(), s, RunOptions{Tables: []string{"crash_summary"}, Days: []string{day}, Now: time.Now})
		return err
	}
	require.NoError(t, run(days[0]))
	require.False(t, is())
	right := s.Tables
	retype(t, s, "crash_summary", "application", "int")
	require.ErrorIs(t, run(days[0]), ErrRetyped)
	s.Tables = right
	b.create = nil
	require.NoError(t, run(days[0])) // it makes up for it
	require.True(t, is())

	for e, err := range b.List(t.Context(), path.Dir(complete)+"/") {
		require.NoError(t, err)
		if e.Name != complete {
			require.NoError(t, b.Delete(t.Context(), e.Name)) // as if the columns were new
		}
	}
	b.create, b.remove = errors.New("injected"), errors.New("neither")
	require.ErrorIs(t, run(days[1]), b.remove)
	b.remove = nil
	require.NoError(t, run(days[1]))
	require.False(t, is())
}
