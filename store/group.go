package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Group makes objects durable together. An object of a group is visible after its Commit, but in a directory of this
// machine it survives a power failure only after Sync: one commit of the file system's journal then serves all objects.
// Other buckets make each object durable when it is committed. A Group is not safe for concurrent use, its zero value is
// ready, and a nil Group has no effect.
type Group struct {
	files []*os.File
	size  int64
	dirs  map[string]bool
}

// A group syncs by itself once it has this much, to bound open files and unwritten pages.
const (
	groupFiles = 128
	groupBytes = 64 << 20
)

// CreateIn starts writing an object of the group, as the function CreateIn does.
func (g *Group) CreateIn(ctx context.Context, b Bucket, dir, name string) (Writer, error) {
	if l, ok := b.(*Local); ok && g != nil && grouping {
		return l.createIn(ctx, dir, name, g)
	}
	return CreateIn(ctx, b, dir, name)
}

// add takes over the file of a committed object.
func (g *Group) add(w *localWriter) error {
	g.files, g.size = append(g.files, w.f), g.size+w.size
	for dir := filepath.Dir(w.path); ; dir = filepath.Dir(dir) {
		_ = g.addDir(dir) // it never fails
		if len(dir) <= len(w.root) {
			break
		}
	}
	if len(g.files) < groupFiles && g.size < groupBytes {
		return nil
	}
	return g.Sync()
}

// addDir has Sync make the names inside a directory durable.
func (g *Group) addDir(dir string) error {
	if g.dirs == nil {
		g.dirs = map[string]bool{}
	}
	g.dirs[dir] = true
	return nil
}

// Sync makes the committed objects durable. After an error some of them may not be.
func (g *Group) Sync() error {
	for _, f := range g.files {
		startWriting(f)
	}
	for i, f := range g.files {
		err := f.Sync()
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			g.files = g.files[i+1:]
			g.Close()
			return fmt.Errorf("write files through to the disk: %w", err)
		}
	}
	g.files, g.size = nil, 0
	for dir := range g.dirs {
		if err := syncNames(dir); err != nil {
			return fmt.Errorf("write names through to the disk: %w", err)
		}
	}
	clear(g.dirs)
	return nil
}

// Close forgets what Sync has not made durable.
func (g *Group) Close() {
	for _, f := range g.files {
		f.Close()
	}
	*g = Group{}
}
