package ping

// Names is a list of member names that are looked up in many objects.
type Names struct {
	program *Program
	names   []string
	index   []int // in names, by node of the program
}

// NewNames returns the given names. They must be different and have no backslash; the best order is the usual
// order in objects.
func NewNames(names ...string) *Names {
	var p PathSet
	slots := make([]Slot, len(names))
	for i, name := range names {
		slots[i] = p.Add(name)
	}
	n := &Names{program: p.Compile(), names: names, index: make([]int, len(names)+1)}
	for i, s := range slots {
		n.index[n.program.slots[s]] = i
	}
	return n
}

// Pick sets each of values, one per name, to the member of object v with that name, or to a missing value. It
// reads only the given number of members; if a name occurs twice, the last one wins. Other kinds of values have
// no members.
func (n *Names) Pick(v Value, values []Value, most int) {
	clear(values)
	if v.Kind() != Object {
		return
	}
	next := 0 // the name that probably follows
	for p := int(v.start) + 1; most > 0; most-- {
		key, value, after, ok := v.rawMember(p)
		if !ok {
			return
		}
		if i := n.find(v.d, key, next); i >= 0 {
			values[i], next = value, i+1
		}
		p = after
	}
}

// find returns the index of a key of the document in names, or -1.
func (n *Names) find(d *Doc, key span, guess int) int {
	if guess < len(n.names) && n.names[guess] == string(d.b[key.start:key.end]) {
		return guess
	}
	b, from, to := d.b, int(key.start), int(key.end)
	if d.flags&backslash != 0 && d.escapes(from, to) {
		b, from = unescape(nil, b[from:to]), 0
		to = len(b)
	}
	c := n.program.find(&n.program.nodes[0], b, from, to)
	if c == 0 {
		return -1
	}
	return n.index[c]
}
