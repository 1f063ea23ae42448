package ingest

// property is a member that a schema names.
type property struct {
	name     string
	node     *node
	declared bool   // false: only required, otherwise an extra member
	bit      uint64 // in node.required
	quoted   string // the name as documents write it, with the colon; "" if there are further constraints
	place    int    // in walker.guesses
	quick    quick  // quickest of node
}

// properties holds the members that a schema names.
type properties struct {
	list     []*property
	byLength [][]*property // by the length of the name
}

// add returns the property of a name and creates it if necessary. Its node may be compiled after it is added.
func (p *properties) add(name string) *property {
	if found := p.find([]byte(name)); found != nil {
		return found
	}
	added := &property{name: name}
	p.list = append(p.list, added)
	for len(p.byLength) <= len(name) {
		p.byLength = append(p.byLength, nil)
	}
	p.byLength[len(name)] = append(p.byLength[len(name)], added)
	return added
}

// find returns the property of a name, or nil if there is none. Few names of an object have the same length.
func (p *properties) find(name []byte) *property {
	if len(name) >= len(p.byLength) {
		return nil
	}
	for _, prop := range p.byLength[len(name)] {
		if prop.name == string(name) {
			return prop
		}
	}
	return nil
}

// requiredName returns the name of the required property with a bit.
func (p *properties) requiredName(bit uint64) string {
	for _, prop := range p.list {
		if prop.bit == bit {
			return prop.name
		}
	}
	return ""
}
