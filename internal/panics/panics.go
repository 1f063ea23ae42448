// Package panics turns panics into errors, for goroutines that work on data from
// outside: one bad ping is not the end of the process.
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

// Error is a panic, as the error of the work that it ended.
type Error struct {
	Value any
	// Stack is that of the panic, as debug.Stack formats it, from where it
	// happened on, at most 4 KiB.
	Stack []byte
}

// Error is one line of at most some 300 bytes; the stack is for logs.
func (e *Error) Error() string {
	return "panic: " + oneLine(fmt.Sprint(e.Value))
}

// Unwrap is the value of the panic if that was an error, such as a runtime.Error.
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

// Recover is to be deferred: it makes a panic the error of the function. What the
// function holds, such as locks, its other deferred calls have to give back.
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

// Report is the text of an error and, if it is of a panic, its stack in lines of
// their own: a few KiB at most for the latter.
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
		for range 2 { // the call of panic, and its place
			_, stack, _ = bytes.Cut(stack, []byte("\n"))
		}
	}
	if len(stack) > maxStack {
		stack = stack[:bytes.LastIndexByte(stack[:maxStack], '\n')+1]
	}
	return stack
}
