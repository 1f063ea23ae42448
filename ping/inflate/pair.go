package inflate

// MaxOpen is the largest number of bodies of a Pair that can be open, that is begun and not finished.
const MaxOpen = 3

// WorthPair is the size of bodies from which on a Pair saves time. Smaller ones are decoded one after the other.
const WorthPair = worthSteps

// maxSpare is the size of the largest buffer that a Pair reuses.
const maxSpare = 4 << 20

// Pair decompresses gzip bodies. It decodes two at the same time on one core, alternately one symbol of each: a
// symbol depends on the previous one of its own body, but not on those of another body.
//
// Start begins bodies, and Finish returns them in the same order. For speed MaxOpen bodies should be open
// whenever Finish is called: two that are decoded, and one to continue with if the second ends before the
// first. The zero value is ready. Two goroutines must not use a Pair at once. It holds tables of some 75 KB.
type Pair struct {
	slots [MaxOpen]slot
	first int // the slot of the next Finish
	open  int // number of slots in use
	spare [][]byte
}

// slot holds a body and its decoder.
type slot struct {
	unzip
	body  []byte // the whole body
	d     Decoder
	ended bool
}

// Start begins a body. It takes the arguments of Gunzip. The caller must not touch the memory of dst and src
// until Finish has returned this body. If dst is nil, Start uses memory that Recycle received.
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

// Recycle takes the memory of an unpacked body that nobody reads any more, and reuses it for later bodies.
func (p *Pair) Recycle(memory []byte) {
	if c := cap(memory); c > 0 && c <= maxSpare && len(p.spare) < MaxOpen {
		p.spare = append(p.spare, memory)
	}
}

// Open returns the number of bodies that were begun and not finished.
func (p *Pair) Open() int { return p.open }

// Next reports whether Finish will return this body next. It compares the memory, not the content.
func (p *Pair) Next(body []byte) bool {
	next := p.slot(0).body
	return p.open > 0 && len(body) > 0 && len(next) == len(body) && &next[0] == &body[0]
}

// Finish returns the result of Gunzip for the oldest open body.
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

// slot returns the slot of the i-th open body, counted from the one that Finish returns next.
func (p *Pair) slot(i int) *slot { return &p.slots[(p.first+i)%MaxOpen] }

// other returns the next body that can be decoded together with the first one, or nil.
func (p *Pair) other() *slot {
	for i := 1; usePairs && i < p.open; i++ {
		if s := p.slot(i); !s.resume(true) {
			return s
		}
	}
	return nil
}

// Reset drops all open bodies.
func (p *Pair) Reset() {
	for i := range p.slots {
		p.slots[i].unzip, p.slots[i].body = unzip{}, nil
		p.slots[i].d.close()
	}
	p.first, p.open = 0, 0
}

// resume continues the body and returns true at its end. With pair set it returns false as soon as pairStep can
// continue.
func (s *slot) resume(pair bool) bool {
	if !s.ended {
		s.d.pair = pair
		s.ended = s.unzip.resume(&s.d)
	}
	return s.ended
}
