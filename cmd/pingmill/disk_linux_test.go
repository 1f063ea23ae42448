package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newDisk mounts an ext4 file system of a size, made in a file. A user without the right to mount gets a plain folder:
// then the server itself takes the disk for full when the ballast is there, see server.args.
func newDisk(t *testing.T, size int64) *disk {
	d := &disk{t: t, dir: t.TempDir()}
	image := filepath.Join(t.TempDir(), "disk.img")
	f, err := os.Create(image)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(size))
	require.NoError(t, f.Close())
	for _, args := range [][]string{{"mkfs.ext4", "-q", "-m", "0", image}, {"mount", "-o", "loop", image, d.dir}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Logf("no disk of its own (%s: %v %s): the bound of free disk is tested instead", args[0], err, out)
			return d
		}
	}
	d.mounted = true
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", d.dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return d
}

// free returns the free space in bytes.
func (d *disk) free() int64 {
	var s unix.Statfs_t
	require.NoError(d.t, unix.Statfs(d.dir, &s))
	return int64(s.Bavail) * s.Bsize
}

// plainRoom is the space in bytes above the bound of a server on a shared disk.
const plainRoom = 512 << 20

// fill takes all space there is, or on a shared disk, where others free some meanwhile, as much as brings it under the server's bound.
// What is freed later, fill takes when it is called again.
func (d *disk) fill() {
	f, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		d.t.Error(err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		d.t.Error(err)
		return
	}
	at := info.Size()
	if !d.mounted {
		if over := d.free() - d.bound; over > 0 {
			assert.NoError(d.t, unix.Fallocate(int(f.Fd()), 0, at, over+plainRoom/8))
		}
		return
	}
	for step := d.free(); step >= 4096; step /= 2 { // in a few large steps, then small ones
		for unix.Fallocate(int(f.Fd()), 0, at, step) == nil {
			at += step
		}
	}
}
