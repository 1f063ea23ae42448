package bitest

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// allAttacks has every attack tried in every way; without it each way has a part of them.
var allAttacks = flag.Bool("attacks.all", false, "try each attack in each way")

// thinned is of how many attacks a way tries one, as far as the ways do not share them.
const thinned = 3

// canary is in files that no query may show.
const canary = "canary-7be10d"

// Attack is a statement of sql/worker/testdata/attacks.sql about the office's tables.
type Attack struct {
	SQL      string
	Harmless bool // it is a query like any other
}

// Attacks are the statements that one of several ways in tries, with the paths of the office.
func (o *Office) Attacks(t testing.TB, way, ways int) (all []Attack) {
	t.Helper()
	text, err := os.ReadFile("../../sql/worker/testdata/attacks.sql")
	require.NoError(t, err)
	secret := filepath.Join(o.Site.Dir, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte(canary), 0o600))
	part, other := o.parquet(t, "addons"), o.parquet(t, Restricted)
	words := strings.NewReplacer("{dir}", o.Site.Dir, "{secret}", secret, "{part}", part, "{other}", other, "{old}", other, "{link}", secret, "{url}", "http://127.0.0.1:9")
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "== "); ok {
			section = name
		}
		if strings.HasPrefix(line, "==") || strings.HasPrefix(line, "--") {
			continue
		}
		all = append(all, Attack{words.Replace(columns.ReplaceAllStringFunc(line, func(w string) string { return names[w] })), section == "is a query like any other"})
	}
	var some []Attack
	for i, a := range all {
		if *allAttacks || i%(thinned*ways) == thinned*way {
			some = append(some, a)
		}
	}
	return some
}

// columns finds names of the table that attacks are about, which names has those of the office for.
var (
	columns = regexp.MustCompile(`\b(t|n|day)\b`)
	names   = map[string]string{"t": "addons", "n": "sample_id", "day": "submission_date_obj"}
)

// parquet is a file of a table.
func (o *Office) parquet(t testing.TB, table string) (found string) {
	t.Helper()
	err := filepath.WalkDir(o.Site.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".parquet") && strings.Contains(path, table) {
			found = path
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

// Unharmed fails the test if an attack is answered with what it must not show, and takes what the statement itself has from that.
func Unharmed(t testing.TB, o *Office, a Attack, answer string) {
	t.Helper()
	assert.NotContains(t, answer, canary, a.SQL)
	assert.NotContains(t, strings.ReplaceAll(answer, a.SQL, ""), "root:x:", a.SQL)
	if !strings.Contains(a.SQL, o.Site.Dir) {
		assert.NotContains(t, answer, o.Site.Dir, a.SQL)
	}
}

// Files are the files of the office's installation without those that queries may leave.
func (o *Office) Files(t testing.TB) (all []string) {
	t.Helper()
	err := filepath.WalkDir(o.Site.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(path, o.Site.Temp) {
			all = append(all, path)
		}
		return err
	})
	require.NoError(t, err)
	return all
}
