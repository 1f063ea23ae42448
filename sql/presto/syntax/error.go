package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error describes a fault in a query, and its place.
type Error struct {
	Span
	Kind    ErrorKind
	Message string
	Hint    string // what to write, or ""
	Line    int    // 1-based, 0 before Locate
	Column  int    // 1-based character of the line
}

// ErrorKind distinguishes causes.
type ErrorKind int

const (
	// NotSQL is a text that the grammar does not have.
	NotSQL ErrorKind = iota
	// Wrong is a query of the grammar that Presto refuses: unknown names, types that do not fit.
	Wrong
	// NotSupported is a query that Presto would answer and we cannot, or will not.
	NotSupported
)

// Errorf returns an Error of the kind at the node's place.
func Errorf(kind ErrorKind, at Node, hint, format string, args ...any) *Error {
	return &Error{Span: at.Bounds(), Kind: kind, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Error returns place and message, and the hint in a line of its own.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d:%d: ", e.Line, e.Column)
	}
	b.WriteString(e.Message)
	if e.Hint != "" {
		b.WriteString("\nhint: " + e.Hint)
	}
	return b.String()
}

// Locate fills in line and column from the text of the query, and returns e.
func (e *Error) Locate(text string) *Error {
	before := text[:min(e.Start, len(text))]
	line := strings.LastIndexByte(before, '\n') + 1
	e.Line = 1 + strings.Count(before, "\n")
	e.Column = 1 + utf8.RuneCountInString(before[line:])
	return e
}
