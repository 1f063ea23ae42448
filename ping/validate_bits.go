package ping

import "math/bits"

// checker proves a document valid 64 bytes at a time. In JSON's grammar the previous token and the kind of the
// enclosing container decide whether a token is allowed. The previous token is found by a shift of bitmaps,
// across white space by an addition. The container changes only at brackets; only brackets, and numbers and
// names that are not just digits, are read one by one.
//
// The words are carried from block to block. All except inside and kinds are 0 or 1 and belong to the first bit
// of the next block. The assembly depends on the order of the fields up to found.
type checker struct {
	inside     uint64 // all ones in a string
	inKey      uint64 // in a string that is a name, or at its closing quote
	inScalar   uint64 // the last byte was part of a number or a literal name
	afterZero  uint64 // the last byte was the first of a number and '0'
	afterOpen  uint64 // the previous token is an opening bracket
	afterValue uint64 // … ends a value
	afterKey   uint64 // … is a name
	wantKey    uint64 // … is '{', or ',' in an object; if none of these, a value is wanted
	opened     uint64 // the last byte opened a string
	kinds      uint64 // by level, 1 for an object and 0 for an array, the innermost lowest
	found      int    // how many ends has

	ends    *ends
	flags   indexFlags // backslash and nonASCII, of all parts
	run     indexFlags // the same, of the run of parts that began at runFrom
	runFrom int
	depth   int
	checked int        // end of the last checked scalar
	deep    bool       // kinds is full: the stack is used from now on
	stack   [1024]byte // by level, as kinds
}

// noLevel is at the bottom of the stack; no bracket closes it. Its lowest bit makes the outermost level an
// array.
const noLevel = 2

func (c *checker) init() { c.stack[0] = noLevel }

// check proves the blocks from number first on, or returns false. It writes to rare the bytes that Doc.Counts
// does not accept: all except digits, separators, closing brackets and the quotes of names that are not empty.
func (c *checker) check(b []byte, first int, blocks []block, class []classes, rare []uint64) bool {
	class, rare = class[:len(blocks)], rare[:len(blocks)]
	for i := 0; i < len(blocks); {
		n, ok := c.common(b, (first+i)*64, blocks[i:], class[i:], rare[i:])
		if !ok {
			return false
		}
		// Uncommon blocks are rarely alone.
		i += n
		for end := min(i+4, len(blocks)); i < end; i++ {
			if !c.block(b, (first+i)*64, &blocks[i], &class[i], &rare[i]) {
				return false
			}
		}
	}
	return true
}

// block proves one block, which begins at base.
func (c *checker) block(b []byte, base int, k *block, class *classes, rare *uint64) bool {
	in := prefixXor(k.quote) ^ c.inside
	c.inside = uint64(int64(in) >> 63)
	openQuote, closeQuote := k.quote&in, k.quote&^in
	white := class.white &^ in
	scalar := ^(in | k.quote | k.open | k.close | k.sep | white)
	comma, colon := k.sep&class.comma, k.sep&^class.comma

	depth := c.depth
	object, outer, ok := c.brackets(b, base, k)
	if outer && comma&outside(depth, k) != 0 {
		return false
	}

	// The bits at which the token after an opening bracket begins, and so on.
	var afterOpen, wantKey, afterKey, afterValue, keyEnd uint64
	afterOpen, c.afterOpen = follow(k.open, c.afterOpen, white)
	wantKey, c.wantKey = follow((k.open|comma)&object, c.wantKey, white)
	// Adding to the first bit of a run of ones, here a string's, carries to the
	// place after the run, the closing quote.
	keyEnd, c.inKey = bits.Add64(in, openQuote&wantKey, c.inKey)
	keyEnd &^= in
	afterKey, c.afterKey = follow(keyEnd, c.afterKey, white)
	beforeScalar := scalar<<1 | c.inScalar
	c.inScalar = scalar >> 63
	end := closeQuote&^keyEnd | k.close
	afterValue, c.afterValue = end<<1|c.afterValue|beforeScalar&^scalar, end>>63
	if white != 0 {
		var past uint64
		afterValue, past = across(afterValue, white)
		c.afterValue |= past
	}

	begin := scalar &^ beforeScalar
	zero := class.zero & begin
	bad := k.close &^ (afterOpen | afterValue)
	bad |= colon &^ afterKey
	bad |= comma &^ afterValue
	bad |= (k.open | begin) & (afterValue | afterKey | wantKey)
	bad |= openQuote & (afterValue | afterKey)
	bad |= (zero<<1 | c.afterZero) & class.digit & scalar
	c.afterZero = zero >> 63
	common := class.digit | k.sep | k.close | openQuote&wantKey | closeQuote&^(openQuote<<1|c.opened)
	*rare = ^common
	c.opened = openQuote >> 63
	if bad != 0 || !ok {
		return false
	}
	other := scalar &^ class.digit
	return other == 0 || c.scalars(b, base, other)
}

// follow returns the bits at which the tokens begin that follow the tokens ending at the bits of end, and
// whether one begins in the next block.
func follow(end, carry, white uint64) (at, next uint64) {
	if at, next = end<<1|carry, end>>63; white != 0 {
		var past uint64
		at, past = across(at, white)
		next |= past
	}
	return at, next
}

// across moves bits at the beginning of white space to its end.
func across(at, white uint64) (moved, carry uint64) {
	sum, carry := bits.Add64(at&white, white, 0)
	return (sum | at) &^ white, carry
}

// brackets pushes and pops a block's brackets. It returns the bytes that are in objects rather than arrays,
// where each bracket belongs to the bytes after it, and whether any byte is outside of all brackets. ok is
// false if a bracket closes another kind or the nesting is too deep.
//
// Up to 63 levels are in a word. With a stack in memory each bracket would wait for the previous one, since it
// reads what that wrote.
func (c *checker) brackets(b []byte, base int, k *block) (object uint64, outer, ok bool) {
	if c.deep || c.depth+bits.OnesCount64(k.open) > 63 {
		return c.deepBrackets(b, base, k)
	}
	depth, kinds := c.depth, c.kinds
	object = -(kinds & 1)
	bottom := uint64(depth-1) >> 63
	var bad uint64
	for m := k.open | k.close; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		open := k.open >> i & 1
		is := uint64(b[base+i]) >> 5 & 1 // 1 for braces, 0 for square brackets
		was := kinds
		bad |= (was ^ is) &^ open & 1
		kinds = was >> 1
		if open != 0 {
			kinds = was<<1 | is
		}
		depth += int(2*open) - 1
		if open == 0 && uint(depth-1) < 2 {
			c.ended(base+int(i), depth)
		}
		bad |= uint64(depth) >> 63
		bottom |= uint64(depth-1) >> 63
		object ^= -((kinds ^ was) & 1) << i
	}
	c.depth, c.kinds = depth, kinds
	return object, bottom != 0, bad == 0
}

// deepBrackets is brackets for any depth.
func (c *checker) deepBrackets(b []byte, base int, k *block) (object uint64, outer, ok bool) {
	if !c.deep {
		c.deep = true
		for level := c.depth; level > 0; level-- {
			c.stack[level] = byte(c.kinds & 1)
			c.kinds >>= 1
		}
	}
	depth := c.depth
	kind := c.stack[depth&1023] & 1
	object = -uint64(kind)
	bottom := uint64(depth-1) >> 63
	var bad uint64
	for m := k.open | k.close; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		open := int(k.open>>i) & 1
		is := b[base+i] >> 5 & 1 // 1 for braces, 0 for square brackets
		level := depth + open
		slot := &c.stack[level&1023]
		bad |= uint64(*slot^is) & uint64(open-1) // for a closing one
		*slot = is
		depth = level - 1 + open
		if open == 0 && uint(depth-1) < 2 {
			c.ended(base+i, depth)
		}
		bad |= uint64(MaxDepth-depth) >> 63
		bottom |= uint64(depth-1) >> 63
		now := c.stack[depth&1023] & 1
		object ^= -uint64(now^kind) << i
		kind = now
	}
	c.depth = depth
	return object, bottom != 0, bad == 0
}

// outside returns the bytes of a block that are outside of all brackets. depth is the depth at the block's
// beginning. Few blocks have such bytes.
func outside(depth int, k *block) (m uint64) {
	if depth == 0 {
		m = ^uint64(0)
	}
	for r := k.open | k.close; r != 0; r &= r - 1 {
		before := depth
		if bit := r & -r; k.open&bit != 0 {
			depth++
		} else {
			depth--
		}
		if before == 0 || depth == 0 {
			m ^= -(r & -r)
		}
	}
	return m
}

// scalars checks the numbers and literal names; other has their bytes that are not digits.
func (c *checker) scalars(b []byte, base int, other uint64) bool {
	for {
		if past := c.checked - base; past >= 64 {
			return true
		} else if past > 0 {
			other &= ^uint64(0) << past
		}
		if other == 0 {
			return true
		}
		p := base + bits.TrailingZeros64(other)
		for p > 0 && isDigit(b[p-1]) {
			p--
		}
		end, ok := scalar(b, p)
		if !ok || end < len(b) && !endsScalar(b[end]) {
			return false
		}
		c.checked = end
	}
}

// endsScalar reports whether a number or name may end before byte c.
func endsScalar(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t', ',', ':', '"', '[', ']', '{', '}':
		return true
	}
	return false
}
