package sandbox

import (
	"errors"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// probed is the number of descriptors that are tried if /proc does not list the open ones.
const probed = 4096

// Disinherit closes the descriptors from number first on that the process inherited from its parent. The caller must
// call it before it opens such descriptors itself; Go's runtime opens none.
func Disinherit(first int) error {
	var open []int
	entries, err := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			open = append(open, n)
		}
	}
	for n := first; err != nil && n < probed; n++ {
		open = append(open, n)
	}
	for _, n := range open {
		if n < first {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(n), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue
		}
		if err := unix.Close(n); err != nil {
			return err
		}
	}
	return nil
}

// capabilities are the capability sets of the present thread.
type capabilities [2]unix.CapUserData

func held() (c capabilities, err error) {
	err = unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &c[0])
	return c, err
}

func (c capabilities) has(n uint) bool { return c[n/32].Effective&(1<<(n%32)) != 0 }

// set sets the capabilities of all threads.
func (c capabilities) set() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return onAll(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&c[0])), 0)
}

// onAll makes a system call in all threads.
func onAll(number, a, b, c uintptr) error {
	if _, _, errno := psx.Syscall6(number, a, b, c, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// noRoot are the bits that deny user 0 its implicit capabilities, and lock that.
const noRoot = 1<<0 | 1<<1 | 1<<2 | 1<<3

// dropBounding empties the bounding and ambient sets if the process is allowed to. It is needed only if the process can
// start programs: its 43 calls in all threads take 11 ms of processor time.
func dropBounding() error {
	c, err := held()
	if err != nil || !c.has(unix.CAP_SETPCAP) {
		return err
	}
	for n := uintptr(0); ; n++ {
		if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, n, 0, 0, 0); err != nil || has < 0 {
			break // there are no more
		}
		if err := onAll(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, n, 0); err != nil {
			return err
		}
	}
	return errors.Join(onAll(unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0),
		onAll(unix.SYS_PRCTL, unix.PR_SET_SECUREBITS, noRoot, 0))
}

// dropCapabilities drops all capabilities. If the files of the rules would then be unreadable, for example for root
// with files of another user, it retains the capability to read any file, and only Landlock restricts reading.
func dropCapabilities(read []string) error {
	c, err := held()
	if err != nil || c == (capabilities{}) {
		return err
	}
	reading := uint32(1<<unix.CAP_DAC_READ_SEARCH) & c[0].Permitted
	c = capabilities{}
	c[0].Permitted = reading
	if err := c.set(); err != nil {
		return err
	}
	c[0].Permitted = 0
	if reading != 0 && Landlock() > 0 {
		for _, path := range read {
			if errors.Is(unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS), unix.EACCES) {
				c[0].Permitted, c[0].Effective = reading, reading
				break
			}
		}
	}
	return c.set()
}
