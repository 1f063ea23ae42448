package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Restrict makes the rules hold for all threads of the process and returns what the system lacks. After an error nothing that
// is not trusted may run.
func Restrict(r Rules) (lacking []Protection, err error) {
	if err := limit(r); err != nil {
		return nil, fmt.Errorf("limit resources: %w", err)
	}
	if Landlock() == 0 {
		lacking = append(lacking, Files)
	} else if err := files(r); err != nil {
		return nil, fmt.Errorf("restrict files: %w", err)
	}
	if !seccomp.Supported() {
		return append(lacking, Network, Programs), nil
	}
	if err := calls(); err != nil {
		return nil, fmt.Errorf("restrict system calls: %w", err)
	}
	return lacking, nil
}

// Landlock is the version of the kernel's Landlock, 0 without one.
func Landlock() int {
	version, err := landlocksys.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return version
}

// accessRead is reading without executing.
const accessRead = landlocksys.AccessFSReadFile

// files allows the files of the rules only. A file that is not there stays so.
func files(r Rules) error {
	var dirs, single []string
	for _, path := range r.Read {
		info, err := os.Stat(path)
		switch {
		case err != nil: // the query says so
		case info.IsDir():
			dirs = append(dirs, path)
		case info.Mode().IsRegular():
			single = append(single, path)
		}
	}
	rules := []landlock.Rule{
		landlock.PathAccess(accessRead, single...).IgnoreIfMissing(),
		landlock.PathAccess(accessRead|landlocksys.AccessFSReadDir, dirs...).IgnoreIfMissing(),
		landlock.RWDirs(r.Write...),
	}
	return landlock.V7.BestEffort().Restrict(rules...)
}

// limit sets the resource limits.
func limit(r Rules) error {
	limits := []struct {
		what       int
		soft, hard uint64
	}{{unix.RLIMIT_CORE, 0, 0}}
	add := func(what int, soft, hard uint64) {
		limits = append(limits, struct {
			what       int
			soft, hard uint64
		}{what, soft, hard})
	}
	if r.Memory > 0 {
		used, err := data()
		if err != nil {
			return err
		}
		add(unix.RLIMIT_DATA, used+uint64(r.Memory), used+uint64(r.Memory))
	}
	if r.CPU > 0 {
		seconds := max(1, uint64(r.CPU.Seconds()+0.999))
		add(unix.RLIMIT_CPU, seconds, seconds+1)
	}
	if r.File > 0 {
		add(unix.RLIMIT_FSIZE, uint64(r.File), uint64(r.File))
	}
	if r.Open > 0 {
		add(unix.RLIMIT_NOFILE, uint64(r.Open), uint64(r.Open))
	}
	for _, l := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(l.what, &now); err != nil {
			return err
		}
		hard := min(l.hard, now.Max)
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: min(l.soft, hard), Max: hard}); err != nil {
			return err
		}
	}
	return nil
}

// data is how many bytes the limit of memory counts now.
func data() (uint64, error) {
	text, err := fs.ReadFile(os.DirFS("/proc/self"), "status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "VmData: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10, nil
		}
	}
	return 0, fmt.Errorf("/proc/self/status says nothing of VmData")
}

// refused are the system calls that a process has no use for that reads files, computes and writes to pipes it has. Threads
// begin by clone, so that stays; no new process can become another program.
var refused = []string{
	// network
	"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
	// programs and processes
	"execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill",
	"pidfd_open", "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpgid", "setsid",
	// users and namespaces
	"setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid", "capset",
	"unshare", "setns", "chroot", "pivot_root", "mount", "umount2", "move_mount", "open_tree", "fsopen", "fsmount", "fsconfig",
	"mount_setattr", "name_to_handle_at", "open_by_handle_at",
	// what Landlock does not see of files
	"chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat",
	"setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "inotify_init", "inotify_init1", "fanotify_init",
	// the kernel
	"bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "keyctl", "add_key", "request_key",
	"init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "syslog",
	"settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "acct", "quotactl", "personality",
	"shmget", "shmat", "msgget", "semget", "mq_open", "memfd_create",
}

// calls refuses system calls, with EPERM. The names are those of all architectures; each has some of them.
func calls() error {
	machine, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	known := slices.DeleteFunc(slices.Clone(refused), func(name string) bool {
		_, ok := machine.SyscallNames[name]
		return !ok
	})
	return seccomp.LoadFilter(seccomp.Filter{
		NoNewPrivs: true, Flag: seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{{Names: known, Action: seccomp.ActionErrno}}},
	})
}
