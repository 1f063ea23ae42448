// Package panics turns panics into errors, for goroutines that process external data: one bad ping must not end
// the process.
package panics

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

const (
	maxValue = 300     // bytes of a panic's value in messages
	maxStack = 4 << 10 // bytes of its stack
)

// Error is a panic as the error of the work that it ended.
type Error struct {
	Value any
	// Stack is the stack of the panic in the format of debug.Stack, from the place of the panic on, at most 4
	// KiB.
	Stack []byte
}

// Error returns one line of at most some 300 bytes; the stack is for logs.
func (e *Error) Error() string {
	return "panic: " + oneLine(fmt.Sprint(e.Value))
}

// Unwrap returns the value of the panic if it is an error, such as a runtime.Error.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func oneLine(text string) string {
	if len(text) > maxValue {
		text = text[:maxValue] + "…"
	}
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
}

// Recover turns a panic into the error of the function that defers it. Other deferred calls of the function
// must release its resources, such as locks.
func Recover(err *error) {
	if v := recover(); v != nil {
		*err = &Error{v, cut(debug.Stack())}
	}
}

// Try returns the error of work, also of one that panics.
func Try(work func() error) (err error) {
	defer Recover(&err)
	return work()
}

// Report returns the text of an error and, for a panic, its stack on further lines, a few KiB at most.
func Report(err error) string {
	var p *Error
	if !errors.As(err, &p) {
		return err.Error()
	}
	return err.Error() + "\n" + string(p.Stack)
}

// cut takes away what called debug.Stack, and what is too much.
func cut(stack []byte) []byte {
	if at := bytes.Index(stack, []byte("\npanic(")); at >= 0 {
		stack = stack[at+1:]
		for range 2 { // the call of panic, with file and line
			_, stack, _ = bytes.Cut(stack, []byte("\n"))
		}
	}
	if len(stack) > maxStack {
		stack = stack[:bytes.LastIndexByte(stack[:maxStack], '\n')+1]
	}
	return stack
}
