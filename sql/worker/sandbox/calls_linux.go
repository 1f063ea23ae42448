package sandbox

import "golang.org/x/sys/unix"

// allowed are the system calls of a process that reads files, computes in threads and writes to the pipes that it has:
// what workers were seen to call, and what their runtimes and C libraries call instead on other kernels. All others
// fail with EPERM. The names cover all architectures; each has some of them. Those called most often come first.
var allowed = []string{
	// memory and threads; mmap, mprotect, clone and tgkill have conditions
	"futex", "madvise", "munmap", "mremap", "brk", "mincore", "nanosleep", "clock_nanosleep", "sched_yield", "sched_getaffinity", "getcpu",
	"set_robust_list", "set_tid_address", "rseq", "membarrier", "gettid", "getpid", "exit", "exit_group",
	// files; Landlock says which
	"pread64", "read", "write", "pwrite64", "readv", "writev", "preadv", "pwritev", "lseek", "close", "open", "openat", "stat", "lstat",
	"fstat",
	"newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd", "getdents64",
	"ftruncate", "fadvise64", "fsync", "fdatasync", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2",
	// waiting for pipes
	"epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd2", "poll", "ppoll", "pipe2",
	// signals to itself
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
	// what it is, and what time
	"clock_gettime", "clock_getres", "gettimeofday", "time", "getrandom", "uname", "sysinfo", "getrusage", "times", "getrlimit",
	"getuid", "geteuid", "getgid", "getegid",
}

// missing are the system calls that fail as if the kernel did not have them, because C libraries then use another one, whose
// arguments the filter can read.
var missing = []string{"clone3"}

// condition compares bits of an argument of a system call with values, one of which they must have.
type condition struct {
	arg  int
	mask uint64
	is   []uint64
}

// call is a system call that is allowed where all conditions hold.
type call struct {
	name  string
	where []condition
}

const allBits = ^uint64(0)

// Flags of clone that threads have, and those that they may have.
const (
	threadFlags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD
	mayFlags    = unix.CLONE_SYSVSEM | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_SETTID | unix.CLONE_CHILD_CLEARTID |
		unix.CLONE_DETACHED
)

// conditional returns the system calls that are allowed with some arguments only; pid is the present process. F_SETOWN
// of fcntl sends signals to others, which is why its commands are listed.
func conditional(pid int) []call {
	noCode := []condition{{2, unix.PROT_EXEC, []uint64{0}}}
	return []call{
		{"mprotect", noCode},
		{"mmap", noCode},
		{"clone", []condition{{0, allBits &^ mayFlags, []uint64{threadFlags}}}},
		{"tgkill", []condition{{0, allBits, []uint64{uint64(pid)}}}},
		{"fcntl", []condition{{1, allBits, []uint64{
			unix.F_DUPFD, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL, unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_DUPFD_CLOEXEC,
		}}}},
		{"fallocate", []condition{{1, unix.FALLOC_FL_PUNCH_HOLE, []uint64{unix.FALLOC_FL_PUNCH_HOLE}}}}, // gives back disk
		{"prctl", []condition{{0, allBits, []uint64{unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA}}}},
		{"prlimit64", []condition{{0, allBits, []uint64{0}}, {2, allBits, []uint64{0}}}}, // reads its own
	}
}
