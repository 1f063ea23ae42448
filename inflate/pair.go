package inflate

// Pair unpacks gzip bodies, of which it decodes two at the same time on one core: by turns a symbol of one and a
// symbol of the other, since the next symbol has to wait for the one before, but not for those of another body.
//
// Bodies are begun by Start and come back from Finish in the same order. For speed there should be two that are
// begun and not finished whenever Finish is called; there cannot be more. The zero value is ready. A Pair must
// not be used by two goroutines at once. It holds tables of some 50 KB.
type Pair struct {
	slots [2]slot
	first int // the slot of the next Finish
	open  int // how many are in use
}

// slot is a body and its decoder.
type slot struct {
	unzip
	d     Decoder
	ended bool
}

// Start begins a body. The arguments are those of Gunzip; the memory of dst and src must not be touched until
// Finish has returned this body.
func (p *Pair) Start(dst, src []byte, limit int) {
	if p.open == len(p.slots) {
		panic("inflate: a third body for a pair")
	}
	s := &p.slots[(p.first+p.open)%len(p.slots)]
	s.unzip, s.ended = newUnzip(dst, src, limit), false
	p.open++
}

// Finish returns for the body that was begun first of those that are not finished what Gunzip would.
func (p *Pair) Finish() ([]byte, error) {
	if p.open == 0 {
		panic("inflate: no body was begun")
	}
	s, other := &p.slots[p.first], &p.slots[1-p.first]
	for {
		both := usePairs && p.open == 2 && !s.ended && !other.resume(true)
		if s.resume(both) {
			break
		}
		pairStep(&s.d, &other.d)
	}
	p.first = 1 - p.first
	p.open--
	out, err := s.out, s.err
	s.unzip = unzip{}
	return out, err
}

// Reset forgets the bodies that were begun and not finished.
func (p *Pair) Reset() {
	for i := range p.slots {
		p.slots[i].unzip = unzip{}
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
