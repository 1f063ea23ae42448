package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// weekDisk is a bucket that is slow, fails, or stalls on demand, and reports publications and the progress of edges.
type weekDisk struct {
	store.Dirs

	c    *controls
	name string // archive or lake
	slow bool   // as the controls say
}

// before is called before every operation on a name.
func (d *weekDisk) before(op, name string) error {
	d.c.mu.Lock()
	fail := d.c.fail
	d.c.mu.Unlock()
	if fail != "" && strings.Contains(d.name+"/"+name, fail) {
		return fmt.Errorf("%s %s: %w", op, name, syscall.EIO)
	}
	return nil
}

// change is called before every operation that changes something.
func (d *weekDisk) change(op, name string) error {
	if d.slow {
		d.c.mu.Lock()
		slow := d.c.slow
		d.c.mu.Unlock()
		time.Sleep(slow) // this is under test
	}
	return d.before(op, name)
}

// publishing is called before a folder with a manifest takes the place of
// another, and returns what to call when it has.
func (d *weekDisk) publishing(ctx context.Context, from, to string) (done func()) {
	if strings.HasPrefix(to, "_staging") {
		return func() {}
	}
	d.c.mu.Lock()
	hold := d.c.hold
	d.c.mu.Unlock()
	if hold != "" && strings.Contains(to, hold) {
		d.c.report("holding", to)
		<-ctx.Done()
		select {} // as a process that is killed here
	}
	var m lake.Manifest
	if text, err := store.ReadFile(ctx, d.Dirs, path.Join(from, "_manifest.json")); err == nil {
		_ = json.Unmarshal(text, &m)
	}
	return func() { d.c.report("published", m.Table, m.Day, m.Generation, len(m.Parts), m.Rows) }
}

func (d *weekDisk) Create(ctx context.Context, name string) (store.Writer, error) {
	if err := d.change("create", name); err != nil {
		return nil, err
	}
	w, err := d.Dirs.Create(ctx, name)
	if err == nil && d.name == "archive" && strings.HasPrefix(name, "progress/") {
		w = &progressWriter{Writer: w, c: d.c}
	}
	return w, err
}

func (d *weekDisk) CreateIn(ctx context.Context, dir, name string) (store.Writer, error) {
	if err := d.change("create", path.Join(dir, name)); err != nil {
		return nil, err
	}
	return d.Dirs.CreateIn(ctx, dir, name)
}

// LinkAll fails: these disks have no hard links, so nothing is kept for readers.
func (d *weekDisk) LinkAll(context.Context, string, string, []string) error {
	return errors.ErrUnsupported
}

// progressWriter reports the progress of an edge once it is visible to all.
type progressWriter struct {
	store.Writer

	c    *controls
	text []byte
}

func (w *progressWriter) Write(p []byte) (int, error) {
	w.text = append(w.text, p...)
	return w.Writer.Write(p)
}

func (w *progressWriter) Commit() error {
	if err := w.Writer.Commit(); err != nil {
		return err
	}
	var p edgestate.Progress
	err := json.Unmarshal(w.text, &p)
	w.c.report("progress", p.Watermark)
	return err
}

func (d *weekDisk) Open(ctx context.Context, name string) (store.Reader, error) {
	if err := d.before("open", name); err != nil {
		return nil, err
	}
	return d.Dirs.Open(ctx, name)
}

func (d *weekDisk) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	if err := d.before("list", prefix); err != nil {
		return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, err) }
	}
	return d.Dirs.List(ctx, prefix)
}

func (d *weekDisk) Children(ctx context.Context, dir string) iter.Seq2[store.Entry, error] {
	if err := d.before("list", dir); err != nil {
		return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, err) }
	}
	return d.Dirs.Children(ctx, dir)
}

func (d *weekDisk) Delete(ctx context.Context, name string) error {
	if err := d.change("delete", name); err != nil {
		return err
	}
	return d.Dirs.Delete(ctx, name)
}

func (d *weekDisk) DeleteTree(ctx context.Context, dir string) error {
	if err := d.change("delete", dir); err != nil {
		return err
	}
	return d.Dirs.DeleteTree(ctx, dir)
}

func (d *weekDisk) Rename(ctx context.Context, from, to string) error {
	if err := d.change("rename", to); err != nil {
		return err
	}
	done := d.publishing(ctx, from, to)
	err := d.Dirs.Rename(ctx, from, to)
	if err == nil {
		done()
	}
	return err
}

func (d *weekDisk) Exchange(ctx context.Context, from, to string) error {
	if err := d.change("exchange", to); err != nil {
		return err
	}
	done := d.publishing(ctx, from, to)
	err := d.Dirs.Exchange(ctx, from, to)
	if err == nil {
		done()
	}
	return err
}

func (d *weekDisk) Tidy(ctx context.Context, dir string, before time.Time) error {
	if err := d.change("tidy", dir); err != nil {
		return err
	}
	return d.Dirs.Tidy(ctx, dir, before)
}

func (d *weekDisk) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	if err := d.change("compare and swap", name); err != nil {
		return err
	}
	return d.Dirs.CompareAndSwap(ctx, name, old, new)
}
