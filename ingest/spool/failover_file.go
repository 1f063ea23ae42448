package spool

import "fmt"

// begin makes the next file, to which nothing was written.
func (d *failover) begin() error {
	d.number++
	a := d.sf.newSegment(d.dir, failoverSuffix, d.number)
	header := alignedBuffer(block)
	putFileHeader(header, a.edge, a.number, 0)
	if _, err := d.sf.createFile(a, header); err != nil {
		return fmt.Errorf("second folder of the spool: %w", err)
	}
	d.file = a
	return nil
}

func (d *failover) write(batch []*entry, size int64) error {
	if d.file == nil || d.file.broken || d.file.off+size > d.file.size {
		if d.file != nil {
			d.full, d.file = append(d.full, d.file), nil
		}
		if err := d.begin(); err != nil {
			return err
		}
	}
	buf, a := d.buffer(size), d.file
	sum := a.fill(buf, batch)
	if err := a.write(buf, d.sf.o.Sync != SyncNone); err != nil {
		a.broken = true
		return fmt.Errorf("write %s: %w", a.path, err)
	}
	a.sum, a.off = sum, a.off+size
	return nil
}

// buffer returns the aligned memory of a commit.
func (d *failover) buffer(size int64) []byte {
	if size > maxBatch+block {
		return alignedBuffer(size)
	}
	if d.aligned == nil {
		d.aligned = alignedBuffer(maxBatch + block)
	}
	return d.aligned[:size]
}

// tidy removes the files once the first disk has all that is in them.
func (d *failover) tidy() error {
	d.q.mu.Lock()
	needed := d.active || d.waiting > 0
	d.q.mu.Unlock()
	if needed || len(d.full) == 0 && d.file != nil && d.file.sum.records == 0 && !d.file.broken {
		return nil
	}
	old := d.full
	if d.file != nil {
		old = append(old, d.file)
	}
	d.full, d.file = nil, nil
	for _, a := range old {
		a.close()
		d.sf.pool.add(a.path, false)
	}
	return d.begin()
}

// close ends the use of the second disk; clean says whether nothing is on it alone.
func (d *failover) close() (clean bool, err error) {
	d.once.Do(func() { close(d.end) })
	<-d.done
	d.late.Stop()
	d.q.mu.Lock()
	clean = d.waiting == 0
	d.q.mu.Unlock()
	all := d.full
	if d.file != nil {
		all = append(all, d.file)
	}
	for _, a := range all {
		a.close()
		if clean {
			if e := a.discard(); e != nil {
				err = e
			}
		}
	}
	return clean, err
}
