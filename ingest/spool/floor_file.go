package spool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mark is the state that must outlive the segments.
type mark struct {
	last      int64  // timestamp; later records have later ones
	number    uint64 // highest of a segment so far
	watermark int64  // as Spool.Watermark, for readers in other processes
	sealed    uint64 // number of the segment that was sealed last; 0: not known
}

// or takes what is higher of each.
func (m mark) or(n mark) mark {
	return mark{
		last: max(m.last, n.last), number: max(m.number, n.number),
		watermark: max(m.watermark, n.watermark), sealed: max(m.sealed, n.sealed),
	}
}

// The floor file is two blocks that hold marks. They are overwritten alternately: if a crash tears one, the
// other remains. A full disk blocks neither Watermark nor Remove, which frees space.
const floorSlots = 2

// Exists reports whether a folder has been a spool before: then it stores the used numbers of segments. It
// returns true for a folder that cannot be read.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, floorName))
	return !errors.Is(err, fs.ErrNotExist)
}

// openFloorFile opens the floor file of a folder, or makes it with this mark.
func openFloorFile(dir string, first mark) (f *os.File, m mark, slot int, err error) {
	path := filepath.Join(dir, floorName)
	m, slot, err = readFloorFile(path)
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

// readFloorFile reads a floor file, also while another process writes it.
func readFloorFile(path string) (m mark, slot int, err error) {
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

// skipped is the number of segment numbers that are skipped after a mark was damaged or torn.
const skipped = 1000

// oneSlotOnly reports whether a slot was written and cannot be read.
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
	binary.LittleEndian.PutUint64(b[8:], uint64(m.last))
	binary.LittleEndian.PutUint64(b[16:], m.number)
	binary.LittleEndian.PutUint64(b[24:], uint64(m.watermark))
	binary.LittleEndian.PutUint32(b[32:], checksum(b[:32]))
	binary.LittleEndian.PutUint64(b[40:], m.sealed)
	binary.LittleEndian.PutUint32(b[48:], checksum(b[:48]))
}

func parseMark(b []byte) (mark, bool) {
	if len(b) < markSize {
		return mark{}, false
	}
	m := mark{last: int64(binary.LittleEndian.Uint64(b[8:])), number: binary.LittleEndian.Uint64(b[16:])}
	switch string(b[:8]) {
	case floorMagic:
		m.watermark = int64(binary.LittleEndian.Uint64(b[24:]))
		if len(b) >= 52 && binary.LittleEndian.Uint32(b[48:]) == checksum(b[:48]) {
			m.sealed = binary.LittleEndian.Uint64(b[40:])
		}
		return m, binary.LittleEndian.Uint32(b[32:]) == checksum(b[:32])
	case oldFloor:
		return m, binary.LittleEndian.Uint32(b[24:]) == checksum(b[:24])
	}
	return mark{}, false
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
