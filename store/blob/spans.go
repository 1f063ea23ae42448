package blob

import (
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"
)

const (
	// window is the smallest number of bytes of a request. An object of at most this size is read whole when it
	// is opened.
	window = 256 << 10
	// widest is the largest number of bytes of a request, used for sequential reads and for each of the
	// parallel requests of a large read. A sequential reader holds up to three times this size.
	widest = 4 << 20
	// direct is the size from which on reads bypass the windows.
	direct = 1 << 20
	// parallel is the number of concurrent requests of one large read.
	parallel = 4
)

// spans are the parts of an object that a reader has, or is fetching.
type spans struct {
	fetch func(p []byte, off int64) error // one range
	size  int64
	head  []byte // what came when it was opened

	mu      sync.Mutex
	spans   []*span // the last is the newest
	expect  int64   // where the next read is, if reads follow each other
	width   int64   // of the next span
	follows bool    // reads follow each other
	closed  bool
}

// A span is one range of the object.
type span struct {
	at, end int64
	data    []byte
	done    chan struct{} // closed when data or err is there
	err     error
	touched bool
}

// read fills p, which the object has.
func (s *spans) read(p []byte, off int64) error {
	if s.ended() {
		return fs.ErrClosed
	}
	for len(p) > 0 {
		if off < int64(len(s.head)) {
			n := copy(p, s.head[off:])
			p, off = p[n:], off+int64(n)
			continue
		}
		w, err := s.span(off, int64(len(p)))
		if err != nil {
			return err
		}
		if w == nil {
			return s.ranges(p, off)
		}
		<-w.done
		if w.err != nil {
			s.drop(w)
			return w.err
		}
		n := copy(p, w.data[off-w.at:])
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// span returns the one that has a byte, and has it fetched if there is none; nil if a large read is better served by
// itself.
func (s *spans) span(off, need int64) (*span, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fs.ErrClosed
	}
	for i, w := range s.spans {
		if off < w.at || off >= w.end {
			continue
		}
		if !w.touched && i == len(s.spans)-1 {
			s.ahead(w)
		}
		w.touched = true
		return w, nil
	}
	if need > widest || need >= direct && off != s.expect {
		return nil, nil
	}
	at := off
	if off == s.expect {
		s.width = min(max(s.width, window)*4, widest)
		s.follows = true
	} else {
		s.width, s.follows = max(need, window), false
		at = min(off, max(0, s.size-window)) // before the end reads go backwards: the footer has the offsets of earlier parts
	}
	w := s.begin(at)
	w.touched = true
	s.ahead(w)
	return w, nil
}

// ahead has the next span fetched while one is read, if reads follow each other.
func (s *spans) ahead(w *span) {
	if s.follows && w.end < s.size {
		s.width = min(s.width*4, widest)
		s.begin(w.end)
	}
}

// begin fetches a span. Three are kept: the one before, the one that is read, and the next.
func (s *spans) begin(at int64) *span {
	w := &span{at: at, end: min(at+s.width, s.size), done: make(chan struct{})}
	s.spans = append(s.spans[max(0, len(s.spans)-2):], w)
	s.expect = w.end
	go func() {
		defer close(w.done)
		data := make([]byte, w.end-w.at)
		if w.err = s.fetch(data, w.at); w.err == nil {
			w.data = data
		}
	}()
	return w
}

// drop forgets a span that could not be fetched.
func (s *spans) drop(w *span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.spans {
		if s.spans[i] == w {
			s.spans = append(s.spans[:i:i], s.spans[i+1:]...)
			return
		}
	}
}

// ranges reads much at once, by parallel requests.
func (s *spans) ranges(p []byte, off int64) error {
	if len(p) <= widest {
		return s.fetch(p, off)
	}
	var group errgroup.Group
	group.SetLimit(parallel)
	for at := 0; at < len(p); at += widest {
		group.Go(func() error { return s.fetch(p[at:min(at+widest, len(p))], off+int64(at)) })
	}
	return group.Wait()
}

func (s *spans) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *spans) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.spans = true, nil
}
