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
	list  []*property
	index map[string]*property // of more than fewProperties
}

// fewProperties is the largest number of names for which a comparison one by one is faster than hashing.
const fewProperties = 12

// add returns the property of a name and creates it if necessary. Its node may be compiled after it is added.
func (p *properties) add(name string) *property {
	if found := p.find([]byte(name)); found != nil {
		return found
	}
	added := &property{name: name}
	p.list = append(p.list, added)
	if len(p.list) > fewProperties {
		if p.index == nil {
			p.index = map[string]*property{}
		}
		for _, prop := range p.list {
			p.index[prop.name] = prop
		}
	}
	return added
}

// find returns the property of a name, or nil if there is none.
func (p *properties) find(name []byte) *property {
	if len(p.list) > fewProperties {
		return p.index[string(name)]
	}
	for _, prop := range p.list {
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
