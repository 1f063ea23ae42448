package format

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/ping"
)

// assembler puts a document together again from its base and the sections
// that were split off.
type assembler struct {
	root     section
	sections int
	overfull bool
	doc      ping.Doc
	out      []byte
	values   []byte
}

// Bounds for what a damaged message can ask for; real ones have some twenty
// sections, two levels deep.
const (
	maxSections = 1000
	maxDepth    = 32
)

// section is a place in the document: a value, or members to add to it.
type section struct {
	name     string
	value    []byte // JSON; nil when there are only children
	children []*section
	used     bool
}

var rootProgram, rootSlot = func() (*ping.Program, ping.Slot) {
	var p ping.PathSet
	root := p.Add()
	return p.Compile(), root
}()

func (a *assembler) reset() {
	a.root, a.sections, a.overfull, a.values = section{}, 0, false, a.values[:0]
}

// section adds the field whose name is the path of a section.
func (a *assembler) section(f *field) {
	a.sections++
	if a.sections > maxSections || bytes.Count(f.name, []byte(".")) >= maxDepth {
		a.overfull = true
		return
	}
	at := &a.root
	for name := range strings.SplitSeq(string(f.name), ".") {
		at = at.child(name)
	}
	start := len(a.values)
	a.values = f.json(a.values)
	at.value = a.values[start:len(a.values):len(a.values)]
}

func (s *section) child(name string) *section {
	if c := s.find([]byte(name)); c != nil {
		return c
	}
	c := &section{name: name}
	s.children = append(s.children, c)
	return c
}

var errDocument = errors.New("the document is not a JSON object")

// document inserts the sections into base, which may be absent: each replaces
// the value in its place, normally null or nothing.
func (a *assembler) document(base []byte) ([]byte, error) {
	if base = bytes.TrimSpace(base); len(base) == 0 {
		base = []byte("{}")
	}
	if err := ping.Validate(base); err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	if base[0] != '{' {
		return nil, errDocument
	}
	if len(a.root.children) == 0 {
		return base, nil
	}
	if err := a.doc.Scan(rootProgram, base); err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	a.out = a.insert(a.out[:0], a.doc.Value(rootSlot), &a.root)
	return a.out, nil
}

// insert writes a value of the base with a section's children in it.
func (a *assembler) insert(dst []byte, base ping.Value, s *section) []byte {
	if s.value != nil && (len(s.children) == 0 || s.value[0] != '{') {
		return append(dst, s.value...)
	}
	if s.value != nil { // sections of a section
		var d ping.Doc
		if d.Scan(rootProgram, s.value) == nil {
			base = d.Value(rootSlot)
		}
	}
	dst = append(dst, '{')
	for _, m := range base.Members(nil) {
		dst = append(ping.AppendQuoted(dst, m.Key), ':')
		if c := s.find(m.Key); c != nil {
			dst, c.used = a.insert(dst, m.Value, c), true
		} else {
			dst = append(dst, m.Value.Raw()...)
		}
		dst = append(dst, ',')
	}
	for _, c := range s.children {
		if !c.used {
			dst = append(ping.AppendQuoted(dst, []byte(c.name)), ':')
			dst = append(a.insert(dst, ping.Value{}, c), ',')
		}
	}
	if dst[len(dst)-1] == ',' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '}')
}

func (s *section) find(name []byte) *section {
	for _, c := range s.children {
		if c.name == string(name) {
			return c
		}
	}
	return nil
}
