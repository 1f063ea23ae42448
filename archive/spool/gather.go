package spool

// pace decides how long the committer gathers before it writes.
type pace struct{}

func (s *Spool) gather() {}
