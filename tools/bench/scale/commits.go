package main

// pollPause is the interval in seconds at which a server polls another one's turn.
const pollPause = 0.5

// The requests of a load beside those that its files need, as package order makes them.
const (
	lookRequests  = 1 // at the last entry
	newsRequests  = 1 // for what was committed, and one for each of the loads
	beginRequests = 2
	endRequests   = 3
)

// committing is the model of decoders that commit loads to one archive.
type committing struct {
	*sim
	bucket      *bucket
	out, turn   float64 // requests of a load outside and inside its turn
	busy        bool
	done        int // loads that were committed
	requests    float64
	longest     float64 // a load waited for its turn and its commit
	sum         float64 // of these times
	perDecoder  int
	every       float64 // s between loads of a decoder; 0: one after the other
	onCommitted func(at float64)
	diesAt      float64 // a server with the turn, at this time or as soon as one has it; 0: none
}

// patience is the time in seconds to wait for a turn without any change.
const patience = 60

// decoder commits its loads from now on.
func (c *committing) decoder(left, known int) {
	if left == 0 {
		return
	}
	began := c.now
	c.request(c.out, func() { c.look(known, func(known int) { c.committed(began, left, known) }) })
}

// request waits for requests.
func (c *committing) request(n float64, then func()) {
	c.requests += n
	c.after(c.bucket.take(c.sim, n), then)
}

// look tries to get the turn. A decoder that is behind first reads what the others have committed.
func (c *committing) look(known int, then func(known int)) {
	c.request(lookRequests, func() {
		switch news := c.done - known; {
		case news > 0:
			c.request(newsRequests+float64(news), func() { c.look(known+news, then) })
		case c.busy:
			c.after(pollPause, func() { c.look(known, then) })
		default:
			c.request(beginRequests, func() {
				if c.busy || c.done > known {
					c.look(known, then)
					return
				}
				c.busy = true
				if c.diesAt > 0 && c.now > c.diesAt {
					c.diesAt = 0
					c.after(patience, func() { c.request(c.turn+endRequests, func() { then(known + 1) }) })
					return
				}
				c.request(c.turn, func() { c.request(endRequests, func() { then(known + 1) }) })
			})
		}
	})
}

func (c *committing) committed(began float64, left, known int) {
	c.busy = false
	c.done++
	took := c.now - began
	c.longest, c.sum = max(c.longest, took), c.sum+took
	if c.onCommitted != nil {
		c.onCommitted(c.now)
	}
	c.after(max(0, c.every-took), func() { c.decoder(left-1, known) })
}

// like returns the model of a measured case, with the parameters of one decoder.
func (m *Measured) like(decoders, each int, seed uint64) *committing {
	one := m.Commits[0]
	own := float64(lookRequests + newsRequests + beginRequests)
	c := &committing{
		sim: newSim(seed), perDecoder: each,
		bucket: &bucket{latency: one.Seconds / float64(one.Each) / one.Requests},
		out:    one.Requests - one.InTurn - own, turn: one.InTurn - endRequests,
	}
	for range decoders {
		c.decoder(each, 0)
	}
	return c
}
