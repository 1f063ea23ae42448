package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// calls are the system calls that fail, with the argument that decides which of
// them: mostly the file descriptor, so that some files are hit and others not.
var calls = []struct {
	name     string
	number   uint32
	argument uint32
	masks    []uint32
	errnos   []unix.Errno
}{
	{"read", unix.SYS_READ, 0, []uint32{0xffffffff}, []unix.Errno{unix.EIO}},
	{"pread64", unix.SYS_PREAD64, 3, []uint32{7, 63, 1023}, []unix.Errno{unix.EIO}},
	{"pread64", unix.SYS_PREAD64, 0, []uint32{0xffffffff}, []unix.Errno{unix.EIO}},
	{"write", unix.SYS_WRITE, 2, []uint32{7, 31, 127}, []unix.Errno{unix.EIO, unix.ENOSPC}},
	{"write", unix.SYS_WRITE, 0, []uint32{0xffffffff}, []unix.Errno{unix.EIO, unix.ENOSPC}},
	{"pwrite64", unix.SYS_PWRITE64, 3, []uint32{0xffffffff}, []unix.Errno{unix.EIO, unix.ENOSPC}},
	{"openat", unix.SYS_OPENAT, 2, []uint32{unix.O_CREAT}, []unix.Errno{unix.ENOSPC, unix.EMFILE, unix.EIO}},
	{"openat", unix.SYS_OPENAT, 1, []uint32{15 << 4, 63 << 4}, []unix.Errno{unix.EIO, unix.EMFILE}},
	{"fsync", unix.SYS_FSYNC, 0, []uint32{0xffffffff, 3}, []unix.Errno{unix.EIO, unix.ENOSPC}},
	{"fdatasync", unix.SYS_FDATASYNC, 0, []uint32{0xffffffff, 3}, []unix.Errno{unix.EIO}},
	{"renameat", unix.SYS_RENAMEAT, 1, []uint32{15 << 4, 0}, []unix.Errno{unix.EIO, unix.ENOSPC}},
	{"renameat2", unix.SYS_RENAMEAT2, 1, []uint32{0}, []unix.Errno{unix.EIO, unix.ENOSPC}},
	{"linkat", unix.SYS_LINKAT, 1, []uint32{15 << 4, 0}, []unix.Errno{unix.EIO, unix.EMLINK, unix.EPERM}},
	{"unlinkat", unix.SYS_UNLINKAT, 1, []uint32{15 << 4, 0}, []unix.Errno{unix.EIO}},
	{"mkdirat", unix.SYS_MKDIRAT, 1, []uint32{15 << 4, 0}, []unix.Errno{unix.ENOSPC, unix.EIO}},
	{"getdents64", unix.SYS_GETDENTS64, 0, []uint32{0xffffffff, 3}, []unix.Errno{unix.EIO}},
	{"newfstatat", unix.SYS_NEWFSTATAT, 1, []uint32{15 << 4}, []unix.Errno{unix.EIO}},
	{"flock", unix.SYS_FLOCK, 0, []uint32{0}, []unix.Errno{unix.EIO, unix.ENOLCK}},
}

func newFault(r *rand.Rand) fault {
	c := pick(r, calls)
	f := fault{name: c.name, number: c.number, argument: c.argument, mask: pick(r, c.masks), errno: pick(r, c.errnos)}
	switch {
	case f.mask == 0xffffffff && c.name == "pwrite64": // offsets of the ledger's pages
		f.value = uint32(r.IntN(8)) * 4096
	case f.mask == 0xffffffff: // descriptors
		f.value = uint32(4 + r.IntN(24))
	case f.mask == unix.O_CREAT:
		f.value = unix.O_CREAT
	default:
		f.value = r.Uint32() & f.mask
	}
	return f
}

// works are the commands that change an installation, with what has to be there
// once they have succeeded: undisturbed, or at the second try.
var works = []struct {
	name string
	args func(f *faultBase) []string
	want func(f *faultBase) rows
}{
	{"load", func(f *faultBase) []string { return []string{"load", f.more} }, nil},
	{"run", func(f *faultBase) []string { return runAllHere() }, nil},
	{"run again", func(f *faultBase) []string { return runAllHere("--force") }, nil},
	{"delete", func(f *faultBase) []string { return []string{"delete", "--client-id", f.all.client, "--now"} },
		func(f *faultBase) rows { return f.all.rest }},
	{"expire", func(f *faultBase) []string { return []string{"expire", "--keep-tables", "1"} },
		func(f *faultBase) rows { return rows{} }},
}

// faultBase is an installation where half of the pings is loaded and made into tables,
// and the whole of it as it is in the end.
type faultBase struct {
	half string // folder
	more string // file with the other half
	all  *installation
}

func newFaultBase(t *testing.T) *faultBase {
	t.Helper()
	dir := t.TempDir()
	f := &faultBase{half: filepath.Join(dir, "half"), more: filepath.Join(dir, "6.ndjson")}
	first := filepath.Join(dir, "14.ndjson")
	must(t, "generate", "--seed", "9", "--clients", "14", "--days", "3", "--damaged", "0.05", "--glean", "--output", first)
	must(t, "generate", "--seed", "11", "--clients", "6", "--days", "3", "--damaged", "0.05", "--glean", "--output", f.more)
	must(t, "load", "--data", f.half, first)
	must(t, runAll(f.half)...)
	f.all = newInstallation(t)
	return f
}

// TestFaults fails system calls under each command that changes something. It
// succeeds and the rows are right, or it fails with a word; undisturbed, the same
// command then makes the rows that there would have been.
func TestFaults(t *testing.T) {
	t.Parallel()
	base := newFaultBase(t)
	counts := map[string]int{}
	for n := range trials(t, 2*len(works), *budget) {
		r := rand.New(rand.NewPCG(*seed, n))
		f := newFault(r)
		work := n % uint64(len(works))
		t.Run(fmt.Sprintf("seed %d trial %d: %s: %v", *seed, n, works[work].name, f), func(t *testing.T) {
			disturbed(t, base, work, counts, func(args ...string) result { return runCommand(f.command(binary, args...), nil, args) })
		})
		counts["trials"]++
	}
	t.Logf("seed %d: %v", *seed, counts)
}

// TestSignalStorm interrupts system calls all the time: none may take the
// interruption for a failure, or for less than was asked for.
func TestSignalStorm(t *testing.T) {
	t.Parallel()
	base := newFaultBase(t)
	counts := map[string]int{}
	for n := range trials(t, len(works), *budget/4) {
		work := n % uint64(len(works))
		t.Run(fmt.Sprintf("trial %d: %s", n, works[work].name), func(t *testing.T) {
			disturbed(t, base, work, counts, func(args ...string) result {
				r := runCommand(exec.Command(binary, args...), storm, args)
				if !r.ok() {
					t.Errorf("signals that mean nothing make it fail: %v", r)
				}
				return r
			})
		})
	}
	t.Log(counts)
}

// storm sends a process signals that mean nothing to it, some thousand a second.
func storm(p *os.Process, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-time.After(200 * time.Microsecond):
			_ = p.Signal(unix.SIGURG) // else it has just ended
		}
	}
}

// disturbed does a work under a disturbance, then once more without it.
func disturbed(t *testing.T, base *faultBase, work uint64, counts map[string]int, run func(args ...string) result) {
	w := works[work]
	tr := &trial{t: t, base: base.all, data: filepath.Join(t.TempDir(), "data"), counts: counts}
	from, want := base.all.data, base.all.truth
	if w.name == "load" || w.name == "run" {
		from = base.half
	}
	copyTree(t, from, tr.data)
	if w.name == "run" {
		must(t, "load", "--data", tr.data, base.more)
	}
	args := append(w.args(base), "--data", tr.data)
	r := run(args...)
	tr.story = append(tr.story, fmt.Sprintf("disturbed: %v", r))
	if r.code == exitNotRun {
		t.Fatal(r)
	}
	// The system's loader and the Go runtime give up where they cannot read what they need.
	began := !strings.Contains(r.errs, "loading shared libraries") && !strings.Contains(r.errs, "runtime: ")
	if err := r.sound(); err != nil && began {
		tr.fail("%v", err)
	}
	counts[map[bool]string{true: "succeeded nevertheless", false: "failed loudly"}[r.ok()]]++
	if !r.ok() {
		if again := tr.do(w.args(base)...); !again.ok() {
			tr.fail("undisturbed, it fails: %v", again)
		}
	}
	if w.name == "load" {
		if again := tr.do(runAllHere()...); !again.ok() {
			tr.fail("a run fails: %v", again)
		}
	}
	if w.want != nil {
		want = w.want(base)
	}
	if !tr.look(want) {
		tr.fail("the rows cannot be read")
	}
	if s := tr.do("check", "all", "--files"); !s.ok() {
		tr.fail("%v", s)
	}
}
