package worker

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// disk measures the workers' temporary folders and cancels queries that exceed their limit. DuckDB enforces the limit
// for its own files; disk also counts files that a worker writes in any other way. Methods are safe for concurrent use.
type disk struct {
	mu   sync.Mutex
	used map[string]int64 // bytes by folder
}

// diskEach is the interval between two measurements of a folder: at 1 GB/s a worker exceeds its limit by 200 MB.
const diskEach = 200 * time.Millisecond

// watch measures a folder until ctx ends. It calls end with a *LimitError if the folder has more than one bytes, or if
// all folders together have more than all bytes and this folder has the most. 0 means no limit.
func (d *disk) watch(ctx context.Context, folder string, one, all int64, end context.CancelCauseFunc) {
	if one <= 0 && all <= 0 {
		return
	}
	defer d.set(folder, 0)
	tick := time.NewTicker(diskEach)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := d.set(folder, bytesIn(folder)).over(one, all); err != nil {
				end(err)
				return
			}
		}
	}
}

// share compares a worker's bytes with the largest folder and the sum of all folders.
type share struct{ own, most, sum int64 }

// set records the bytes of a folder; 0 removes the folder.
func (d *disk) set(folder string, n int64) share {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.used == nil {
		d.used = map[string]int64{}
	}
	if d.used[folder] = n; n == 0 {
		delete(d.used, folder)
	}
	s := share{own: n}
	for _, m := range d.used {
		s.most, s.sum = max(s.most, m), s.sum+m
	}
	return s
}

func (s share) over(one, all int64) error {
	switch {
	case one > 0 && s.own > one:
		return outOfDisk(one)
	case all > 0 && s.sum > all && s.own == s.most:
		return &LimitError{fmt.Sprintf("the queries that run have more than %s of temporary data on disk, their limit, and this one has the most",
			humanize.IBytes(uint64(all)))}
	}
	return nil
}

func outOfDisk(limit int64) error {
	return &LimitError{fmt.Sprintf("the query has more than %s of temporary data on disk, its limit", humanize.IBytes(uint64(limit)))}
}

// bytesIn returns the total size of the files below a folder. It skips files that it cannot read.
func bytesIn(folder string) (n int64) {
	_ = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
