package inflate

// MaxOpen is how many bodies of a Pair can be begun and not finished.
const MaxOpen = 3

// maxSpare is the largest memory that a Pair keeps for other bodies.
const maxSpare = 4 << 20

// Pair unpacks gzip bodies, of which it decodes two at the same time on one core: by turns a symbol of one and a
// symbol of the other, since the next symbol has to wait for the one before, but not for those of another body.
//
// Bodies are begun by Start and come back from Finish in the same order. For speed there should be MaxOpen
// whenever Finish is called: two that are decoded, and one to go on with when the second ends before the first.
// The zero value is ready. A Pair must not be used by two goroutines at once. It holds tables of some 75 KB.
type Pair struct {
	slots [MaxOpen]slot
	first int // the slot of the next Finish
	open  int // how many are in use
	spare [][]byte
}

// slot is a body and its decoder.
type slot struct {
	unzip
	body  []byte // all of it
	d     Decoder
	ended bool
}

// Start begins a body. The arguments are those of Gunzip; the memory of dst and src must not be touched until
// Finish has returned this body. With dst nil it uses what Recycle was given.
func (p *Pair) Start(dst, src []byte, limit int) {
	if p.open == MaxOpen {
		panic("inflate: too many bodies for a pair")
	}
	if n := len(p.spare); n > 0 && dst == nil {
		dst, p.spare = p.spare[n-1][:0], p.spare[:n-1]
	}
	s := p.slot(p.open)
	s.unzip, s.body, s.ended = newUnzip(dst, src, limit), src, false
	p.open++
}

// Recycle takes the memory of what was unpacked, which nobody reads any more, for bodies that come.
func (p *Pair) Recycle(memory []byte) {
	if c := cap(memory); c > 0 && c <= maxSpare && len(p.spare) < MaxOpen {
		p.spare = append(p.spare, memory)
	}
}

// Open is how many bodies have been begun and not finished.
func (p *Pair) Open() int { return p.open }

// Next reports whether a body, that very piece of memory, is what Finish returns next.
func (p *Pair) Next(body []byte) bool {
	next := p.slot(0).body
	return p.open > 0 && len(body) > 0 && len(next) == len(body) && &next[0] == &body[0]
}

// Finish returns for the body that was begun first of those that are not finished what Gunzip would.
func (p *Pair) Finish() ([]byte, error) {
	if p.open == 0 {
		panic("inflate: no body was begun")
	}
	s := p.slot(0)
	for !s.ended {
		other := p.other()
		if s.resume(other != nil) {
			break
		}
		pairStep(&s.d, &other.d)
	}
	p.first = (p.first + 1) % MaxOpen
	p.open--
	out, err := s.out, s.err
	s.unzip, s.body = unzip{}, nil
	return out, err
}

// slot is that of the body that was begun as the i-th after the next one to finish.
func (p *Pair) slot(i int) *slot { return &p.slots[(p.first+i)%MaxOpen] }

// other is the next body that can be decoded in step with the first one, or nil.
func (p *Pair) other() *slot {
	for i := 1; usePairs && i < p.open; i++ {
		if s := p.slot(i); !s.resume(true) {
			return s
		}
	}
	return nil
}

// Reset forgets the bodies that were begun and not finished.
func (p *Pair) Reset() {
	for i := range p.slots {
		p.slots[i].unzip, p.slots[i].body = unzip{}, nil
		p.slots[i].d.close()
	}
	p.first, p.open = 0, 0
}

// resume goes on to the end, and then is true, or with pair to where pairStep can go on.
func (s *slot) resume(pair bool) bool {
	if !s.ended {
		s.d.pair = pair
		s.ended = s.unzip.resume(&s.d)
	}
	return s.ended
}
