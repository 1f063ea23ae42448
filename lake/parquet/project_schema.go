package parquet

// schemaNode is an element of a schema as it is in the footer.
type schemaNode struct {
	element
	raw []byte
}

// schema writes the elements that lead to leaves that are kept.
func (p *projection) schema(in *thriftReader) {
	n := in.list(thriftStruct)
	nodes := make([]schemaNode, 0, min(n, 1<<14))
	for range n {
		start := in.data
		e := readElement(in)
		nodes = append(nodes, schemaNode{e, start[:len(start)-len(in.data)]})
	}
	if in.err != nil {
		return
	}
	var elements [][]byte
	if len(nodes) > 0 {
		nodes = p.node(nodes, nil, true, &elements)
	}
	if len(nodes) > 0 {
		p.fail(errMetadata)
	}
	p.out.list(2, thriftStruct, len(elements))
	for _, raw := range elements {
		p.out.buf = append(p.out.buf, raw...)
	}
}

// node appends the first node and those below it to elements, as far as they lead to leaves that are kept, and returns the nodes
// after them.
func (p *projection) node(nodes []schemaNode, path []string, root bool, elements *[][]byte) []schemaNode {
	n := nodes[0]
	nodes = nodes[1:]
	if !root {
		path = append(path, n.name)
	}
	if n.children == 0 {
		p.selected = append(p.selected, !root && p.keep(path))
		if p.selected[len(p.selected)-1] {
			*elements = append(*elements, n.raw)
		}
		return nodes
	}
	at, children := len(*elements), 0
	*elements = append(*elements, nil)
	for range n.children {
		if len(nodes) == 0 || len(path) > maxNesting {
			p.fail(errMetadata)
			return nil
		}
		before := len(*elements)
		nodes = p.node(nodes, path, false, elements)
		if len(*elements) > before {
			children++
		}
	}
	if children == 0 && !root {
		*elements = (*elements)[:at]
		return nodes
	}
	var w thriftWriter
	in := &thriftReader{data: n.raw}
	w.copyStruct(in, func(id int, kind byte) bool {
		if id != 5 || kind != thriftI32 {
			return false
		}
		in.number()
		w.i32(5, children)
		return true
	})
	(*elements)[at] = w.buf
	return nodes
}
