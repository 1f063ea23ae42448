package catalog

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// publishing publishes one generation of crash_summary after the other, each of two
// files in which every row has the generation's number, as many rows as that.
type publishing struct {
	table *lake.Table
	day   string
}

func (p *publishing) publish(ctx context.Context, n int) error {
	g, err := p.table.Begin(ctx, p.day, fmt.Sprintf("%08x", n))
	if err != nil {
		return err
	}
	base, err := p.table.Partition(ctx, p.day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var m lake.Manifest
	for lo := range 2 {
		f, err := p.file(ctx, g, n, lo*50)
		if err != nil {
			return err
		}
		f.Rows, f.Lo, f.Hi = int64(n), lo*50, lo*50+49
		m.Files, m.Parts = append(m.Files, f), append(m.Parts, lake.Part{Lo: f.Lo, Hi: f.Hi, Work: g.Dir()})
	}
	return g.Publish(ctx, m, base)
}

func (p *publishing) file(ctx context.Context, g *lake.Generation, n, lo int) (lake.File, error) {
	b := column.NewBatch(p.table.Schema.Columns)
	for range n {
		if err := b.AppendJSONRow(map[string]any{"client_id": fmt.Sprint(n)}); err != nil {
			return lake.File{}, err
		}
	}
	sink, err := g.Create(ctx, g.FileName("", lo, 0))
	if err != nil {
		return lake.File{}, err
	}
	defer sink.Abort()
	w, err := lake.NewFileWriter(sink, p.table.Schema.Columns, lake.Laptop())
	if err == nil {
		err = w.Write(b)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		return lake.File{}, err
	}
	return sink.Finish()
}

var publishingRounds = flag.Int("publishing.rounds", 1, "rounds of the tests of queries and readers while a partition is published")

// TestQueriesWhilePublishing asks 400 queries a round while a partition is published
// with other content all the time: each sees one generation, whole, that which was
// published when it was planned, however many have followed since.
func TestQueriesWhilePublishing(t *testing.T) {
	s, lt := publishingSite(t)
	whilePublishing(t, lt, func() {
		for range 16 * *publishingRounds {
			queryPlanned(t, s, 25)
		}
	})
}

// TestReadersWhilePublishing does the same with another make's reader that takes
// the list of files from pingmill tables --files.
func TestReadersWhilePublishing(t *testing.T) {
	_, lt := publishingSite(t)
	whilePublishing(t, lt, func() {
		for range 80 * *publishingRounds {
			paths, err := Files(t.Context(), lt, nil)
			if err != nil || len(paths) != 2 {
				t.Fatalf("%v, %v", paths, err)
			}
			for range 5 {
				readPlanned(t, paths)
			}
		}
	})
}

// readPlanned reads files that were listed before.
func readPlanned(t *testing.T, paths []string) {
	t.Helper()
	type row struct {
		ClientID string `parquet:"client_id,optional"`
	}
	counts := map[string]int{}
	for _, path := range paths {
		rows, err := parquet.ReadFile[row](path)
		require.NoError(t, err)
		for _, r := range rows {
			counts[r.ClientID]++
		}
	}
	for generation, n := range counts {
		if len(counts) != 1 || fmt.Sprint(n/2) != generation {
			t.Fatalf("rows of generations: %v", counts)
		}
	}
}

func publishingSite(t *testing.T) (*site.Site, *lake.Table) {
	t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	s, err := site.Open(t.Context(), t.TempDir(), schema.NewSet(p))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	s.Grace = lake.Grace{For: time.Hour, Now: time.Now}
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	return s, lt
}

// pause is the time between publications. Without it the publisher occupies a core.
const pause = 5 * time.Millisecond

// whilePublishing does something while a partition is published again and again.
func whilePublishing(t *testing.T, lt *lake.Table, do func()) {
	t.Helper()
	ctx := t.Context()
	pub := &publishing{lt, "20180301"}
	require.NoError(t, pub.publish(ctx, 1))
	publications, stop := make(chan int, 1), make(chan struct{})
	go func() {
		n := 2
		for ; ; n++ {
			select {
			case <-stop:
				publications <- n
				return
			case <-time.After(pause):
			}
			if err := pub.publish(ctx, n%500+1); err != nil {
				t.Error(err)
				publications <- n
				return
			}
		}
	}()
	do()
	close(stop)
	n := <-publications
	if n < 10 {
		t.Errorf("only %d publications", n)
	}
	t.Logf("%d publications", n)
}

// queryPlanned plans once, and asks a number of queries.
func queryPlanned(t *testing.T, s *site.Site, queries int) {
	t.Helper()
	db, err := Open(t.Context(), s, query.Options{Threads: 1})
	require.NoError(t, err)
	defer db.Close()
	first := ""
	for range queries {
		checkOneGeneration(t, s)
		rows, err := db.Query(t.Context(), "SELECT CAST(count(*) // 2 AS varchar), min(client_id), max(client_id) FROM crash_summary")
		require.NoError(t, err)
		values, err := rows.Next()
		if _, end := rows.Next(); err == nil && !errors.Is(end, io.EOF) {
			err = errors.New("more than one row")
		}
		if err = errors.Join(err, rows.Close()); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(values...)
		if first == "" {
			first = got
		}
		if got != first || values[0] != values[1] || values[1] != values[2] {
			t.Fatalf("a query saw %v, the first one %s", values, first)
		}
	}
}

// checkOneGeneration looks at the partition's folder as an engine does that knows
// no manifests.
func checkOneGeneration(t *testing.T, s *site.Site) {
	t.Helper()
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	root, _ := store.LocalDir(lt.Bucket())
	files, err := os.ReadDir(filepath.Join(root, filepath.Dir(lt.Path("20180301", "x"))))
	if replaced := (*fs.PathError)(nil); errors.As(err, &replaced) && replaced.Op != "open" && errors.Is(err, fs.ErrNotExist) {
		return // it was there, and removed as a replaced one before it was read: nothing of it was seen
	}
	require.NoError(t, err)
	tags := map[string]int{}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".parquet"); ok {
			tags[name[strings.LastIndexByte(name, '-'):]]++
		}
	}
	if len(tags) > 1 {
		t.Errorf("the folder has files of several generations: %v", files)
	}
}
