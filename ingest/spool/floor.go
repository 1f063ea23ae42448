package spool

import (
	"fmt"
	"os"
	"sync"
)

// floor is the file of the mark below which nothing is used again. It is safe for concurrent use.
type floor struct {
	mu   sync.Mutex
	file *os.File // nil: closed
	held mark     // what the file holds
	slot int      // and where
}

// open reads the floor file of a folder, or creates it with the mark first.
func (fl *floor) open(dir string, first mark) (err error) {
	fl.file, fl.held, fl.slot, err = openFloorFile(dir, first)
	return err
}

// close closes the file. Later calls of raise return ErrClosed.
func (fl *floor) close() error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	err := fl.file.Close()
	fl.file = nil
	return err
}

// raise makes sure that the floor file holds at least m.
func (fl *floor) raise(m mark) error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	if fl.file == nil {
		return ErrClosed
	}
	if m = m.or(fl.held); m == fl.held {
		return nil
	}
	b := make([]byte, block)
	putMark(b, m)
	slot := (fl.slot + 1) % floorSlots
	_, err := fl.file.WriteAt(b, int64(slot)*block)
	if err == nil {
		err = syncData(fl.file)
	}
	if err != nil {
		return fmt.Errorf("write the floor: %w", err)
	}
	fl.held, fl.slot = m, slot
	return nil
}
