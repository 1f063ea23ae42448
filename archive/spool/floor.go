package spool

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// mark is what has to outlive the segments: a timestamp that no later record
// has, and the highest number of a segment so far. Through is for readers in
// other processes: records up to it are in sealed segments, later ones are above.
type mark struct {
	floor   int64
	number  uint64
	through int64
	sealed  uint64 // number of the segment that was sealed last; 0: not known
}

// or takes what is higher of each.
func (m mark) or(n mark) mark {
	return mark{floor: max(m.floor, n.floor), number: max(m.number, n.number), through: max(m.through, n.through), sealed: max(m.sealed, n.sealed)}
}

// The floor file is two blocks that hold marks. They are overwritten in turn:
// one torn by a crash leaves the other, and a full disk stops neither Floor nor
// Remove, which is what makes room again.
const floorSlots = 2

// Exists says whether a folder has been a spool before: it knows which numbers
// of segments were used. What cannot be looked at counts as one.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, floorName))
	return !errors.Is(err, fs.ErrNotExist)
}

// openFloor opens the floor file of a folder, or makes it with this mark.
func openFloor(dir string, first mark) (f *os.File, m mark, slot int, err error) {
	path := filepath.Join(dir, floorName)
	m, slot, err = readFloor(path)
	if b, e := os.ReadFile(path); err == nil && e == nil && oneSlotOnly(b) {
		m.number += skipped // the higher mark may be the damaged one, and no number comes twice
	}
	if errors.Is(err, fs.ErrNotExist) {
		b := make([]byte, floorSlots*block)
		putMark(b, first)
		m, err = first, replaceFile(path, b)
	}
	if err != nil {
		return nil, m, 0, fmt.Errorf("read the floor: %w", err)
	}
	if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return nil, m, 0, fmt.Errorf("open the floor: %w", err)
	}
	return f, m, slot, nil
}

// readFloor reads a floor file, also while another process writes it.
func readFloor(path string) (m mark, slot int, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return m, 0, err
	}
	found := false
	var sealed uint64 // an older version of the program writes the others only
	for i := range floorSlots {
		n, ok := parseMark(b[min(i*block, len(b)):])
		if !ok {
			continue
		}
		sealed, n.sealed = max(sealed, n.sealed), 0
		if !found || n != m && n == n.or(m) {
			found, m, slot = true, n, i
		}
	}
	m.sealed = sealed
	if !found {
		return m, 0, fmt.Errorf("%s is damaged: if the clock is right, remove it", path)
	}
	return m, slot, nil
}

// skipped is how many numbers are left out after a mark was damaged or torn.
const skipped = 1000

// oneSlotOnly tells whether a slot was written and cannot be read.
func oneSlotOnly(b []byte) bool {
	for i := range floorSlots {
		slot := b[min(i*block, len(b)):min((i+1)*block, len(b))]
		if _, ok := parseMark(slot); !ok && len(bytes.TrimLeft(slot, "\x00")) > 0 {
			return true
		}
	}
	return false
}

func putMark(b []byte, m mark) {
	copy(b, floorMagic)
	binary.LittleEndian.PutUint64(b[8:], uint64(m.floor))
	binary.LittleEndian.PutUint64(b[16:], m.number)
	binary.LittleEndian.PutUint64(b[24:], uint64(m.through))
	binary.LittleEndian.PutUint32(b[32:], checksum(b[:32]))
	binary.LittleEndian.PutUint64(b[40:], m.sealed)
	binary.LittleEndian.PutUint32(b[48:], checksum(b[:48]))
}

func parseMark(b []byte) (mark, bool) {
	if len(b) < markSize {
		return mark{}, false
	}
	m := mark{floor: int64(binary.LittleEndian.Uint64(b[8:])), number: binary.LittleEndian.Uint64(b[16:])}
	switch string(b[:8]) {
	case floorMagic:
		m.through = int64(binary.LittleEndian.Uint64(b[24:]))
		if len(b) >= 52 && binary.LittleEndian.Uint32(b[48:]) == checksum(b[:48]) {
			m.sealed = binary.LittleEndian.Uint64(b[40:])
		}
		return m, binary.LittleEndian.Uint32(b[32:]) == checksum(b[:32])
	case oldFloor:
		return m, binary.LittleEndian.Uint32(b[24:]) == checksum(b[:24])
	}
	return mark{}, false
}

// raiseFloor makes sure that the floor file holds at least m.
func (s *Spool) raiseFloor(m mark) error {
	s.floorMu.Lock()
	defer s.floorMu.Unlock()
	if s.floor == nil {
		return ErrClosed
	}
	if m = m.or(s.kept); m == s.kept {
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
	err := s.do(ctx, func() (err error) {
		floor, err = s.settle()
		return s.classify(err)
	})
	if err != nil {
		return 0, err
	}
	return floor, nil
}

// settle seals what there is, and writes down that later records are above now.
func (s *Spool) settle() (floor int64, err error) {
	if err := s.sealActive(); err != nil {
		return 0, err
	}
	floor = max(s.o.Now().UnixNano(), s.last.Load())
	s.last.Store(floor)
	return floor, s.raiseFloor(mark{floor: floor, number: s.number, through: floor})
}

// promise writes down, from time to time, how far the sealed segments go, and
// always soon after midnight UTC: readers in other processes learn of it here.
func (s *Spool) promise() {
	now := s.o.Now().UTC()
	newDay := now.Truncate(day) != s.promised.Truncate(day)
	if waited := now.Sub(s.promised); !newDay && waited >= 0 && waited < s.o.SegmentAge {
		return
	}
	var err error
	if newDay || s.active == nil {
		_, err = s.settle()
	} else {
		err = s.raiseFloor(mark{through: s.through.Load()})
	}
	if err != nil {
		s.o.Log.Error("write down how far segments are sealed", "err", err)
		return
	}
	s.promised = now
}

const day = 24 * time.Hour

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
