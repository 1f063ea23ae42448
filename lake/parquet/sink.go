package parquet

import "io"

// sink gathers what is written to a file.
type sink struct {
	w      io.Writer
	out    []byte // not yet written
	offset int64  // of out in the file
	part   *sink  // gets what is added, too; nil: none
}

// add gathers data.
func (s *sink) add(data []byte) {
	s.out = append(s.out, data...)
	if s.part != nil {
		s.part.out = append(s.part.out, data...)
	}
}

// flushBytes is the size of writes that is aimed at.
const flushBytes = 1 << 20

// end returns the offset in the file of the next write.
func (s *sink) end() int64 { return s.offset + int64(len(s.out)) }

// flush writes out what has gathered if it is at least as much as given.
func (s *sink) flush(least int) error {
	if s.part != nil {
		if err := s.part.flush(least); err != nil {
			return err
		}
	}
	if len(s.out) < least {
		return nil
	}
	n, err := s.w.Write(s.out)
	s.offset += int64(n)
	if err == nil && n < len(s.out) {
		err = io.ErrShortWrite
	}
	s.out = s.out[:0]
	return err
}

// through writes data after all that has gathered, without copying it.
func (s *sink) through(data []byte) error {
	if err := s.flush(0); err != nil {
		return err
	}
	gathered := s.out
	s.out = data
	err := s.flush(0)
	s.out = gathered
	return err
}
