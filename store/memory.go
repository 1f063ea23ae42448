package store

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
)

// Memory is a Bucket in memory, without directories, like an object store.
type Memory struct {
	mu      sync.RWMutex
	objects map[string][]byte // values are never changed in place

	swapping sync.Mutex
}

// NewMemory returns an empty Bucket.
func NewMemory() *Memory {
	return &Memory{objects: map[string][]byte{}}
}

// Create implements Bucket.
func (m *Memory) Create(ctx context.Context, name string) (Writer, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	return &memoryWriter{ctx: ctx, bucket: m, name: name}, nil
}

// Open implements Bucket.
func (m *Memory) Open(ctx context.Context, name string) (Reader, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	m.mu.RLock()
	data, ok := m.objects[name]
	m.mu.RUnlock()
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryReader{bytes.NewReader(data)}, nil
}

// List implements Bucket.
func (m *Memory) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := CheckPrefix(prefix); err != nil {
			yield(Entry{}, err)
			return
		}
		for _, e := range m.entries(prefix) {
			if err := ctx.Err(); err != nil {
				yield(Entry{}, fmt.Errorf("list %s: %w", prefix, err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (m *Memory) entries(prefix string) []Entry {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var entries []Entry
	for name, data := range m.objects {
		if strings.HasPrefix(name, prefix) {
			entries = append(entries, Entry{Name: name, Size: int64(len(data))})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries
}

// Delete implements Bucket.
func (m *Memory) Delete(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	m.mu.Lock()
	delete(m.objects, name)
	m.mu.Unlock()
	return nil
}

// put refuses what a directory tree cannot hold, so that nothing works in
// memory only.
func (m *Memory) put(name string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, c := range name {
		if c != '/' {
			continue
		}
		if _, ok := m.objects[name[:i]]; ok {
			return fmt.Errorf("commit %s: %s is an object", name, name[:i])
		}
	}
	for other := range m.objects {
		if strings.HasPrefix(other, name) && other[len(name):] != "" && other[len(name)] == '/' {
			return fmt.Errorf("commit %s: it is a directory", name)
		}
	}
	m.objects[name] = data
	return nil
}

type memoryWriter struct {
	ctx    context.Context
	bucket *Memory
	name   string
	data   []byte
	done   bool
}

func (w *memoryWriter) Write(p []byte) (int, error) {
	if w.done {
		return 0, fmt.Errorf("write %s: %w", w.name, fs.ErrClosed)
	}
	w.data = append(w.data, p...)
	return len(p), nil
}

func (w *memoryWriter) Commit() error {
	if w.done {
		return fmt.Errorf("commit %s: %w", w.name, fs.ErrClosed)
	}
	w.done = true
	if err := w.ctx.Err(); err != nil {
		return fmt.Errorf("commit %s: %w", w.name, err)
	}
	return w.bucket.put(w.name, w.data)
}

func (w *memoryWriter) Abort() error {
	w.done, w.data = true, nil
	return nil
}

type memoryReader struct{ *bytes.Reader }

func (r *memoryReader) Close() error { return nil }
