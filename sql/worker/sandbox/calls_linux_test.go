package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/pingmill/pingmill/sql/worker/sandbox/foreign"
)

// The probe is a process that tries all system calls and does none: a filter of its own lets those fail with passed whose last
// argument is mark. It comes before that of the sandbox, whose refusals the kernel takes first.
const (
	probeVariable = "PINGMILL_TEST_PROBE"
	mark          = 0x5afe7e57
	passed        = 4000
)

// Kinds of probes.
const (
	probeNative  = "native"
	probeForeign = "foreign" // int 0x80
	probeOpen    = "open"    // int 0x80 without the sandbox
)

// probes is the number of system calls that are tried, from 1 on: more than any architecture has.
const probes = 1024

// unfiltered reports whether a number is of uretprobe or uprobe of amd64: since 6.14 the kernel calls no filter for
// them, and they kill a process that does not make them in code which the kernel itself wrote.
func unfiltered(n uint32) bool { return runtime.GOARCH == "amd64" && (n == 335 || n == 336) }

// probe prints the error of each call.
func probe(kind string) int {
	part := func(i int, v uint32) []bpf.Instruction {
		return []bpf.Instruction{bpf.LoadAbsolute{Off: uint32(atArgs + 8*5 + 4*i), Size: 4}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: 1},
			allow}
	}
	if err := load(append(slices.Concat(part(0, mark), part(1, 0)), failWith(passed))); err != nil {
		panic(err)
	}
	if kind != probeOpen {
		if _, err := Restrict(Rules{Memory: 1 << 30}); err != nil {
			panic(err)
		}
	}
	errs := map[string]int{}
	for n := range uint32(probes) {
		if kind != probeNative {
			errs[fmt.Sprint(n)] = -int(foreign.Call(n, [6]uint32{5: mark}))
			continue
		}
		if !unfiltered(n) {
			errs[fmt.Sprint(n)] = attempt(uintptr(n), nil)
		}
		errs[fmt.Sprint(n|foreignBit)] = attempt(uintptr(n|foreignBit), nil)
	}
	if kind == probeNative {
		for i, w := range withArguments(os.Getpid()) {
			errs[fmt.Sprint("with ", i)] = attempt(number(w.name), w.args)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(errs)
	return 0
}

// attempt makes a marked call.
func attempt(number uintptr, args []uintptr) int {
	var a [5]uintptr
	copy(a[:], args)
	_, _, errno := syscall.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], mark)
	return int(errno)
}

func number(name string) uintptr {
	machine, err := arch.GetInfo("")
	if err != nil {
		panic(err)
	}
	n, has := machine.SyscallNames[name]
	if !has {
		return 1<<29 | 1 // none
	}
	return uintptr(n)
}

// withArguments returns calls whose arguments decide.
func withArguments(pid int) (all []struct {
	name string
	args []uintptr
	may  bool
}) {
	add := func(may bool, name string, args ...uintptr) {
		all = append(all, struct {
			name string
			args []uintptr
			may  bool
		}{name, args, may})
	}
	const thread = threadFlags | unix.CLONE_SYSVSEM | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID
	add(true, "clone", thread)
	add(true, "clone", threadFlags|unix.CLONE_SYSVSEM) // Go's
	add(true, "clone", thread|unix.CLONE_DETACHED)     // musl's
	add(false, "clone", uintptr(syscall.SIGCHLD))      // fork
	add(false, "clone", unix.CLONE_VM|unix.CLONE_VFORK|uintptr(syscall.SIGCHLD))
	for _, flag := range []uintptr{
		unix.CLONE_NEWNS, unix.CLONE_NEWCGROUP, unix.CLONE_NEWUTS, unix.CLONE_NEWIPC, unix.CLONE_NEWUSER, unix.CLONE_NEWPID, unix.CLONE_NEWNET,
		unix.CLONE_PARENT, unix.CLONE_PTRACE, unix.CLONE_PIDFD, 1 << 40,
	} {
		add(false, "clone", flag)
		add(false, "clone", thread|flag)
	}
	add(true, "tgkill", uintptr(pid), 1, 1)
	add(false, "tgkill", uintptr(os.Getppid()), 1, 1)
	add(false, "tgkill", uintptr(pid)|1<<32, 1, 1)
	add(true, "prlimit64", 0, unix.RLIMIT_STACK, 0, 1)
	add(false, "prlimit64", 0, unix.RLIMIT_STACK, 1, 0)
	add(false, "prlimit64", uintptr(os.Getppid()), unix.RLIMIT_STACK, 0, 1)
	each := func(arguments map[uintptr]bool, do func(a uintptr, may bool)) {
		for _, a := range slices.Sorted(maps.Keys(arguments)) {
			do(a, arguments[a])
		}
	}
	each(map[uintptr]bool{
		unix.F_GETFL: true, unix.F_SETFL: true, unix.F_SETLK: true, unix.F_DUPFD_CLOEXEC: true, unix.F_SETLK | 1<<32: false,
		unix.F_SETOWN: false, unix.F_SETOWN_EX: false, unix.F_SETSIG: false, unix.F_SETLEASE: false, unix.F_NOTIFY: false,
		unix.F_SETPIPE_SZ: false,
	}, func(command uintptr, may bool) { add(may, "fcntl", 1, command) })
	each(map[uintptr]bool{
		unix.PR_SET_NAME: true, unix.PR_SET_VMA: true, unix.PR_SET_DUMPABLE: false, unix.PR_SET_MM: false, unix.PR_SET_PTRACER: false,
		unix.PR_SET_SECCOMP: false, unix.PR_CAP_AMBIENT: false, unix.PR_SET_PDEATHSIG: false, unix.PR_SET_SECUREBITS: false,
	}, func(option uintptr, may bool) { add(may, "prctl", option) })
	for _, name := range []string{"mmap", "mprotect"} {
		add(true, name, 0, 4096, unix.PROT_READ|unix.PROT_WRITE)
		add(false, name, 0, 4096, unix.PROT_READ|unix.PROT_EXEC)
	}
	add(false, "ioctl", 0, unix.TIOCSTI)
	return all
}

// probing runs a probe, in a process without most of the environment.
func probing(t *testing.T, kind string) map[string]int {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = []string{probeVariable + "=" + kind}
	var output strings.Builder
	cmd.Stderr = &output
	out, err := cmd.Output()
	if err != nil && kind == probeOpen {
		return nil
	}
	require.NoError(t, err, "%s", &output)
	errs := map[string]int{}
	require.NoError(t, json.Unmarshal(out, &errs), "%s", out)
	return errs
}

// TestEverySystemCall: of all numbers of the machine and of its other ABIs, those of the list pass and no other.
func TestEverySystemCall(t *testing.T) {
	machine, err := arch.GetInfo("")
	require.NoError(t, err)
	want := map[string]int{}
	for n := range probes {
		name := machine.SyscallNumbers[n]
		want[fmt.Sprint(n)], want[fmt.Sprint(n|foreignBit)] = int(unix.EPERM), int(unix.EPERM)
		switch {
		case slices.Contains(allowed, name), name == "mmap", name == "mprotect": // 0 is a protection that both may give
			want[fmt.Sprint(n)] = passed
		case slices.Contains(missing, name):
			want[fmt.Sprint(n)] = int(unix.ENOSYS)
		case name == "prlimit64" || name == "fcntl": // of itself, F_DUPFD
			want[fmt.Sprint(n)] = passed
		}
	}
	maps.DeleteFunc(want, func(n string, _ int) bool { return n == "335" && unfiltered(335) || n == "336" && unfiltered(336) })
	got := probing(t, probeNative)
	for i, w := range withArguments(1) {
		key := fmt.Sprint("with ", i)
		if may := got[key] == passed; may != w.may {
			t.Errorf("%s%v: %v", w.name, w.args, syscall.Errno(got[key]))
		}
		delete(got, key)
	}
	for n, e := range got {
		if e != want[n] {
			t.Errorf("call %s: error %d, want %d", n, e, want[n])
		}
	}
	require.Len(t, got, len(want))
}

// TestForeignCalls: no system call of 32-bit programs passes.
func TestForeignCalls(t *testing.T) {
	if !foreign.Has {
		t.Skip("the architecture has no calls of another one")
	}
	before := probing(t, probeOpen)
	if before == nil {
		t.Skip("the kernel has no 32-bit calls")
	}
	require.Equal(t, passed, before["4"], "the probe works: write is allowed without the sandbox")
	for n, e := range probing(t, probeForeign) {
		if e != int(unix.EPERM) {
			t.Errorf("32-bit call %s: error %d", n, e)
		}
	}
}

// TestDangerousCalls: what reaches other processes, or more of the kernel than a query needs, is in no list.
func TestDangerousCalls(t *testing.T) {
	for _, name := range strings.Fields(
		`socket socketpair connect execve execveat fork vfork ptrace process_vm_readv process_vm_writev kill tkill pidfd_open
		pidfd_getfd pidfd_send_signal process_madvise process_mrelease kcmp unshare setns chroot pivot_root mount umount2 open_tree fsopen move_mount
		mount_setattr io_uring_setup io_uring_enter io_uring_register fchmodat2 chmod fchmod keyctl add_key request_key bpf perf_event_open userfaultfd
		ioctl seccomp landlock_create_ruleset memfd_create memfd_secret setrlimit sched_setaffinity sched_setscheduler setpriority ioprio_set
		move_pages migrate_pages get_robust_list name_to_handle_at open_by_handle_at capset setuid personality truncate mknod mknodat link linkat
		symlink symlinkat timer_create rt_sigqueueinfo rt_tgsigqueueinfo`) {
		require.NotContains(t, allowed, name)
	}
	known := func(name string) bool {
		for _, machine := range []*arch.Info{arch.X86_64, arch.AARCH64} {
			if _, has := machine.SyscallNames[name]; has {
				return true
			}
		}
		return false
	}
	for _, name := range slices.Concat(allowed, missing) {
		require.True(t, known(name), name)
	}
	for _, machine := range []*arch.Info{arch.X86_64, arch.AARCH64} {
		program := filter(machine, 1)
		_, err := bpf.Assemble(program)
		require.NoError(t, err)
		require.Greater(t, len(program), 2*len(allowed)-40, machine.Name)
	}
}
