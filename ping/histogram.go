package ping

// histogramNode marks a program node that wants nothing of an object except values and sum. They hold the nodes
// of these leaves, each 0 if it is not wanted.
type histogramNode struct {
	only        bool
	values, sum int32
}

// setHistogram sets n.histogram if all members of n belong to a histogramNode.
func (p *Program) setHistogram(n *progNode) {
	var h histogramNode
	for _, c := range n.table {
		if c == 0 {
			continue
		}
		switch name := p.nodes[c].name; {
		case p.nodes[c].table != nil:
			return
		case name == "values":
			h.values = c
		case name == "sum":
			h.sum = c
		default:
			return
		}
	}
	h.only = n.table != nil
	n.histogram = h
}

// Clients write histograms in this form, with numbers between these texts. Texts over 8 bytes are compared in
// two parts of up to 16 bytes.
const (
	histogramRange   = `{"range":[`
	histogramBuckets = `,"bucket_count":`
	histogramType    = `,"histogram_type` // and `":`
	histogramValues  = `,"values":{`
	histogramSum     = `,"sum":`
)

// histogram walks the histogram that opens at v, such as
// {"range":[1,10],"bucket_count":11,"histogram_type":1,"values":{"0":1},"sum":1}. It returns the position after
// it. For an object of any other form it returns 0 and records nothing. It exists because a quarter of the
// members that a scan of a ping meets belong to histograms.
func (d *Doc) histogram(h *histogramNode, v int) int {
	b, p := d.b, v+len(histogramRange)
	if p >= len(b) || string(b[v:p]) != histogramRange {
		return 0
	}
	if p = d.nextEnd(p); p < len(b) && b[p] == ',' {
		p = d.nextEnd(p + 1)
	}
	if p >= len(b) || b[p] != ']' {
		return 0
	}
	v, p = p+1, p+1+len(histogramBuckets)
	if p >= len(b) || string(b[v:p]) != histogramBuckets || !isDigit(b[p]) {
		return 0
	}
	v = d.nextEnd(p)
	p = v + len(histogramType)
	if p+2 >= len(b) || string(b[v:p]) != histogramType || b[p] != '"' || b[p+1] != ':' || !isDigit(b[p+2]) {
		return 0
	}
	v = d.nextEnd(p + 2)
	p = v + len(histogramValues)
	if p >= len(b) || string(b[v:p]) != histogramValues {
		return 0
	}
	values := span{uint32(p - 1), 0}
	v = d.skipContainer(p - 1)
	values.end = uint32(v)
	p = v + len(histogramSum)
	if v < 0 || p >= len(b) || string(b[v:p]) != histogramSum || !isDigit(b[p]) {
		return 0
	}
	end := d.nextEnd(p)
	if end >= len(b) || b[end] != '}' || b[end-1] <= ' ' {
		return 0
	}
	if h.values != 0 {
		d.spans[h.values] = values
	}
	if h.sum != 0 {
		d.spans[h.sum] = span{uint32(p), uint32(end)}
	}
	return end + 1
}
