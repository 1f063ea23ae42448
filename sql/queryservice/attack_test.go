package queryservice

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/store"
)

// table is the granted table in the statements of package worker.
var table = regexp.MustCompile(`\bt\b`)

// TestAttacks: the query service, behind the query tool, its clients and schedules, refuses the statements of package worker, in both
// dialects (of some each), and neither the query nor its error shows what is not granted or where anything is.
func TestAttacks(t *testing.T) {
	const canary = "canary-5f0c2e"
	s := published(t, "20180301")
	dir := func(name string) string {
		lt, err := s.Table(name)
		require.NoError(t, err)
		dir, local := store.LocalDir(lt.Bucket())
		require.True(t, local)
		return dir
	}
	root := dir("crash_summary")
	secret := filepath.Join(root, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte(canary), 0o600))
	file := func(name string) (file string) {
		require.NoError(t, filepath.WalkDir(dir(name), func(path string, _ fs.DirEntry, err error) error {
			if strings.Contains(path, name) && strings.HasSuffix(path, ".parquet") {
				file = path
			}
			return err
		}))
		require.NotEmpty(t, file)
		return file
	}
	words := strings.NewReplacer("{dir}", root, "{secret}", secret, "{link}", secret, "{part}", file("crash_summary"), "{old}",
		file("crash_summary"),
		"{other}", file("search_clients_daily"), "{url}", "http://127.0.0.1:1")
	text, err := os.ReadFile("../worker/testdata/attacks.sql")
	require.NoError(t, err)
	d := opened(t, s, func(c *Config) {
		c.Queue = queue.Options{Slots: 4}
		c.Limits.Time, c.Limits.Spill, c.Limits.Memory = 5*time.Second, 1<<20, 128<<20
	})
	work := make(chan Request)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for attack := range work {
				q, err := d.Submit(t.Context(), bob, attack)
				if err != nil {
					continue // its parameters
				}
				q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
				assert.NoError(t, err)
				assert.Equal(t, Failed, q.State, "%s: %s", attack.Dialect, attack.SQL)
				if q.Error != nil {
					reply, err := json.Marshal(q.Error)
					assert.NoError(t, err)
					assert.NotContains(t, string(reply), canary)
					assert.NotEqual(t, "Internal", q.Error.Kind, attack.SQL)
					if !strings.Contains(attack.SQL, root) {
						assert.NotContains(t, string(reply), root, attack.SQL)
					}
				}
			}
		})
	}
	harmless, n := false, 0 // in the section
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "=="):
			harmless, n = strings.Contains(line, "like any other"), 0
		case strings.HasPrefix(line, "--"), harmless:
		default:
			sql := words.Replace(table.ReplaceAllString(line, "crash_summary"))
			switch n % 12 { // each takes a process; package worker runs all of them
			case 0:
				work <- Request{SQL: sql, Dialect: query.DuckDB}
			case 6:
				work <- Request{SQL: sql}
			}
			n++
		}
	}
	close(work)
	workers.Wait()
	now, err := os.ReadFile(secret)
	require.NoError(t, err)
	require.Equal(t, canary, string(now))
	for _, name := range []string{"written", "written.csv", "written.parquet", "exported", "log", "profile", "queries"} {
		require.NoFileExists(t, filepath.Join(root, name))
		require.NoDirExists(t, filepath.Join(root, name))
	}
}
