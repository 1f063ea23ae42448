package spool

// Position is the decoding position of a spool that several processes may decode in turn, such as a partition
// of a Kafka topic. It is part of a [Segment], and is stored in the archive.
type Position struct {
	// Source distinguishes the log to which the offsets belong from another one of the same name.
	Source string `json:"source,omitempty"`
	// Offset is the offset of the next record, Epoch the leader epoch of the previous record; -1: not known.
	Offset int64 `json:"offset"`
	Epoch  int32 `json:"epoch"`
	// Shift is added to offsets to make segment numbers, which never decrease: an offset may be reused in a log
	// that was truncated or created again.
	Shift int64 `json:"shift,omitempty"`
	// Last is the timestamp of the last record, in ns since epoch: later records have higher ones.
	Last int64 `json:"last"`
	// Lost is the known number of records that were deleted before they were read, and Gaps the number of such
	// gaps; Gap describes the last one.
	Lost int64  `json:"lost,omitempty"`
	Gaps int64  `json:"gaps,omitempty"`
	Gap  string `json:"gap,omitempty"`
	// GapAt is the time at which the last gap was found, in ns since epoch.
	GapAt int64 `json:"gapAt,omitempty"`
}

// Number returns the number of a segment that ends before the position.
func (p *Position) Number() uint64 { return uint64(max(0, p.Offset+p.Shift)) }

// Jump moves to an offset that may have been used before, in another log or in a truncated part of this one.
// Segment numbers continue to grow.
func (p *Position) Jump(to int64) {
	p.Shift = max(0, p.Offset+p.Shift+1-to)
	p.Offset = to
}
