package inflate

import (
	"fmt"
	"math"
	"sync"
)

// Decoder decompresses whole buffers. It holds tables of some 25 KB, so calls do not allocate if dst has enough
// room. The zero value is ready. Two goroutines must not use a Decoder at once; the functions of the package
// use Decoders from a pool.
type Decoder struct {
	buf   uint64 // bits taken from the input and not yet used, lowest first; fewer than 8 between calls of run
	nbuf  uint   // number of bits in buf
	pos   int    // index of the next byte of input
	mode  mode
	final bool // the block is the last one
	left  int  // bytes left of a stored block

	src  []byte // input of the stream that open began
	out  output
	pair bool   // resume stops as soon as pairLoop can continue
	bad  status // the reason if pairLoop met bad data
	err  error  // how the stream ended

	codes *codes // of the block: own or the fixed tables
	own   codes
	lit   codeBuilder
	dist  codeBuilder
	steps stepBuilder
	lens  [maxLit + maxDist + wordSize]uint8 // see lengths
	pre   [1 << preBits]uint8
}

// mode is the next thing in the stream.
type mode uint8

const (
	blockHeader mode = iota
	storedBytes
	symbols
	streamEnd
)

var pool = sync.Pool{New: func() any { return new(Decoder) }}

// Inflate works like Decoder.Inflate, with a Decoder from a pool.
func Inflate(dst, src []byte, limit int) (out []byte, used int, err error) {
	d := pool.Get().(*Decoder)
	defer pool.Put(d)
	return d.Inflate(dst, src, limit)
}

// Inflate appends to dst the contents of the raw deflate stream (RFC 1951) at the start of src. used is the
// number of bytes of src that belong to the stream. If limit is greater than zero and the output of this call
// would be larger, the error is ErrTooLarge; then little more memory than limit bytes was allocated.
//
// After an error, out holds the bytes decoded before it, at most limit bytes. Inflate uses the capacity of dst
// beyond its length as working space, so bytes after out may have changed too.
func (d *Decoder) Inflate(dst, src []byte, limit int) (out []byte, used int, err error) {
	return d.inflate(dst, src, outputEnd(dst, limit), times(len(src), 4))
}

// outputEnd returns the index in dst and its extensions at which output must end.
func outputEnd(dst []byte, limit int) int {
	if limit <= 0 || limit > math.MaxInt-slack-len(dst) {
		return math.MaxInt - slack
	}
	return len(dst) + limit
}

// inflate works like Inflate. It takes the result of outputEnd and a guess of the size of the output.
func (d *Decoder) inflate(dst, src []byte, end, guess int) (out []byte, used int, err error) {
	d.open(dst, src, end, guess)
	d.resume()
	return d.close()
}

// output is the destination of a stream.
type output struct {
	dst  []byte // working space: all bytes that may be used
	base int    // start of the stream in dst
	op   int    // end of the decoded bytes
	want int    // guessed end
	end  int    // limit of the end
}

// open begins a stream; it takes the arguments of inflate.
func (d *Decoder) open(dst, src []byte, end, guess int) {
	d.reset()
	base := len(dst)
	d.src, d.err = src, nil
	d.out = output{dst[:min(cap(dst), end+slack)], base, base, base + guess, end}
	if len(d.out.dst)-base < slack {
		d.out.grow()
	}
}

// resume decodes the stream and returns true at its end. If d.pair is set, it returns false as soon as pairLoop
// can continue.
func (d *Decoder) resume() bool {
	for o := &d.out; ; o.grow() {
		st := d.bad
		if st == needInput {
			o.op, st = d.run(o.dst, o.op, o.base, d.src)
		}
		switch {
		case st == inStep:
			return false
		case o.op > o.end, st == needRoom && len(o.dst)-slack >= o.end:
			o.op = min(o.op, o.end)
			d.err = fmt.Errorf("inflate at byte %d: %w", d.pos, ErrTooLarge)
			return true
		case st == done:
			return true
		case st != needRoom:
			d.err = streamError(st, int64(d.pos))
			return true
		}
	}
}

// close returns the results of inflate and drops the references to them.
func (d *Decoder) close() (out []byte, used int, err error) {
	out, err = d.out.dst[:d.out.op], d.err
	d.src, d.out, d.err = nil, output{}, nil
	return out, d.pos, err
}

// grow makes dst at least twice as large, with room for want bytes and the slack, but not beyond end. If that
// is more than half of end, it grows to end at once.
func (o *output) grow() {
	want := max(o.want, times(o.op, 2), minGrow)
	if want > o.end/2 {
		want = o.end
	}
	bigger := make([]byte, want+slack)
	copy(bigger, o.dst[:o.op])
	o.dst = bigger
}

// minGrow avoids many small steps after a tiny guess.
const minGrow = 1 << 10

// times returns n*by, or the largest int if the product is larger.
func times(n, by int) int {
	if n > math.MaxInt/by {
		return math.MaxInt
	}
	return n * by
}

// reset prepares for a new stream.
func (d *Decoder) reset() {
	d.buf, d.nbuf, d.pos, d.mode, d.final, d.bad = 0, 0, 0, blockHeader, false, needInput
}

// run decodes from src[d.pos:] to dst[op:] and returns the new op. It stops at the end of the stream (done), if
// src is used up (needInput), if at most slack bytes of dst are left (needRoom), or if the data is bad. Matches
// may refer to dst[base:op]. After needInput and needRoom it can be called again with src and dst extended or
// moved, if d.pos, op and base are moved along. The decoder stops between symbols and uses no byte of an
// incomplete symbol or block header.
func (d *Decoder) run(dst []byte, op, base int, src []byte) (int, status) {
	for {
		st := done
		switch d.mode {
		case blockHeader:
			st = d.header(src)
		case storedBytes:
			op, st = d.storedBytes(dst, op, src)
		case symbols:
			op, st = d.symbols(dst, op, base, src)
		case streamEnd:
			return op, done
		}
		if st != done {
			return op, st
		}
	}
}

// blockDone sets the mode that follows a block.
func (d *Decoder) blockDone() {
	d.mode = blockHeader
	if d.final {
		d.mode = streamEnd
	}
}

// storedBytes copies as much of a stored block as src and dst allow.
func (d *Decoder) storedBytes(dst []byte, op int, src []byte) (int, status) {
	n := max(0, min(d.left, len(src)-d.pos, len(dst)-slack-op))
	copy(dst[op:op+n], src[d.pos:])
	d.pos += n
	d.left -= n
	switch {
	case d.left == 0:
		d.blockDone()
		return op + n, done
	case d.pos == len(src):
		return op + n, needInput
	}
	return op + n, needRoom
}

// worthSteps is the number of input bytes from which on building the steps of a block saves time.
const worthSteps = 1500

// symbols decodes as much of a compressed block as src and dst allow.
func (d *Decoder) symbols(dst []byte, op, base int, src []byte) (int, status) {
	if !d.codes.fast && len(src)-d.pos >= worthSteps {
		d.steps.build(d.codes, &d.lit)
	}
	st := needInput
	if d.codes.fast {
		if d.pair && d.pos <= len(src)-pairIn && op <= len(dst)-slack {
			return op, inStep
		}
		op, st = d.fast(dst, op, base, src)
	} else {
		op, st = d.plain(dst, op, base, src)
	}
	if st == needInput {
		op, st = d.careful(dst, op, base, src)
	}
	if st == done {
		d.blockDone()
	}
	return op, st
}
