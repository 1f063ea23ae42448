package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
)

// disk is a folder that is written.
type disk struct {
	what, path string
	spool      bool // acknowledgements wait for it
}

// disks checks the disk of each folder.
func (p *Patient) disks(ctx context.Context) (all []Finding) {
	c := p.Service
	list := []disk{{"the data folder", c.Data, true}}
	if c.Spool.Failover != "" {
		list = append(list, disk{"spool.second", c.Spool.Failover, true})
	}
	for _, root := range []string{p.Roots.Archive, p.Roots.Lake} {
		if !blob.IsURL(root) && !within(c.Data, root) {
			list = append(list, disk{"storage", root, false})
		}
	}
	for _, d := range list {
		all = append(all, p.disk(ctx, d)...)
	}
	if c.Spool.Failover != "" && sameDisk(c.Data, c.Spool.Failover) {
		all = append(all, fail("put it on another disk, or leave it out", "spool.second (%s) is on the disk of the data folder: it does "+
			"not help when that disk is slow or full", c.Spool.Failover))
	}
	return all
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// existing returns the folder if it exists, or else the lowest one above it that does.
func existing(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

// slowSync is the time of a synced write above which clients notice it.
const slowSync = 100 * time.Millisecond

func (p *Patient) disk(ctx context.Context, d disk) (all []Finding) {
	at := existing(d.path)
	free, err := spool.FreeSpace(at)
	if err != nil {
		return []Finding{fail("mend the disk", "%s: free space of %s: %v", d.what, at, err)}
	}
	kind, files := fileSystem(at)
	text, minFree := fmt.Sprintf("%s %s: %s free", d.what, d.path, humanize.IBytes(uint64(free))), p.Service.Spool.MinFree
	switch {
	case d.spool && free < minFree:
		all = append(all, fail("make room: see docs/operations.md, \"The disk is full\"", "%s, less than spool.min-free (%s): submissions are "+
			"refused", text, humanize.IBytes(uint64(minFree))))
	case d.spool && free < 2*minFree:
		all = append(all, warn("make room soon", "%s, and at %s (spool.min-free) submissions are refused", text,
			humanize.IBytes(uint64(minFree))))
	default:
		all = append(all, good("%s on %s", text, kind.name))
	}
	if files >= 0 && files < 10000 {
		all = append(all, fail("make another file system with more inodes, or remove files", "%s: the file system takes only %d more files",
			d.what, files))
	}
	switch {
	case kind.memory:
		all = append(all, warn("use a folder on a disk", "%s %s is in memory (%s): acknowledged submissions are lost with a power cut", d.what,
			d.path, kind.name))
	case kind.network:
		all = append(all, warn("use a local disk for the data folder, and storage.url for what several servers share",
			"%s %s is on a network (%s): locks and SQLite need a file system that keeps POSIX locks and syncs", d.what, d.path, kind.name))
	}
	if at == mustAbs(d.path) {
		all = append(all, p.writes(ctx, d)...)
	}
	return all
}

func mustAbs(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

// writes tries in a folder of its own what the program does: writes that are synced, and exchanging folders.
func (p *Patient) writes(ctx context.Context, d disk) []Finding {
	dir, err := os.MkdirTemp(d.path, ".doctor-")
	if errors.Is(err, fs.ErrPermission) {
		return []Finding{fail("run pingmill as the owner of the folder; or chown -R the folder to the user of the service",
			"%s %s: this user may not write in it", d.what, d.path)}
	}
	if err != nil {
		return []Finding{fail("mend the disk, or mount it for writing", "%s %s: %v", d.what, d.path, err)}
	}
	defer os.RemoveAll(dir)
	took, err := syncTime(filepath.Join(dir, "sync"))
	if err != nil {
		return []Finding{fail("look at the disk: dmesg, smartctl -a", "%s %s: a synced write fails: %v", d.what, d.path, err)}
	}
	if err := exchanges(ctx, dir); err != nil {
		return []Finding{warn("use ext4, XFS, btrfs or tmpfs: elsewhere a reader may see a partition that is missing for a moment",
			"%s %s: folders cannot be exchanged: %v", d.what, d.path, err)}
	}
	if took > slowSync {
		return []Finding{warn("use a faster disk, or spool.second on another one", "%s %s: a synced write takes %v: acknowledgements wait for it",
			d.what, d.path, took.Round(time.Millisecond))}
	}
	return []Finding{good("%s %s: a synced write takes %v", d.what, d.path, took.Round(10*time.Microsecond))}
}

// syncTime returns the median time of writes that are synced.
func syncTime(name string) (time.Duration, error) {
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var all []time.Duration
	for range 9 {
		began := time.Now()
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

// exchanges tries what the publication of a partition does.
func exchanges(ctx context.Context, dir string) error {
	b, err := store.OpenLocal(dir)
	if err != nil {
		return err
	}
	for _, name := range []string{"a/x", "b/x"} {
		if err := store.WriteFile(ctx, b, name, nil); err != nil {
			return err
		}
	}
	return store.Exchange(ctx, b, "a", "b")
}
