package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets in the struct seccomp_data of the kernel.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

// Results of the filter.
var (
	allow  = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	refuse = failWith(unix.EPERM)
)

func failWith(e unix.Errno) bpf.RetConstant {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(e)}
}

// foreignBit is in the numbers of calls of the x32 ABI on amd64; no number of another architecture is as large.
const foreignBit = 1 << 30

// filterCalls restricts all threads of the process to the listed system calls, permanently.
func filterCalls() error {
	machine, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	return load(filter(machine, os.Getpid()))
}

// filter returns a program that decides on system calls. It returns after each call that it compares with, so that no
// comparison of an argument precedes one of a number. It refuses calls of another architecture, such as 32-bit calls on
// amd64.
func filter(machine *arch.Info, pid int) []bpf.Instruction {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: atArch, Size: 4}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(machine.ID), SkipTrue: 1}, refuse,
		bpf.LoadAbsolute{Off: atNumber, Size: 4}, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: foreignBit, SkipTrue: 1}, refuse,
	}
	add := func(name string, body ...bpf.Instruction) {
		if n, has := machine.SyscallNames[name]; has {
			program = append(append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(n), SkipTrue: uint8(len(body))}), body...)
		}
	}
	for _, name := range allowed {
		add(name, allow)
	}
	for _, c := range conditional(pid) {
		add(c.name, c.body()...)
	}
	for _, name := range missing {
		add(name, failWith(unix.ENOSYS))
	}
	return append(program, refuse)
}

// body compares the arguments and always returns. An argument has two halves, the lower one first on all supported
// machines.
func (c call) body() (b []bpf.Instruction) {
	for _, w := range c.where {
		var one []bpf.Instruction
		for i, v := range w.is {
			left := len(w.is) - 1 - i // values behind this one, 6 instructions each, and the refusal
			skip := uint8(6*left + 1)
			half := func(by int) (bpf.Instruction, bpf.Instruction, uint32) {
				return bpf.LoadAbsolute{Off: uint32(atArgs + 8*w.arg + by/8), Size: 4}, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: uint32(w.mask >> by)},
					uint32(v >> by)
			}
			load, mask, low := half(0)
			one = append(one, load, mask, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: low, SkipTrue: 3})
			load, mask, high := half(32)
			one = append(one, load, mask, bpf.JumpIf{Cond: bpf.JumpEqual, Val: high, SkipTrue: skip})
		}
		b = append(append(b, one...), refuse)
	}
	return append(b, allow)
}

// load installs a filter for all threads of the process.
func load(program []bpf.Instruction) error {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return err
	}
	code := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		code[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	p := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&p)))
	switch {
	case errno != 0:
		return errno
	case thread != 0:
		return fmt.Errorf("thread %d has another filter", thread)
	}
	return nil
}
