package queryservice

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// results stores the files of results: ID.arrow, or ID.part or ID.SERVER.part while it is written.
type results struct {
	dir string
	own string     // in the names of unfinished files of this server, where the folder may be shared
	mu  sync.Mutex // guards sweep
}

const (
	ending = ".arrow"
	unsure = ".part"
)

// open creates the folder and removes unfinished files of earlier processes.
func (r *results) open() error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return fmt.Errorf("open results: %w", err)
	}
	parts, err := filepath.Glob(filepath.Join(r.dir, "*"+r.own+unsure))
	for _, p := range parts {
		err = errors.Join(err, os.Remove(p))
	}
	if err != nil {
		return fmt.Errorf("open results: %w", err)
	}
	return nil
}

func (r *results) path(id string) string { return filepath.Join(r.dir, id+ending) }

// create creates the file of a query's result. It truncates an existing unfinished file.
func (r *results) create(id string) (*os.File, error) {
	return os.OpenFile(filepath.Join(r.dir, id+r.own+unsure), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

// finish indexes a complete result and publishes it under the query's id. Its age counts from now.
func (r *results) finish(f *os.File, id string, now time.Time) (err error) {
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	err = writeIndex(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(f.Name(), now, now)
	}
	if err == nil {
		err = os.Link(f.Name(), r.path(id))
	}
	return err
}

// drop closes and removes the file of a result that will not be completed.
func (r *results) drop(f *os.File) { _ = errors.Join(f.Close(), os.Remove(f.Name())) }

// sweep removes results older than keep, and then the oldest results while all together exceed most bytes; 0 means no
// limit.
func (r *results) sweep(now time.Time, keep time.Duration, most int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entries, _ := os.ReadDir(r.dir) // on an error nothing is removed
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ending) {
			files, total = append(files, info), total+info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if (keep <= 0 || now.Sub(f.ModTime()) <= keep) && (most <= 0 || total <= most) {
			continue
		}
		if os.Remove(filepath.Join(r.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
