package live

import (
	"bytes"
	"sync"

	"github.com/pingmill/pingmill/ping"
)

// maxQueueBytes is the limit of queued pings in bytes. Beyond it, rows become visible with their load.
const maxQueueBytes = 64 << 20

// event is a notification from decoding: a ping, or the end of the pings since the last end.
type event struct {
	kind eventKind
	meta ping.Meta
	body []byte
	form form
	load string // that was committed
	gap  bool   // not all of its pings are events
	day  ping.Day
}

// form is the form of a ping's body.
type form uint8

const (
	plain    form = iota
	gzip          // as archive.IsPacked says
	prepared      // its rows, see etl.Preparer
)

type eventKind uint8

const (
	aPing    eventKind = iota
	begun              // decoding begins behind a load, the last one of the edge
	archived           // the pings since the last end are in the archive, in a load
	dropped            // they are in none, and come again
	released           // days before one get no more rows
)

// queue passes events to one reader. Writers never wait.
type queue struct {
	wake chan struct{} // has one after something came

	mu      sync.Mutex
	events  []event
	bytes   int
	most    int
	gap     bool // a ping since the last end is no event
	refuses bool // takes no pings
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1), most: maxQueueBytes} }

// ping queues a copy of a ping, if there is space for all pings since the last end.
func (q *queue) ping(m *ping.Meta, body []byte, f form) {
	q.mu.Lock()
	q.gap = q.gap || q.refuses || q.bytes+len(body) > q.most
	if q.gap {
		q.mu.Unlock()
		return
	}
	q.bytes += len(body)
	q.events = append(q.events, event{kind: aPing, meta: own(m), body: bytes.Clone(body), form: f})
	q.mu.Unlock()
	q.signal()
}

// own copies metadata.
func own(m *ping.Meta) ping.Meta {
	c, size := *m, 0
	for f := range ping.NumMetaFields {
		if !f.IsInt() {
			size += len(m.Text(f))
		}
	}
	buf := make([]byte, 0, size)
	for f := range ping.NumMetaFields {
		if f.IsInt() || m.Text(f) == nil {
			continue
		}
		n := len(buf)
		buf = append(buf, m.Text(f)...)
		c.SetText(f, buf[n:len(buf):len(buf)])
	}
	return c
}

// end queues an event that is not a ping. If it ends a load, the next load begins without a gap.
func (q *queue) end(e event) {
	q.mu.Lock()
	if e.kind != released {
		e.gap, q.gap = q.gap, false
	}
	q.events = append(q.events, e)
	q.mu.Unlock()
	q.signal()
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// refuse makes the queue refuse pings, or accept them again from the next load on.
func (q *queue) refuse(is bool) {
	q.mu.Lock()
	q.refuses = is
	q.mu.Unlock()
}

// take removes and returns the queued events. Their bytes count until done is called.
func (q *queue) take() []event {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.events
	q.events = nil
	return all
}

// done releases the bytes of an event.
func (q *queue) done(e *event) {
	q.mu.Lock()
	q.bytes -= len(e.body)
	q.mu.Unlock()
}
