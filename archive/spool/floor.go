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

// floorFile holds what has to outlive the segments: a timestamp above which all
// later ones are, and the highest number of a segment so far.
type floorFile struct {
	floor  int64
	number uint64
}

// readFloor reads the floor file of a folder; zero if there is none.
func readFloor(dir string) (floorFile, error) {
	path := filepath.Join(dir, floorName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return floorFile{}, nil
	}
	if err != nil {
		return floorFile{}, fmt.Errorf("read the floor: %w", err)
	}
	if len(b) != floorSize || string(b[:8]) != floorMagic || binary.LittleEndian.Uint32(b[24:]) != checksum(b[:24]) {
		return floorFile{}, fmt.Errorf("read the floor: %s is damaged: if the clock is right, remove it", path)
	}
	return floorFile{
		floor:  int64(binary.LittleEndian.Uint64(b[8:])),
		number: binary.LittleEndian.Uint64(b[16:]),
	}, nil
}

// raiseFloor makes sure that the floor file holds at least f.
func (s *Spool) raiseFloor(f floorFile) error {
	s.floorMu.Lock()
	defer s.floorMu.Unlock()
	f = floorFile{floor: max(f.floor, s.kept.floor), number: max(f.number, s.kept.number)}
	if f == s.kept {
		return nil
	}
	b := make([]byte, floorSize)
	copy(b, floorMagic)
	binary.LittleEndian.PutUint64(b[8:], uint64(f.floor))
	binary.LittleEndian.PutUint64(b[16:], f.number)
	binary.LittleEndian.PutUint32(b[24:], checksum(b[:24]))
	if err := replaceFile(filepath.Join(s.dir, floorName), b); err != nil {
		return fmt.Errorf("write the floor: %w", err)
	}
	s.kept = f
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
		if err := s.raiseFloor(floorFile{floor: f, number: s.number}); err != nil {
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
