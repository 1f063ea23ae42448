package format

import "io"

const (
	minBuffer = 1 << 20

	// maxRaw is the number of bytes that a RecordError shows of a record over the limit.
	maxRaw = 1 << 20
)

// source is a stream with a window of bytes on it that grows as asked. It
// moves bytes only when half of the buffer is used up, so that every byte is
// moved a bounded number of times.
type source struct {
	r          io.Reader
	buf        []byte
	start, end int   // of the window in buf
	offset     int64 // of the window in the stream
	err        error // of r, once it has ended
}

func newSource(r io.Reader, size int) *source { return &source{r: r, buf: make([]byte, size)} }

// window returns the bytes that were read and not discarded.
func (s *source) window() []byte { return s.buf[s.start:s.end] }

// discard removes n bytes from the window's beginning. They stay valid until
// the window is lengthened.
func (s *source) discard(n int) {
	s.start += n
	s.offset += int64(n)
	if s.start == s.end {
		s.start, s.end = 0, 0
		if len(s.buf) > 16*minBuffer { // after a very long record
			s.buf = make([]byte, minBuffer)
		}
	}
}

// more lengthens the window. It is false when the stream has ended; the window
// stays. The slices of earlier windows become invalid.
func (s *source) more() bool {
	if s.err != nil {
		return false
	}
	if s.end == len(s.buf) {
		s.room()
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

func (s *source) room() {
	to := s.buf
	if s.start < len(s.buf)/2 {
		to = make([]byte, 2*len(s.buf))
	}
	s.end = copy(to, s.buf[s.start:s.end])
	s.buf, s.start = to, 0
}

// need lengthens the window to n bytes. It is false when the stream has fewer.
func (s *source) need(n int) bool {
	for s.end-s.start < n {
		if !s.more() {
			return false
		}
	}
	return true
}

// failure is the error of a stream that has ended for another reason than its
// end, or nil.
func (s *source) failure() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}
