package spool

import (
	"path/filepath"
	"sync"
)

// catalog lists the sealed segments of a folder.
type catalog struct {
	folder  string
	changed chan struct{} // receives after segments were sealed

	mu     sync.Mutex
	byName map[string]Segment // by file name
}

func newCatalog(dir string) catalog {
	return catalog{folder: dir, changed: make(chan struct{}, 1), byName: map[string]Segment{}}
}

// Sealed lists the sealed segments, oldest first.
func (c *catalog) Sealed() ([]Segment, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return listSealed(c.folder, c.byName)
}

// add adds a segment that was just sealed.
func (c *catalog) add(g Segment) {
	c.mu.Lock()
	c.byName[filepath.Base(g.Path)] = g
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// remove forgets the segment of a file.
func (c *catalog) remove(name string) {
	c.mu.Lock()
	delete(c.byName, name)
	c.mu.Unlock()
}

// count adds the segments to the counts.
func (c *catalog) count(t *Stats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range c.byName {
		t.Sealed, t.SealedBytes = t.Sealed+1, t.SealedBytes+g.Bytes
		if t.Oldest == 0 || g.First < t.Oldest {
			t.Oldest = g.First
		}
	}
}
