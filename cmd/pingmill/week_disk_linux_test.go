package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"strings"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// weekDisk is a bucket that is slow, fails, or stands still as it is told, and tells
// of what is published and of how far edges are decoded.
type weekDisk struct {
	store.Bucket

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
		time.Sleep(slow) // it is what is tested
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
		d.c.say("holding", to)
		<-ctx.Done()
		select {} // as a process that is killed here
	}
	var m lake.Manifest
	if text, err := store.ReadFile(ctx, d.Bucket, path.Join(from, "_manifest.json")); err == nil {
		_ = json.Unmarshal(text, &m)
	}
	return func() { d.c.say("published", m.Table, m.Day, m.Generation, len(m.Parts), m.Rows) }
}

func (d *weekDisk) Create(ctx context.Context, name string) (store.Writer, error) {
	if err := d.change("create", name); err != nil {
		return nil, err
	}
	w, err := d.Bucket.Create(ctx, name)
	if err == nil && d.name == "archive" && strings.HasPrefix(name, "progress/") {
		w = &progressWriter{Writer: w, c: d.c}
	}
	return w, err
}

// progressWriter tells how far an edge is decoded when that is there for all to
// see.
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
	var p archive.Progress
	err := json.Unmarshal(w.text, &p)
	w.c.say("progress", p.Through)
	return err
}

func (d *weekDisk) Open(ctx context.Context, name string) (store.Reader, error) {
	if err := d.before("open", name); err != nil {
		return nil, err
	}
	return d.Bucket.Open(ctx, name)
}

func (d *weekDisk) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	if err := d.before("list", prefix); err != nil {
		return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, err) }
	}
	return d.Bucket.List(ctx, prefix)
}

func (d *weekDisk) Children(ctx context.Context, dir string) iter.Seq2[store.Entry, error] {
	if err := d.before("list", dir); err != nil {
		return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, err) }
	}
	return store.Children(ctx, d.Bucket, dir)
}

func (d *weekDisk) Delete(ctx context.Context, name string) error {
	if err := d.change("delete", name); err != nil {
		return err
	}
	return d.Bucket.Delete(ctx, name)
}

func (d *weekDisk) DeleteTree(ctx context.Context, dir string) error {
	if err := d.change("delete", dir); err != nil {
		return err
	}
	return store.DeleteTree(ctx, d.Bucket, dir)
}

func (d *weekDisk) Rename(ctx context.Context, from, to string) error {
	if err := d.change("rename", to); err != nil {
		return err
	}
	done := d.publishing(ctx, from, to)
	err := store.Rename(ctx, d.Bucket, from, to)
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
	err := store.Exchange(ctx, d.Bucket, from, to)
	if err == nil {
		done()
	}
	return err
}

func (d *weekDisk) Link(ctx context.Context, from, to string) error {
	if err := d.change("link", to); err != nil {
		return err
	}
	return store.Link(ctx, d.Bucket, from, to)
}

func (d *weekDisk) Tidy(ctx context.Context, dir string, before time.Time) error {
	if err := d.change("tidy", dir); err != nil {
		return err
	}
	return store.Tidy(ctx, d.Bucket, dir, before)
}

func (d *weekDisk) Swap(ctx context.Context, name string, old, new []byte) error {
	if err := d.change("swap", name); err != nil {
		return err
	}
	return store.Swap(ctx, d.Bucket, name, old, new)
}

func (d *weekDisk) CanRename() bool { return store.CanRename(d.Bucket) }

func (d *weekDisk) Local() (string, bool) { return store.LocalDir(d.Bucket) }
