package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pingmill/pingmill/site/sitetest"
)

// nobody is a user without rights.
const nobody = 65534

// asNobody calls do as a user without rights, if this one has them.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	runtime.LockOSThread() // the user is one of the thread
	defer runtime.UnlockOSThread()
	set := func(uid uintptr) {
		_, _, err := unix.RawSyscall(unix.SYS_SETRESUID, uid, uid, 0)
		require.Zero(t, err)
	}
	set(nobody)
	defer set(0)
	do()
}

// open returns a folder that every user may enter.
func open(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		require.NoError(t, os.Chmod(d, 0o755))
	}
	return dir
}

func TestDisk(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "disk"), OK, "a synced write takes")
	p.Service.Spool.MinFree = 1 << 60
	has(t, found(t, p, "disk"), Fail, "submissions are refused")
	p.Service.Spool.MinFree, p.Service.Spool.Failover = 0, filepath.Join(p.Service.Data, "second")
	has(t, found(t, p, "disk"), Fail, "is on the disk of the data folder")
	p.Service.Spool.Failover = ""

	p.Service.Data = "/dev/shm" // in memory, if there is such a folder
	if kind, _ := fileSystem(p.Service.Data); kind.memory {
		has(t, found(t, p, "disk"), Warn, "is in memory (tmpfs)")
	}
	p.Service.Data = "/proc"
	has(t, found(t, p, "disk"), Fail, "/proc")

	p = patient(t, open(t))
	require.NoError(t, os.Chmod(p.Service.Data, 0o555))
	asNobody(t, func() { has(t, found(t, p, "disk"), Fail, "this user may not write in it") })
}

func TestPermissions(t *testing.T) {
	data := filepath.Join(open(t), "data")
	p := patient(t, data)
	has(t, found(t, p, "permissions"), OK, "serve makes it")
	asNobody(t, func() {
		p.Service.Data = "/sys/new"
		has(t, found(t, p, "permissions"), Fail, "may not make it in /sys")
	})
	p.Service.Data = data
	s, err := sitetest.Open(data)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	has(t, found(t, p, "permissions"), OK, "belong to one user")

	require.NoError(t, os.Chmod(filepath.Join(data, "restricted"), 0o755))
	require.NoError(t, os.Chmod(data, 0o777))
	has(t, found(t, p, "permissions"), Fail, "restricted is for its owner only")
	has(t, found(t, p, "permissions"), Fail, "everybody on this machine may write")
	require.NoError(t, os.Chmod(data, 0o755))
	if os.Geteuid() == 0 {
		require.NoError(t, os.WriteFile(filepath.Join(data, "lake", "x"), nil, 0o644))
		require.NoError(t, os.Chown(filepath.Join(data, "lake", "x"), nobody, nobody))
		has(t, found(t, p, "permissions"), Fail, "1 file of another user than the folder's, such as "+filepath.Join(data, "lake", "x"))
	}
	require.NoError(t, os.Chmod(filepath.Join(data, "lake"), 0o555))
	require.NoError(t, os.Chmod(filepath.Join(data, "restricted"), 0o755)) // so that it can be listed
	asNobody(t, func() { has(t, found(t, p, "permissions"), Fail, "this user may not write in") })
}

func TestLimits(t *testing.T) {
	p := patient(t, t.TempDir())
	has(t, found(t, p, "limits"), OK, "enough")
	p.Service.Edge.MaxConnections = 1 << 40
	p.Service.Queries.Queue.Slots, p.Service.Queries.Limits.Memory = 1<<10, 1<<40
	has(t, found(t, p, "limits"), Warn, "edge.max-connections (1099511627776)")
	has(t, found(t, p, "limits"), Warn, "of memory; with all queries the service may need 1.0 PiB")
}
