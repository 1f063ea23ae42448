package ingest

// property is a member that a schema names.
type property struct {
	name     string
	node     *node
	declared bool   // false: only required, an extra otherwise
	bit      uint64 // in node.required
	quoted   string // the name as members have it, with the colon; "" unless the schema says all that is demanded
	place    int    // in walker.guesses
	quick    quick  // node's
}

// properties are the members that a schema names.
type properties struct {
	list  []*property
	index map[string]*property // of more than fewProperties
}

// fewProperties is how many names are compared one by one sooner than hashed.
const fewProperties = 12

// add finds or makes a property. Its node may be compiled after it is added.
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

// find returns the property of a name, nil when there is none.
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

// requiredName is the name of the required property with a bit.
func (p *properties) requiredName(bit uint64) string {
	for _, prop := range p.list {
		if prop.bit == bit {
			return prop.name
		}
	}
	return ""
}
