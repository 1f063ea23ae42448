package syntax

import "strings"

// Span is a range of bytes of the query: [Start, End).
type Span struct{ Start, End int }

// Bounds returns the span itself. It makes every struct that embeds a Span a Node.
func (s Span) Bounds() Span { return s }

// Text returns the span's part of the text.
func (s Span) Text(text string) string { return text[s.Start:s.End] }

// Node is any part of the tree.
type Node interface{ Bounds() Span }

// Ident is a name of one part, such as a column or an alias. Name is as written
// without quotes. Presto compares names without case, quoted or not.
type Ident struct {
	Span
	Name   string
	Quoted bool
}

// Key returns the name as Presto compares it.
func (i Ident) Key() string { return strings.ToLower(i.Name) }

// Name is a dotted name, such as of a table or a function.
type Name struct {
	Span
	Parts []Ident
}

// Key returns the dotted name as Presto compares it.
func (n Name) Key() string {
	keys := make([]string, len(n.Parts))
	for i, part := range n.Parts {
		keys[i] = part.Key()
	}
	return strings.Join(keys, ".")
}

// Last returns the part behind the last dot.
func (n Name) Last() Ident { return n.Parts[len(n.Parts)-1] }
