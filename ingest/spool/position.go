package spool

// Position says how far a spool is decoded that several processes may decode in
// turn, such as a partition of a Kafka topic. It is part of a [Segment], and is
// kept in the archive.
type Position struct {
	// Source tells the log that offsets are of from another one of the same name.
	Source string `json:"source,omitempty"`
	// Offset is that of the next record, Epoch that of the leader that wrote the one before; -1: not known.
	Offset int64 `json:"offset"`
	Epoch  int32 `json:"epoch"`
	// Shift is what is added to offsets to make numbers of segments, which grow for
	// ever: an offset may come again in a log that was cut or made anew.
	Shift int64 `json:"shift,omitempty"`
	// Last is the timestamp of the last record, in ns since epoch: later ones have higher ones.
	Last int64 `json:"last"`
	// Lost is how many records were gone before they were read, as far as known, and
	// Gaps how often any were; Gap describes the last time.
	Lost int64  `json:"lost,omitempty"`
	Gaps int64  `json:"gaps,omitempty"`
	Gap  string `json:"gap,omitempty"`
	// GapAt is when that was found, in ns since epoch.
	GapAt int64 `json:"gapAt,omitempty"`
}

// Number is that of a segment that ends before the position.
func (p *Position) Number() uint64 { return uint64(max(0, p.Offset+p.Shift)) }

// Jump goes on at an offset that may have been there before, in another log or in
// what was cut off this one: numbers go on growing.
func (p *Position) Jump(to int64) {
	p.Shift = max(0, p.Offset+p.Shift+1-to)
	p.Offset = to
}
