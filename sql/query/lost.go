package query

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// tag returns the path of the file that matches a scan in a plan to its view, "" if none is needed.
func (db *DB) tag(v View) string {
	if db.verify == nil {
		return ""
	}
	return filepath.Join(db.lostDir, "view "+v.Name)
}

// standIn replaces missing files of a view by empty files in the same partition folders: DuckDB refuses a list with a
// missing file even if a query does not read its partition. It also creates the view's tag.
func (db *DB) standIn(v View) (View, error) {
	if db.verify == nil || len(v.Files) == 0 {
		return v, nil
	}
	if err := db.makeTag(v); err != nil {
		return v, fmt.Errorf("read table %s: %w", v.Name, err)
	}
	copied := false
	for i, path := range v.Files {
		if !isLost(path) {
			continue
		}
		if !copied {
			v.Files, copied = slices.Clone(v.Files), true
		}
		file, err := db.emptyFile(v, path)
		if err != nil {
			return v, fmt.Errorf("stand in for %s: %w", path, err)
		}
		db.lost[file], v.Files[i] = path, file
	}
	return v, nil
}

// isLost reports whether there is no regular file at path: DuckDB would not find it, or would block on it.
func isLost(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
	}
	return !info.Mode().IsRegular()
}

func (db *DB) makeTag(v View) (err error) {
	if db.lostDir == "" {
		if db.lostDir, err = os.MkdirTemp(db.tempDir, "lost-"); err != nil {
			return err
		}
	}
	for _, p := range v.Parts(db.tag(v)) {
		if err := os.WriteFile(p.Tag, nil, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// emptyFile creates an empty file with the partition folders of path.
func (db *DB) emptyFile(v View, path string) (string, error) {
	at := len(filepath.Dir(path))
	if len(v.PartitionKeys) > 0 {
		if n := strings.LastIndex(path, "/"+v.PartitionKeys[0]+"="); n >= 0 {
			at = n
		}
	}
	dir, err := os.MkdirTemp(db.lostDir, "")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, path[at:])
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, nil, 0o600)
}
