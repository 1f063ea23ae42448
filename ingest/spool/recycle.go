package spool

// Writing over existing bytes of a file changes only these bytes. In a new file each commit also changes what the file
// system knows about the file, and making that durable takes several times as long as the bytes. So under load the
// files of removed segments become the next ones. Old bytes in them never count as a record: checksums are made with
// the segment's number.

// forgetPrepared drops a prepared segment that has bytes of an older one: without new records these must not
// remain.
func (w *writer) forgetPrepared() error {
	if !w.preparing {
		return nil
	}
	a := w.takePrepared()
	if a == nil || a.reused {
		if a != nil {
			return a.discard()
		}
		return nil
	}
	w.preparing = true
	w.next <- a
	return nil
}

// forgetIdle drops a prepared segment with bytes of an older one if no record has arrived for SegmentAge.
func (w *writer) forgetIdle() {
	if waited := w.o.Now().Sub(w.preparedAt); w.active != nil || waited >= 0 && waited < w.o.SegmentAge {
		return
	}
	if err := w.forgetPrepared(); err != nil {
		w.o.Log.Warn("give up a prepared segment", "err", err)
	}
}
