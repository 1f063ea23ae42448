package doctor

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// fileSystemKind describes a type of file system.
type fileSystemKind struct {
	name            string
	network, memory bool
}

var kinds = map[int64]fileSystemKind{
	unix.EXT4_SUPER_MAGIC: {name: "ext4"}, unix.XFS_SUPER_MAGIC: {name: "xfs"}, unix.BTRFS_SUPER_MAGIC: {name: "btrfs"},
	unix.F2FS_SUPER_MAGIC: {name: "f2fs"}, unix.OVERLAYFS_SUPER_MAGIC: {name: "overlayfs"}, 0x2fc12fc1: {name: "zfs"},
	unix.TMPFS_MAGIC: {name: "tmpfs", memory: true}, unix.RAMFS_MAGIC: {name: "ramfs", memory: true},
	unix.NFS_SUPER_MAGIC: {name: "NFS", network: true}, unix.CIFS_SUPER_MAGIC: {name: "CIFS", network: true},
	unix.SMB2_SUPER_MAGIC: {name: "SMB", network: true}, unix.V9FS_MAGIC: {name: "9p", network: true},
	unix.CEPH_SUPER_MAGIC: {name: "CephFS", network: true}, unix.FUSE_SUPER_MAGIC: {name: "FUSE", network: true},
	unix.AFS_SUPER_MAGIC: {name: "AFS", network: true}, 0x0bd00bd0: {name: "Lustre", network: true},
}

// fileSystem returns the kind of the file system of a folder, and how many files it still takes; -1 if it has no limit.
func fileSystem(dir string) (kind fileSystemKind, files int64) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return fileSystemKind{name: "an unknown file system"}, -1
	}
	kind, ok := kinds[int64(st.Type)&0xffffffff]
	if !ok {
		kind.name = "file system 0x" + strconv.FormatInt(int64(st.Type), 16)
	}
	if st.Files == 0 {
		return kind, -1
	}
	return kind, int64(st.Ffree)
}

func sameDisk(a, b string) bool {
	x, errX := os.Stat(existing(a))
	y, errY := os.Stat(existing(b))
	return errX == nil && errY == nil && x.Sys().(*syscall.Stat_t).Dev == y.Sys().(*syscall.Stat_t).Dev
}

// owner returns the user of a file.
func owner(path string) (uid int, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	return int(info.Sys().(*syscall.Stat_t).Uid), true
}

func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }

// synchronized reports whether the kernel says that a server of time keeps its clock.
func synchronized() (is, known bool) {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	if err != nil {
		return false, false
	}
	return state != unix.TIME_ERROR && t.Status&unix.STA_UNSYNC == 0, true
}

// openFiles returns how many files the process may have open.
func openFiles() uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	return l.Max // Go raises the present limit to it
}

// kernelRelease names the kernel.
func kernelRelease() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "Linux"
	}
	return "Linux " + unix.ByteSliceToString(u.Release[:])
}
