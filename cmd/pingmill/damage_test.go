package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// published returns the files of a table's day, with all names that they have.
func published(t *testing.T, data, table, day string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.Contains(path, "/"+table+"/") && strings.Contains(path, day) && strings.HasSuffix(path, ".parquet") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of %s: %v", len(files), table, err)
	}
	slices.Sort(files)
	return files
}

// One flipped bit in a published file, wherever it is, changes no answer: it is the
// right one, or an error that names the file, the day and a command that mends it.
func TestFlippedBitInTable(t *testing.T) {
	t.Parallel()
	data := loadedData(t, "--clients", "40", "--days", "2")
	mustCall(t, "run", "all", "--from", "20180301", "--to", "20180302", "--data", data)
	queryArgs := []string{"query", "--format", "csv", "--data", data,
		"SELECT * FROM clients_daily WHERE submission_date_obj = '20180301' ORDER BY client_id"}
	other := []string{"query", "--format", "csv", "--data", data,
		"SELECT count(*) FROM clients_daily WHERE submission_date_obj = '20180302' AND client_id >= ''"}
	want, others := mustCall(t, queryArgs...), mustCall(t, other...)
	file := published(t, data, "clients_daily", "20180301")[0]
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	compact, err := filepath.Glob(filepath.Join(filepath.Dir(file), "_compact-*"))
	require.NoError(t, err)
	require.NotEmpty(t, compact)
	for _, name := range compact { // the rows of these are in the other files as well
		overwrite(t, name, []byte("PAR1"))
		if out := mustCall(t, queryArgs...); out != want {
			t.Errorf("without %s the rows are others", filepath.Base(name))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		spoilt := slices.Clone(whole)
		at := rng.IntN(8 * len(whole))
		spoilt[at/8] ^= 1 << (at % 8)
		overwrite(t, file, spoilt)
		code, out, errs := call(nil, queryArgs...)
		errs = strings.Join(strings.Fields(errs), " ") // long lines are divided
		named := strings.Contains(errs, filepath.Base(file)) && strings.Contains(errs, "day 20180301") &&
			strings.Contains(errs, "`pingmill run clients_daily --date 20180301")
		if code != 1 || out != "" || !named {
			t.Errorf("bit %d of %d: exit %d, right rows %v: %s", at, 8*len(whole), code, out == want, errs)
		}
		if out := mustCall(t, other...); out != others {
			t.Errorf("bit %d: the other day has %q", at, out)
		}
	}
	for _, args := range [][]string{{"status", "--from", "20180301", "--to", "20180302"}, {"check", "--files"},
		{"check", "--files", "clients_daily", "--date", "20180301"}} {
		code, out, _ := call(nil, append(args, "--data", data)...)
		if code != 1 || !strings.Contains(out, filepath.Base(file)) || !strings.Contains(out, "pingmill run clients_daily --date 20180301") &&
			args[0] == "check" {
			t.Errorf("%q: exit %d\n%s", args, code, out)
		}
	}
	if out := mustCall(t, "run", "clients_daily", "--date", "20180301", "--data", data); !strings.Contains(out, "1 committed") {
		t.Errorf("run: %s", out)
	}
	if out := mustCall(t, queryArgs...); out != want {
		t.Error("after the run the rows are others")
	}
	for _, args := range [][]string{{"status", "--from", "20180301", "--to", "20180302"}, {"check", "--files"}} {
		mustCall(t, append(args, "--data", data)...)
	}
}

// overwrite changes a file in its place, whatever names it has.
func overwrite(t *testing.T, name string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	require.NoError(t, err)
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, f.Close())
}
