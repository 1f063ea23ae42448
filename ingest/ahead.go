package ingest

import "github.com/pingmill/pingmill/ping/inflate"

// MaxAhead is the largest and the best number of submissions that are begun when one is decoded, itself
// included.
const MaxAhead = inflate.MaxOpen

// Ahead unpacks gzip bodies two at a time, which takes less time than one after the other: [Decoder.Begin]
// begins a body before the submissions in front of it are decoded. Submissions must be decoded in the order in
// which they were begun, with Ahead set and the same body. Ahead does not change their outcomes. The zero value
// is ready. Only one goroutine may use it at a time.
type Ahead struct {
	pair   inflate.Pair
	broken bool // a call panicked
}

// Begin begins to unpack the body of a submission that will be decoded with a. It leaves bodies that are not
// gzip, and those too small to gain from it, to Decode.
func (d *Decoder) Begin(a *Ahead, body []byte) {
	if !a.broken && a.pair.Open() < MaxAhead && len(body) >= inflate.WorthPair && recognise(body, identity, true) == gzipMethod {
		a.pair.Start(nil, body, d.unpacker.limit(len(body)))
	}
}

// Drop discards the bodies that were begun and not decoded.
func (a *Ahead) Drop() {
	a.pair.Reset()
	a.broken = false
}

// finish unpacks a body into o.unpacked if it is the oldest begun one.
func (a *Ahead) finish(body []byte, o *Outcome) {
	o.begun = nil
	if a == nil || a.broken {
		return
	}
	if !a.pair.Next(body) {
		if a.pair.Open() == MaxAhead {
			a.Drop() // one of them was not decoded and would block the others
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

// same reports whether two bodies are the same memory.
func same(a, b []byte) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
