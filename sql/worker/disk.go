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

// disk measures what workers have in their folders and ends queries that have more than they may. DuckDB keeps to the limit by
// itself, but for what a worker writes in another way.
type disk struct {
	mu   sync.Mutex
	used map[string]int64 // bytes by folder
}

// diskEach is how often a folder is measured: at 1 GB/s a worker writes 200 MB more than its limit.
const diskEach = 200 * time.Millisecond

// watch measures a folder until ctx ends. It calls end with a *LimitError if there are more bytes than one, or if all folders
// together have more than all and this one has the most; 0 is no limit.
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

// share is what a worker has in comparison with the others.
type share struct{ own, most, sum int64 }

// set notes how much is in a folder.
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
		return &LimitError{fmt.Sprintf("the queries that run have more than %s of temporary data on disk, their limit, and this one has the most", humanize.IBytes(uint64(all)))}
	}
	return nil
}

func outOfDisk(limit int64) error {
	return &LimitError{fmt.Sprintf("the query has more than %s of temporary data on disk, its limit", humanize.IBytes(uint64(limit)))}
}

// bytesIn is the size of all files in a folder, as far as they can be seen.
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
