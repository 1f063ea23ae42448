package ingest

import "github.com/pingmill/pingmill/ping/inflate"

// MaxAhead is how many submissions should be begun when one of them is decoded, itself included. No more can be.
const MaxAhead = inflate.MaxOpen

// Ahead unpacks gzip bodies two at a time, which takes less time than one after the other: a body is begun, by
// [Decoder.Begin], before the submissions in front of it are decoded. Submissions are decoded in the order in which they
// were begun, with Ahead set and the same body. It makes no difference to their outcomes. The zero value is ready. It is
// for one goroutine at a time.
type Ahead struct {
	pair   inflate.Pair
	broken bool // something panicked
}

// Begin begins to unpack the body of a submission that will be decoded with a. What is not gzip is left to Decode.
func (d *Decoder) Begin(a *Ahead, body []byte) {
	if !a.broken && a.pair.Open() < MaxAhead && recognise(body, identity, true) == gzipMethod {
		a.pair.Start(nil, body, d.unpacker.limit(len(body)))
	}
}

// Drop forgets the bodies that were begun and not decoded.
func (a *Ahead) Drop() {
	a.pair.Reset()
	a.broken = false
}

// finish unpacks a body into o.unpacked, if it is the one that was begun first.
func (a *Ahead) finish(body []byte, o *Outcome) {
	o.begun = nil
	if a == nil || a.broken {
		return
	}
	if !a.pair.Next(body) {
		if a.pair.Open() == MaxAhead {
			a.Drop() // one of them has not been decoded, and would be in the way for ever
		}
		return
	}
	a.broken = true // unless Finish returns
	out, err := a.pair.Finish()
	a.broken = false
	a.pair.Recycle(o.unpacked)
	o.unpacked = out
	o.begun, o.begunErr = body, err
}

// same reports whether two bodies are the same piece of memory.
func same(a, b []byte) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
