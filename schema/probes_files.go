package schema

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed probes
var embeddedProbes embed.FS

// maxProbesFile is the largest definition file in bytes; the largest real one
// is about 1 MiB.
const maxProbesFile = 64 << 20

var probesFiles = []string{"Scalars.yaml", "AddonScalars.yaml", "Histograms.json", "main_summary.yaml"}

// checkProbesDir refuses a folder that is none, and files whose name differs
// from one that would be read in case or ending only: they would be ignored.
func checkProbesDir(dir string) error {
	if dir == "" || dir == FirefoxProbes {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("probes: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("probes: %s: not a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("probes: %w", err)
	}
	present := map[string]bool{}
	for _, e := range entries {
		present[e.Name()] = true
	}
	var errs []error
	for _, e := range entries {
		for _, want := range probesFiles {
			if e.Name() != want && !present[want] && sameStem(e.Name(), want) {
				errs = append(errs, fmt.Errorf("probes: %s: file name is not known, want %s", e.Name(), want))
			}
		}
	}
	return errors.Join(errs...)
}

func sameStem(a, b string) bool {
	ext := strings.ToLower(filepath.Ext(a))
	if ext != ".yaml" && ext != ".yml" && ext != ".json" {
		return false
	}
	stem := func(s string) string { return strings.TrimSuffix(s, filepath.Ext(s)) }
	return strings.EqualFold(stem(a), stem(b))
}

// FirefoxProbes names the embedded definitions of a Firefox of 2026.
const FirefoxProbes = "firefox"

// readProbesFile returns a file of the folder, or the embedded one where the
// folder has none. The folder FirefoxProbes is an embedded one, too.
func readProbesFile(dir, name string) ([]byte, error) {
	switch dir {
	case FirefoxProbes:
		if b, err := embeddedProbes.ReadFile("probes/firefox/" + name); err == nil {
			return b, nil
		}
		fallthrough
	case "":
		return embeddedProbes.ReadFile("probes/" + name)
	}
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return embeddedProbes.ReadFile("probes/" + name)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait forever
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxProbesFile+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if len(b) > maxProbesFile {
		return nil, fmt.Errorf("larger than %d MiB", maxProbesFile>>20)
	}
	return b, nil
}
