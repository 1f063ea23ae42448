package ping

// block describes 64 bytes of a document as bitmaps; bit i is byte i. open, close and sep exclude bytes inside
// strings.
type block struct {
	quote uint64 // '"' that begins or ends a string
	open  uint64 // '{' and '['
	close uint64 // '}' and ']'
	sep   uint64 // ',' and ':'
}

// indexFlags describes properties of a whole document.
type indexFlags uint8

const (
	openString indexFlags = 1 << iota // the document ends inside a string
	backslash                         // some byte is '\\'
	nonASCII                          // some byte is 0x80 or more
	control                           // a byte below 0x20 is inside a string
)

// index describes b in blocks. There must be (len(b)+63)/64+1 blocks: the last one is a sentinel of zeros, as
// are the bits past the end of b.
//
// A byte is escaped if the byte before it is a backslash that is not escaped itself, inside and outside of
// strings. b may hold any bytes, not only JSON. index records in slash which parts have a backslash.
func index(b []byte, blocks []block, slash partFlags) (flags indexFlags) {
	var s indexState
	for first := 0; first < len(blocks)-1; first += partBlocks {
		last := min(first+partBlocks, len(blocks)-1)
		s.add(b[first*64:min(last*64, len(b))], blocks[first:last], nil)
		texts := s.takeTexts()
		slash.set(first, texts)
		flags |= texts
	}
	blocks[len(blocks)-1] = block{}
	return flags | s.flags()
}

// indexState holds the state that one block passes to the next, and the state from which the flags are
// computed. It is an array because the assembly uses it too.
type indexState [5]uint64

const (
	stateEscaped   = iota // 1 when the next byte is escaped
	stateInside           // all ones when the next byte is inside a string
	stateBackslash        // not zero when a backslash was seen
	stateControl          // not zero when a control character was seen in a string
	stateNonASCII         // not zero when a byte above 0x7f was seen
)

// add appends the description of b, which continues the bytes of earlier calls, to blocks and, unless that is
// nil, to class. Only the last call may have a length that is not a multiple of 64.
func (s *indexState) add(b []byte, blocks []block, class []classes) {
	n := len(b) / 64
	if n > 0 {
		s.addBlocks(b[:n*64], blocks[:n], class)
	}
	if n*64 < len(b) {
		tail := blankBlock
		copy(tail[:], b[n*64:])
		if class != nil {
			class = class[n:]
		}
		s.addBlocks(tail[:], blocks[n:n+1], class)
	}
}

// blankBlock pads the last block: blanks set no bit and no flag.
var blankBlock = [64]byte([]byte("                                                                "))

// addBlocks works like add, for len(blocks) times 64 bytes.
func (s *indexState) addBlocks(b []byte, blocks []block, class []classes) {
	if useVectors {
		s.addVectors(b, blocks)
		if class != nil {
			classifyVectors(b, class[:len(blocks)])
		}
	} else {
		s.addWords(b, blocks, class)
	}
}

func (s *indexState) flags() (f indexFlags) {
	if s[stateInside] != 0 {
		f |= openString
	}
	if s[stateBackslash] != 0 {
		f |= backslash
	}
	if s[stateNonASCII] != 0 {
		f |= nonASCII
	}
	if s[stateControl] != 0 {
		f |= control
	}
	return f
}

// takeTexts returns the flags backslash and nonASCII and clears them.
func (s *indexState) takeTexts() indexFlags {
	f := s.flags() & (backslash | nonASCII)
	s[stateBackslash], s[stateNonASCII] = 0, 0
	return f
}
