package glean

import "github.com/pingmill/pingmill/ping"

// rest collects the parts of a document that have no column, at their paths, as one JSON object.
type rest struct {
	buf  []byte
	path [][]byte // names of the objects around the current place
	open int      // number of them that are written
	off  bool     // the table has no column for them
}

func (r *rest) reset() { r.buf, r.path, r.open = r.buf[:0], r.path[:0], 0 }

// enter begins an object of the document. It is written when something in it is.
func (r *rest) enter(name []byte) { r.path = append(r.path, name) }

// leave ends the object.
func (r *rest) leave() {
	r.path = r.path[:len(r.path)-1]
	if r.open > len(r.path) {
		r.buf = append(r.buf, '}')
		r.open = len(r.path)
	}
}

// add adds a member of the current object.
func (r *rest) add(name []byte, v ping.Value) {
	if r.off {
		return
	}
	for ; r.open < len(r.path); r.open++ {
		r.name(r.path[r.open])
		r.buf = append(r.buf, '{')
	}
	r.name(name)
	r.buf = AppendCompact(r.buf, v.Raw())
}

func (r *rest) name(name []byte) {
	switch n := len(r.buf); {
	case n == 0:
		r.buf = append(r.buf, '{')
	case r.buf[n-1] != '{':
		r.buf = append(r.buf, ',')
	}
	r.buf = append(ping.AppendQuoted(r.buf, name), ':')
}

// text returns the object, or nil if it has no members.
func (r *rest) text() []byte {
	if len(r.buf) == 0 {
		return nil
	}
	return append(r.buf, '}')
}

// AppendCompact appends a JSON value without the blanks outside of its strings.
func AppendCompact(dst, json []byte) []byte {
	inString := false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case inString && c == '\\' && i+1 < len(json):
			dst = append(dst, c, json[i+1])
			i++
			continue
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		dst = append(dst, json[i])
	}
	return dst
}
