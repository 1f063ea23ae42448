package chaos

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// kinds of files that are damaged, by how their paths begin and end; * is any end with what is behind it in the name. A file may
// be of several kinds.
var kinds = []struct{ name, in, ends string }{
	{"pings of the archive", "archive/pings", ".parquet"},
	{"rejected submissions", "archive/errors", ".parquet"},
	{"records of loads", "archive/loads", ".json"},
	{"the rest of the archive", "archive", ""},
	{"published files", "lake", ".parquet"},
	{"published files of the pipeline", "pipeline", ".parquet"},
	{"published files of the restricted table", "restricted", ".parquet"},
	{"compact files", "lake", "*_compact-"},
	{"compact files in use", "lake/_generations", "*_compact-"},
	{"generations", "lake/_generations", ".parquet"},
	{"manifests", "lake", "_manifest.json"},
	{"manifests of the pipeline", "pipeline", "_manifest.json"},
	{"the ledger", "ledger.db", ""},
	{"anything", "", ""},
}

// damages lists ways to damage a file.
var damages = []struct {
	name string
	do   func(r *rand.Rand, path string, others []string) error
}{
	{"one bit flipped", flipBit},
	{"one bit flipped", flipBit},
	{"one bit flipped", flipBit},
	{"cut", func(r *rand.Rand, path string, _ []string) error {
		return os.Truncate(path, int64(r.IntN(size(path)+1)))
	}},
	{"emptied", func(_ *rand.Rand, path string, _ []string) error { return os.Truncate(path, 0) }},
	{"a block zeroed", zeroBlock},
	{"garbage instead", garbage},
	{"deleted", func(_ *rand.Rand, path string, _ []string) error { return os.Remove(path) }},
	{"made longer", lengthen},
	{"a link to nowhere instead", func(_ *rand.Rand, path string, _ []string) error { return replaceBySymlink(path, path+".gone") }},
	{"a link to another instead", func(r *rand.Rand, path string, others []string) error { return replaceBySymlink(path, pick(r, others)) }},
	{"another's bytes instead", swapBytes},
	{"a folder instead", func(_ *rand.Rand, path string, _ []string) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.Mkdir(path, 0o755)
	}},
	{"a FIFO instead", func(_ *rand.Rand, path string, _ []string) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return syscall.Mkfifo(path, 0o644)
	}},
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

func size(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return int(info.Size())
}

func flipBit(r *rand.Rand, path string, _ []string) error {
	return change(path, func(b []byte) []byte {
		if len(b) > 0 {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		return b
	})
}

func zeroBlock(r *rand.Rand, path string, _ []string) error {
	return change(path, func(b []byte) []byte {
		at := r.IntN(len(b)/4096+1) * 4096
		clear(b[at:min(at+4096, len(b))])
		return b
	})
}

func garbage(r *rand.Rand, path string, _ []string) error {
	return change(path, func(b []byte) []byte {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	})
}

func lengthen(r *rand.Rand, path string, _ []string) error {
	return change(path, func(b []byte) []byte { return append(b, b[:r.IntN(len(b)+1)]...) })
}

func swapBytes(r *rand.Rand, path string, others []string) error {
	other, err := os.ReadFile(pick(r, others))
	if err != nil {
		return err
	}
	return change(path, func([]byte) []byte { return other })
}

// change writes a file again in place: its links have the same bytes.
func change(path string, to func([]byte) []byte) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, to(b), 0o644)
}

func replaceBySymlink(path, target string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.Symlink(target, path)
}

// filesIn lists the regular files of an installation of a kind.
func filesIn(t *testing.T, data, in, ends string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(data, in), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isOf(path, ends) && !strings.HasPrefix(path, filepath.Join(data, "tmp")) {
			all = append(all, path)
		}
		if os.IsNotExist(err) {
			return nil
		}
		return err
	})
	require.NoError(t, err)
	return all
}

// isOf reports whether a path ends as kinds of files say.
func isOf(path, ends string) bool {
	if begin, any := strings.CutPrefix(ends, "*"); any {
		return strings.HasPrefix(filepath.Base(path), begin)
	}
	return strings.HasSuffix(path, ends)
}
