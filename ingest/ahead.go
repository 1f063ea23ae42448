package ingest

import "github.com/pingmill/pingmill/inflate"

// maxSpare is the largest document whose memory an Ahead keeps.
const maxSpare = 4 << 20

// Ahead unpacks gzip bodies two at a time, which takes less time than one after the other: a body is begun, by
// [Decoder.Begin], before the submission in front of it is decoded. Submissions are decoded in the order in which they
// were begun, with Ahead set and the same body. It makes no difference to their outcomes. The zero value is ready. It is
// for one goroutine at a time.
type Ahead struct {
	pair   inflate.Pair
	begun  [2][]byte // bodies, in order
	n      int       // how many
	spare  []byte    // memory for a document
	broken bool      // something panicked
}

// Begin begins to unpack the body of a submission that will be decoded with a. What is not gzip is left to Decode.
func (d *Decoder) Begin(a *Ahead, body []byte) {
	if a.broken || a.n == len(a.begun) || recognise(body, identity, true) != gzipMethod {
		return
	}
	a.pair.Start(a.spare[:0], body, d.unpacker.limit(len(body)))
	a.spare = nil
	a.begun[a.n] = body
	a.n++
}

// Drop forgets the bodies that were begun and not decoded.
func (a *Ahead) Drop() {
	a.pair.Reset()
	a.begun, a.n, a.broken = [2][]byte{}, 0, false
}

// finish unpacks a body into o.unpacked, if it is the one that was begun first.
func (a *Ahead) finish(body []byte, o *Outcome) {
	o.begun = nil
	if a == nil || a.broken || a.n == 0 {
		return
	}
	if !same(body, a.begun[0]) {
		if a.n == len(a.begun) {
			a.Drop() // one of them has not been decoded, and would be in the way for ever
		}
		return
	}
	a.begun = [2][]byte{a.begun[1]}
	a.n--
	a.broken = true // unless Finish returns
	out, err := a.pair.Finish()
	a.broken = false
	if cap(o.unpacked) <= maxSpare {
		a.spare = o.unpacked
	}
	o.unpacked = out
	o.begun, o.begunErr = body, err
}

// same reports whether two bodies are the same piece of memory.
func same(a, b []byte) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
