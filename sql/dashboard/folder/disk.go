package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/sql/dashboard/files"
)

// Limits of a folder.
const (
	maxFiles = 5000
	maxBytes = 1 << 20 // of a file
)

// Read returns the files of dashboards and queries of a folder by their paths, and those that cannot be read. A folder that does
// not exist has none.
func Read(dir string) (all map[string]side, problems []files.Problem, err error) {
	all = map[string]side{}
	for _, below := range []string{"dashboards", "queries"} {
		entries, err := os.ReadDir(filepath.Join(dir, below))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read folder of dashboards: %w", err)
		}
		if len(entries) > maxFiles {
			return nil, nil, fmt.Errorf("read folder of dashboards: %s has more than %d files", below, maxFiles)
		}
		for _, e := range entries {
			path := below + "/" + e.Name()
			id, isDashboard, ok := files.ID(path)
			if !ok || e.IsDir() {
				if strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".sql") {
					problems = append(problems, files.Problem{Path: path, Message: "its name is no id"})
				}
				continue
			}
			if want := map[bool]string{true: files.DashboardPath(id), false: files.QueryPath(id)}[isDashboard]; path != want {
				problems = append(problems, files.Problem{Path: path, Message: "it must be named " + want})
				continue
			}
			info, err := e.Info()
			var text []byte
			switch {
			case err == nil && !info.Mode().IsRegular():
				err = errors.New("it is no regular file")
			case err == nil && info.Size() > maxBytes:
				err = fmt.Errorf("it is larger than %d bytes", maxBytes)
			case err == nil:
				text, err = os.ReadFile(filepath.Join(dir, below, e.Name()))
			}
			if err != nil {
				problems = append(problems, files.Problem{Path: path, Message: err.Error()})
				continue
			}
			all[path] = side{text: strings.ReplaceAll(string(text), "\r\n", "\n"), exists: true}
		}
	}
	return all, problems, nil
}

// Write writes a file whole or not at all, with its folder.
func Write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
