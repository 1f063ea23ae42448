package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// retire takes the active segment out of use. A good one is sealed in the
// background while the next one is written; finishSealing has to come before.
func (w *writer) retire() error {
	a := w.active
	if a == nil || a.broken || a.sum.records == 0 {
		return w.sealActive()
	}
	w.active, w.unsealed, w.sealing = nil, a, true
	w.age.Stop()
	keep := w.keepSize(a)
	go func() { w.sealDone <- w.seal(a, keep) }()
	return nil
}

// finishSealing waits until the segment before the active one is sealed. When
// that fails it can be called again.
func (w *writer) finishSealing() error {
	if w.unsealed == nil {
		return nil
	}
	if w.sealing {
		w.sealing = false
		err := <-w.sealDone
		if err == nil {
			w.unsealed = nil
			return nil
		}
		w.o.Log.Error("seal a segment", "err", err)
	}
	if err := w.seal(w.unsealed, 0); err != nil {
		return err
	}
	w.unsealed = nil
	return nil
}

// sealActive seals the active segment if it has records, and drops an empty one that failed. When it returns
// nil nothing is left to be sealed; after an error it can be called again.
func (w *writer) sealActive() error {
	if err := w.finishSealing(); err != nil {
		return err
	}
	a := w.active
	if a == nil || a.sum.records == 0 && !a.broken {
		return nil
	}
	a.broken = true
	if a.sum.records == 0 {
		if err := a.discard(); err != nil {
			return err
		}
	} else if err := w.seal(a, 0); err != nil {
		return err
	}
	w.active = nil
	w.age.Stop()
	return nil
}

// seal gives a segment its final form; keep as in sealing.
func (w *writer) seal(a *active, keep int64) error {
	a.close()
	// Once the segment has its name another process may remove it, and then nothing else shows that its number and
	// timestamps were used.
	if err := w.floor.raise(mark{last: a.sum.last, number: a.number, sealed: a.number}); err != nil {
		return fmt.Errorf("seal segment %s: %w", a.path, err)
	}
	a.sum.previous = w.newest.Load()
	g, err := sealFile(a.path, a.edge, a.number, a.sum, sealing{keep, a.reused, w.o.Sync != SyncNone})
	if err == nil {
		w.newest.Store(a.number)
		w.watermark.Store(a.sum.last)
		w.catalog.add(g)
	}
	return err
}

// sealing defines the final form of a segment.
type sealing struct {
	keep  int64 // offset of the footer; 0: the file is cut behind its last record
	clear bool  // there may be bytes of an older segment between
	sync  bool
}

// sealFile cuts a segment behind its last record, writes the footer, and gives
// it its final name. It can be repeated after a failure at any point. The folder is
// held from begin to end: one that goes away and comes back must not look as if the file alone did.
func sealFile(path, edge string, number uint64, u summary, how sealing) (Segment, error) {
	g := Segment{Edge: edge, Number: number, Records: u.records, First: u.first, Last: u.last, Previous: u.previous}
	dir := filepath.Dir(path)
	g.Path = filepath.Join(dir, segmentName(edge, number, sealedSuffix))
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return g, fmt.Errorf("seal segment %s: %w", path, err)
	}
	defer folder.Close()
	name, sealed := filepath.Base(path), filepath.Base(g.Path)
	if g.Bytes, err = finishFile(folder, name, number, u, how); err == nil {
		err = folder.Rename(name, sealed)
	}
	if errors.Is(err, fs.ErrNotExist) { // an earlier try got as far as the new name
		var info os.FileInfo
		if info, err = folder.Stat(sealed); err == nil {
			g.Bytes = info.Size()
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // and the consumer has removed it
		}
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return g, fmt.Errorf("seal segment %s: %w", path, err)
	}
	return g, nil
}

// finishFile adds the footer, if possible where the file keeps its size.
func finishFile(folder *os.Root, name string, number uint64, u summary, how sealing) (size int64, err error) {
	f, err := folder.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if how.keep > 0 && how.clear {
		err = clearFile(f, whole(u.end), how.keep)
	}
	if how.keep > 0 && err == nil {
		if size, err = addFooter(f, how.keep, number, u, how.sync); err == nil {
			return size, nil
		}
	}
	return cutFile(f, number, u, how.sync)
}

// clearFile writes zeros: bytes of an older segment do not move from file to file.
func clearFile(f *os.File, from, to int64) error {
	zeros := make([]byte, min(to-from, 1<<20))
	for ; from < to; from += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(to-from, int64(len(zeros)))], from); err != nil {
			return err
		}
	}
	return nil
}

// addFooter makes the file end with a footer at this offset.
func addFooter(f *os.File, at int64, number uint64, u summary, sync bool) (size int64, err error) {
	footer := make([]byte, footerSize)
	putFooter(footer, number, u)
	if _, err = f.WriteAt(footer, at); err == nil {
		err = f.Truncate(at + footerSize)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	return at + footerSize, err
}

// cutFile cuts the file and adds the footer. One that finds no room goes into the
// file's header, which has room.
func cutFile(f *os.File, number uint64, u summary, sync bool) (size int64, err error) {
	if err := f.Truncate(u.end); err != nil {
		return 0, err
	}
	size = whole(u.end)
	if err := f.Truncate(size); err != nil {
		return 0, err
	}
	if end, err := addFooter(f, size, number, u, sync); err == nil {
		return end, nil
	}
	if err := f.Truncate(size); err != nil {
		return 0, err
	}
	header := make([]byte, block)
	if _, err := f.ReadAt(header, 0); err != nil {
		return 0, err
	}
	putFooterCopy(header, number, u)
	if _, err := f.WriteAt(header, 0); err != nil {
		return 0, err
	}
	return size, f.Sync()
}
