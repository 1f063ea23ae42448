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

// allAttacks makes each way try every attack. By default each way tries a part of them.
var allAttacks = flag.Bool("attacks.all", false, "try each attack in each way")

// thinned is the reciprocal of the share of attacks that are tried by default: one of six of each kind, beginning with its first.
const thinned = 6

// canary is a text in files that no query may show.
const canary = "canary-7be10d"

// Attack is a statement of sql/worker/testdata/attacks.sql, rewritten for the tables of the office.
type Attack struct {
	SQL      string
	Harmless bool // it is an ordinary query
}

// Attacks returns the statements for one of several ways to query, with the paths of the office.
func (o *Office) Attacks(t testing.TB, way, ways int) (all []Attack) {
	t.Helper()
	text, err := os.ReadFile("../../sql/worker/testdata/attacks.sql")
	require.NoError(t, err)
	secret := filepath.Join(o.Site.Dir, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte(canary), 0o600))
	part, other := o.parquet(t, "addons"), o.parquet(t, Restricted())
	words := strings.NewReplacer("{dir}", o.Site.Dir, "{secret}", secret, "{part}", part, "{other}", other, "{old}", other, "{link}", secret,
		"{url}", "http://127.0.0.1:9")
	section, inSection, chosen := "", 0, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "== "); ok {
			section, inSection = name, 0
		}
		if strings.HasPrefix(line, "==") || strings.HasPrefix(line, "--") {
			continue
		}
		mine := *allAttacks
		if inSection%thinned == 0 {
			mine = mine || chosen%ways == way
			chosen++
		}
		inSection++
		if mine {
			all = append(all, Attack{words.Replace(columns.ReplaceAllStringFunc(line, func(w string) string { return names[w] })),
				section == "is a query like any other"})
		}
	}
	return all
}

// columns finds the names in the attacks' table; names maps each to a name in the office's tables.
var (
	columns = regexp.MustCompile(`\b(t|n|day)\b`)
	names   = map[string]string{"t": "addons", "n": "sample_id", "day": "submission_date_obj"}
)

// parquet returns a file of a table.
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

// Unharmed fails the test if the answer to an attack shows protected content. Text of the statement itself in the
// answer is allowed.
func Unharmed(t testing.TB, o *Office, a Attack, answer string) {
	t.Helper()
	assert.NotContains(t, answer, canary, a.SQL)
	assert.NotContains(t, strings.ReplaceAll(answer, a.SQL, ""), "root:x:", a.SQL)
	if !strings.Contains(a.SQL, o.Site.Dir) {
		assert.NotContains(t, answer, o.Site.Dir, a.SQL)
	}
}

// Files returns the files of the office's installation, without the temporary ones, which queries may leave.
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
