package archive

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
)

// flush hands a buffer to a flusher, waiting for one to be free, and forgets
// it.
func (w *Writer) flush(b *buffer) error {
	w.held -= b.Held()
	w.last = nil
	delete(w.buffers, string(b.key(nil)))
	fws := <-w.flights
	if err := w.state(); err != nil {
		w.flights <- fws
		return err
	}
	w.mu.Lock()
	w.files = append(w.files, LoadFile{})
	n := len(w.files)
	w.mu.Unlock()
	w.running.Add(1)
	go func() {
		defer w.running.Done()
		var f LoadFile
		err := panics.Try(func() (err error) {
			f, err = w.writeFile(fws, b, n)
			return err
		})
		w.mu.Lock()
		if err != nil && w.err == nil {
			w.err = fmt.Errorf("write archive file for %s: %w", b.dir(), err)
		}
		w.files[n-1] = f
		w.mu.Unlock()
		w.flights <- fws
	}()
	return nil
}

// writeFile writes a buffer as the stage's n-th file.
func (w *Writer) writeFile(fws *fileWriters, b *buffer, n int) (LoadFile, error) {
	defer b.Release()
	f := LoadFile{Kind: b.kind.Name(), Day: string(b.day), DocType: string(b.docType), Rows: int64(b.Rows()), Raw: b.Raw(), Packed: b.Packed(),
		Headers: b.Headers(), Compact: b.Compact()}
	fw := (*fws)[b.Kind()]
	if fw == nil {
		fw = rowfile.NewWriter(b.Kind())
		(*fws)[b.Kind()] = fw
	}
	out, err := w.stage.bucket.Create(w.ctx, w.stage.file(n))
	if err != nil {
		return f, err
	}
	defer out.Abort()
	done, err := fw.Write(out, b.Buffer)
	if err != nil {
		return f, err
	}
	f.Bytes, f.SHA256, f.Footer = done.Bytes, done.SHA256, &done.Footer
	if err := out.Commit(); err != nil {
		return f, err
	}
	f.Prepared, err = w.writePrepared(b, n, done)
	return f, err
}

// Close ends the load and makes it visible under the name load, which must depend on the input alone: a hash of
// its content. If that load is already in the archive, nothing changes. After an error nothing of the load is
// visible, unless the error occurred in the very last step; then a second load of the same input finds the
// first one.
func (w *Writer) Close(ctx context.Context, load string) (Summary, error) {
	if w.closed {
		return Summary{}, errClosed
	}
	s, err := w.close(ctx, load)
	w.closed = true
	if err != nil {
		_ = w.drop(ctx) // the error of the load counts; the next writer removes what stays
		return s, fmt.Errorf("finish load %s: %w", load, err)
	}
	return s, nil
}

func (w *Writer) close(ctx context.Context, load string) (Summary, error) {
	if err := w.checkName(load); err != nil {
		return Summary{}, err
	}
	done, ok, err := Loaded(ctx, w.stage.bucket, load)
	if err != nil {
		return Summary{}, err
	}
	if ok {
		s := done.summary()
		s.AlreadyLoaded = true
		_ = w.drop(ctx) // the load is committed; the next writer removes the rest
		return s, nil
	}
	if err := w.checkReplaces(ctx, load); err != nil {
		return Summary{}, err
	}
	if err := w.flushAll(); err != nil {
		return Summary{}, err
	}
	if w.opts.Confirm != nil {
		release, err := w.opts.Confirm(ctx)
		if err != nil {
			return Summary{}, err
		}
		defer release()
	}
	l := &Load{
		ID: load, Files: append([]LoadFile{}, w.files...),
		Replaces: w.replaces, Rewrote: w.rewrote, Lost: w.lost, Undid: w.undid, Requests: w.opts.Requests,
	}
	nameFiles(l, w.replaceFiles)
	l.Format = formatOf(l)
	if err := writeLoad(ctx, w.stage.bucket, w.stage.dir+"/"+stageRecord, l); err != nil {
		return Summary{}, err
	}
	if w.opts.Order != nil {
		if err := w.opts.Order.Begin(ctx, load, w.stage.dir); err != nil {
			return Summary{}, err
		}
	}
	if err := w.stage.publish(ctx, l); err != nil {
		return Summary{}, err
	}
	// The load is committed; the next writer removes the rest of the stage.
	_ = w.stage.finish(ctx, l)
	return l.summary(), nil
}

// nameFiles names the files of a load. Compact ones represent the given files in the generation of their day, or themselves
// if there are none.
func nameFiles(l *Load, represented []Replaced) {
	var first *LoadFile
	for i := range l.Files {
		f := &l.Files[i]
		f.Name = fileName(f.partition(), l.ID, i+1)
		if !f.Compact {
			continue
		}
		if f.Siblings = len(l.Files); first == nil {
			first = f // it has the list of all
			f.For = represented
		}
		if represented == nil {
			first.For = append(first.For, Replaced{f.Name, f.Bytes})
		}
	}
}

// flushAll writes all that waits, and waits for that.
func (w *Writer) flushAll() error {
	for _, b := range w.sorted() {
		if err := w.flush(b); err != nil {
			return err
		}
	}
	w.running.Wait()
	return w.state()
}

// Lost records that the replaced files are given up: they were damaged.
func (w *Writer) Lost(files []LoadFile) { w.lost = files }

// Undid records that the replaced files are removed because their load is undone.
func (w *Writer) Undid(files []LoadFile) { w.undid = files }

func (f *LoadFile) partition() partition {
	p := partition{day: ping.Day(f.Day), docType: ping.DocType(f.DocType), kind: rowfile.Pings}
	if f.Kind == rowfile.Rejected.Name() {
		p.kind = rowfile.Rejected
	}
	return p
}

// Abort drops the load. After Close it does nothing, so it can be deferred.
func (w *Writer) Abort() error {
	if w.closed {
		return nil
	}
	w.closed = true
	return w.drop(context.WithoutCancel(w.ctx))
}

// drop stops the flushers and deletes what they wrote. A stage whose load may
// be visible in part is kept, for the next writer to finish.
func (w *Writer) drop(ctx context.Context) error {
	w.running.Wait()
	for _, b := range w.buffers {
		b.Release()
	}
	clear(w.buffers)
	w.last, w.held = nil, 0
	w.memory.Free()
	return w.stage.removeUnlessComplete(context.WithoutCancel(ctx))
}

func sortedDays(days map[string]bool) []ping.Day {
	var all []ping.Day
	for _, d := range slices.Sorted(maps.Keys(days)) {
		all = append(all, ping.Day(d))
	}
	return all
}
