package catalog

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/store"
)

// counted is a bucket that counts what is read of it.
type counted struct {
	store.Bucket
	ranges, bytes, opens atomic.Int64
	content              atomic.Value // identity of all objects
}

func (c *counted) ReadRange(ctx context.Context, name string, p []byte, off int64, content string) (string, error) {
	c.ranges.Add(1)
	c.bytes.Add(int64(len(p)))
	now, _ := c.content.Load().(string)
	if content != "" && content != now {
		return "", store.ErrChanged
	}
	_, err := store.ReadRange(ctx, c.Bucket, name, p, off, "")
	return now, err
}

func (c *counted) Open(ctx context.Context, name string) (store.Reader, error) {
	c.opens.Add(1)
	return c.Bucket.Open(ctx, name)
}

// bucketSite returns an installation whose tables are in a bucket.
func bucketSite(t *testing.T) (*site.Site, *counted) {
	t.Helper()
	s, _ := publishingSite(t)
	c := &counted{Bucket: store.NewMemory()}
	c.content.Store("one")
	for root := range s.Roots {
		s.Roots[root] = c
	}
	return s, c
}

// publishMain publishes a day of main_summary in one file with rows of some columns.
func publishMain(t *testing.T, s *site.Site, day string, rows int) *lake.Manifest {
	t.Helper()
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string { return fmt.Sprintf("%016x%016x", r.Uint64(), r.Uint64()) }
	all := make([]map[string]any, rows)
	for i := range all {
		row := map[string]any{
			"client_id": text(), "document_id": text(), "os": []string{"Linux", "Darwin"}[i%2], "app_version": "58.0",
			"subsession_length": json.Number(strconv.Itoa(i)), "profile_subsession_counter": json.Number(strconv.Itoa(i % 7)),
			"distribution_id": text(), "vendor": text(),
			"submission_date_obj": day, "sample_id": "0",
		}
		for _, c := range lt.Schema.Columns {
			if _, set := row[c.Name]; c.NotNull && !set {
				row[c.Name] = map[bool]any{true: "x", false: json.Number("1")}[c.Type.Kind == schema.String]
			}
		}
		all[i] = row
	}
	return sitetest.Publish(t, lt, day, "aaaa"+day, "sample_id=0", all)
}

// one asks for one row.
func one(t *testing.T, s *site.Site, sql string) (string, error) {
	t.Helper()
	var got string
	err := Again(t.Context(), func(ctx context.Context, avoid []string) error {
		db, err := Open(ctx, s, query.Options{TempDir: t.TempDir()}, avoid...)
		require.NoError(t, err)
		defer db.Close()
		rows, err := db.Query(t.Context(), sql)
		if err != nil {
			return err
		}
		defer rows.Close()
		values, err := rows.Next()
		got = strings.TrimSpace(fmt.Sprintln(values...))
		return err
	})
	return got, err
}

// TestBucketColumns: a query of a bucket brings the columns that it reads and no others, once.
func TestBucketColumns(t *testing.T) {
	s, c := bucketSite(t)
	var size int64
	for _, day := range []string{"20180301", "20180302"} {
		size = publishMain(t, s, day, 10_000).Bytes
	}
	c.bytes.Store(0)
	const sql = "SELECT os, sum(subsession_length) FROM main_summary WHERE submission_date_obj = '20180302' AND os = 'Linux' GROUP BY 1"
	got, err := one(t, s, sql)
	require.NoError(t, err)
	require.Equal(t, "Linux 24995000", got)
	t.Logf("2 columns of a day of %d bytes: %d bytes in %d ranges", size, c.bytes.Load(), c.ranges.Load())
	require.Less(t, c.bytes.Load(), size/4)
	require.LessOrEqual(t, c.ranges.Load(), int64(12))
	opens := c.opens.Load()
	c.bytes.Store(0)
	got, err = one(t, s, sql)
	require.NoError(t, err)
	require.Equal(t, "Linux 24995000", got)
	require.Zero(t, c.bytes.Load(), "brought again")
	require.LessOrEqual(t, c.opens.Load()-opens, int64(20), "manifests")
	// Another column of the same file comes in addition; a filter by a bloom filter needs that, too.
	got, err = one(t, s, "SELECT count(*), count(DISTINCT vendor) FROM main_summary WHERE client_id = 'x' OR submission_date_obj = '20180302'")
	require.NoError(t, err)
	require.Equal(t, "10000 10000", strings.Join(strings.Fields(got), " "))
	got, err = one(t, s, "SELECT count(*) FROM main_summary WHERE client_id = (SELECT min(client_id) FROM main_summary)")
	require.NoError(t, err)
	require.Equal(t, "2", got)
}

// TestBucketReplaced: what was replaced in the bucket is never read, nor what was brought of it before.
func TestBucketReplaced(t *testing.T) {
	s, c := bucketSite(t)
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	for n := 1; n < 30; n++ {
		require.NoError(t, (&publishing{lt, "20180301"}).publish(t.Context(), n))
		got, err := one(t, s, "SELECT CAST(count(*) // 2 AS VARCHAR) || min(client_id) || max(client_id) FROM crash_summary")
		require.NoError(t, err)
		require.Equal(t, strings.Repeat(fmt.Sprint(n), 3), got)
	}
	// The objects are others, of the same content: what comes is not mixed with what was there.
	publishMain(t, s, "20180301", 5000)
	_, err = one(t, s, "SELECT sum(subsession_length) FROM main_summary")
	require.NoError(t, err)
	c.content.Store("two")
	got, err := one(t, s, "SELECT count(DISTINCT vendor) FROM main_summary")
	require.NoError(t, err)
	require.Equal(t, "5000", got)
}

// TestDamagedCache: what is damaged in the cache is brought again; what is damaged in the bucket is on record.
func TestDamagedCache(t *testing.T) {
	s, c := bucketSite(t)
	m := publishMain(t, s, "20180301", 5000)
	const sql = "SELECT sum(subsession_length) FROM main_summary"
	want, err := one(t, s, sql)
	require.NoError(t, err)
	damage := func() {
		n := 0
		require.NoError(t, filepath.Walk(s.CacheOf(time.Now).Dir(), func(path string, info os.FileInfo, err error) error {
			if err == nil && strings.HasSuffix(path, ".parquet") {
				n++
				data, err := os.ReadFile(path)
				require.NoError(t, err)
				for i := range data[:len(data)-200] {
					data[i] ^= 1
				}
				return os.WriteFile(path, data, 0o600)
			}
			return err
		}))
		require.Equal(t, 1, n)
	}
	damage()
	got, err := one(t, s, sql)
	require.NoError(t, err)
	require.Equal(t, want, got)
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	name := lt.Path(m.Day, m.Files[0].Name)
	data, err := store.ReadFile(t.Context(), c, name)
	require.NoError(t, err)
	for i := range data[:len(data)-200] {
		data[i] ^= 1
	}
	require.NoError(t, store.WriteFile(t.Context(), c, name, data))
	damage()
	_, err = one(t, s, sql)
	require.ErrorContains(t, err, "is damaged")
	checkFound(t, lt, "20180301")
	require.NoError(t, c.Delete(t.Context(), name))
	require.NoError(t, lt.DeleteDamage(t.Context(), "20180301"))
	damage()
	_, err = one(t, s, sql)
	require.ErrorContains(t, err, "is missing")
}

// TestHoles: of a file that is there but for a column DuckDB gives an error when it reads the column, or what the
// footer says; never zeros or nulls. Nor does a hole in the place of a bloom filter hide rows.
func TestHoles(t *testing.T) {
	s, _ := publishingSite(t)
	day := publishMain(t, s, "20180301", 3000)
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	root, _ := store.LocalDir(lt.Bucket())
	whole := filepath.Join(root, lt.Paths(t.Context(), day)(day.Files[0].Name))
	data, err := os.ReadFile(whole)
	require.NoError(t, err)
	footer := int64(binary.LittleEndian.Uint32(data[len(data)-8:])) + 8
	hole := filepath.Join(t.TempDir(), "hole.parquet")
	empty := make([]byte, len(data))
	copy(empty[int64(len(data))-footer:], data[int64(len(data))-footer:])
	require.NoError(t, os.WriteFile(hole, empty, 0o600))
	db, err := query.Open(t.Context(), nil, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	runQuery := func(file, what string) (string, error) {
		rows, err := db.QueryIn(t.Context(), query.DuckDB, fmt.Sprintf("SELECT %s FROM read_parquet('%s')", what, file))
		if err != nil {
			return "", err
		}
		defer rows.Close()
		values, err := rows.Next()
		return strings.TrimSpace(fmt.Sprintln(values...)), err
	}
	failed := 0
	for _, c := range lt.Schema.Columns {
		what := fmt.Sprintf(`md5(string_agg(CAST("%s" AS VARCHAR), ',')), count("%s")`, c.Name, c.Name)
		got, err := runQuery(hole, what)
		if err != nil {
			failed++
			continue
		}
		want, err := runQuery(whole, what)
		require.NoError(t, err)
		require.Equal(t, want, got, c.Name)
	}
	t.Logf("%d of %d columns", failed, len(lt.Schema.Columns))
	file, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	at, _, _ := file.Find("client_id")
	for _, r := range file.Chunks(at) { // the chunks without their bloom filters
		if r.Size > 5_000 {
			copy(empty[r.Offset:], data[r.Offset:r.Offset+r.Size])
		}
	}
	require.NoError(t, os.WriteFile(hole, empty, 0o600))
	client, err := runQuery(whole, "min(client_id)")
	require.NoError(t, err)
	got, err := runQuery(hole, "min(client_id)")
	require.NoError(t, err)
	require.Equal(t, client, got)
	got, err = runQuery(hole, "count(*) FILTER (WHERE client_id = '"+client+"')")
	require.NoError(t, err)
	require.Equal(t, "1", got)
	rows, err := db.QueryIn(t.Context(), query.DuckDB,
		fmt.Sprintf("SELECT count(*) FROM read_parquet('%s') WHERE client_id = '%s'", hole, client))
	if err == nil {
		_, err = rows.Next()
		require.NoError(t, rows.Close())
	}
	require.Error(t, err, "the bloom filter is missing")
}
