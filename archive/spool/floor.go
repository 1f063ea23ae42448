package spool

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mark is what has to outlive the segments: a timestamp that no later record
// has, and the highest number of a segment so far.
type mark struct {
	floor  int64
	number uint64
}

// The floor file is two blocks that hold marks. They are overwritten in turn:
// one torn by a crash leaves the other, and a full disk stops neither Floor nor
// Remove, which is what makes room again.
const floorSlots = 2

// openFloor opens the floor file of a folder, or makes it.
func openFloor(dir string) (f *os.File, m mark, slot int, err error) {
	path := filepath.Join(dir, floorName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		b = make([]byte, floorSlots*block)
		putMark(b, mark{})
		err = replaceFile(path, b)
	}
	if err != nil {
		return nil, m, 0, fmt.Errorf("read the floor: %w", err)
	}
	found := false
	for i := range floorSlots {
		if n, ok := parseMark(b[min(i*block, len(b)):]); ok && (!found || n.floor > m.floor || n.number > m.number) {
			found, m, slot = true, n, i
		}
	}
	if !found {
		return nil, m, 0, fmt.Errorf("read the floor: %s is damaged: if the clock is right, remove it", path)
	}
	if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return nil, m, 0, fmt.Errorf("open the floor: %w", err)
	}
	return f, m, slot, nil
}

func putMark(b []byte, m mark) {
	copy(b, floorMagic)
	binary.LittleEndian.PutUint64(b[8:], uint64(m.floor))
	binary.LittleEndian.PutUint64(b[16:], m.number)
	binary.LittleEndian.PutUint32(b[24:], checksum(b[:24]))
}

func parseMark(b []byte) (mark, bool) {
	if len(b) < markSize || string(b[:8]) != floorMagic || binary.LittleEndian.Uint32(b[24:]) != checksum(b[:24]) {
		return mark{}, false
	}
	return mark{floor: int64(binary.LittleEndian.Uint64(b[8:])), number: binary.LittleEndian.Uint64(b[16:])}, true
}

// raiseFloor makes sure that the floor file holds at least m.
func (s *Spool) raiseFloor(m mark) error {
	s.floorMu.Lock()
	defer s.floorMu.Unlock()
	if s.floor == nil {
		return ErrClosed
	}
	m = mark{floor: max(m.floor, s.kept.floor), number: max(m.number, s.kept.number)}
	if m == s.kept {
		return nil
	}
	b := make([]byte, block)
	putMark(b, m)
	slot := (s.slot + 1) % floorSlots
	_, err := s.floor.WriteAt(b, int64(slot)*block)
	if err == nil {
		err = syncData(s.floor)
	}
	if err != nil {
		return fmt.Errorf("write the floor: %w", err)
	}
	s.kept, s.slot = m, slot
	return nil
}

// replaceFile puts a whole new file in the place of another, durably.
func replaceFile(path string, content []byte) error {
	tmp := path + ".tmp"
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync())
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// Floor seals the active segment if it has records and returns a timestamp
// about now: every record appended later is above it, also after a crash or
// with a clock that was set back, and every earlier one is in a sealed segment.
func (s *Spool) Floor(ctx context.Context) (int64, error) {
	var floor int64
	err := s.do(ctx, func() error {
		if err := s.sealActive(); err != nil {
			return s.classify(err)
		}
		f := max(s.o.Now().UnixNano(), s.last.Load())
		s.last.Store(f)
		if err := s.raiseFloor(mark{floor: f, number: s.number}); err != nil {
			return s.classify(err)
		}
		floor = f
		return nil
	})
	if err != nil {
		return 0, err
	}
	return floor, nil
}

// Seal seals the active segment now if it has records.
func (s *Spool) Seal(ctx context.Context) error {
	return s.do(ctx, func() error {
		if err := s.sealActive(); err != nil {
			return s.classify(err)
		}
		return nil
	})
}

// do lets the committer run f between two commits.
func (s *Spool) do(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	result := make(chan error, 1)
	select {
	case s.ask <- func() { result <- f() }:
	case <-s.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
