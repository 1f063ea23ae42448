package ingest

// room returns the bucket of an index, created if it is new, and makes room for one more URI.
func (d *Duplicates) room(index int64) *bucket {
	b := d.buckets[index]
	if b == nil {
		for len(d.buckets) >= liveBuckets && !d.anyOrder {
			d.expire(d.oldest(nil))
		}
		b = d.begin(index)
	}
	for d.uris >= d.max && len(d.buckets) > 1 {
		d.forget(b)
	}
	if d.uris >= d.max { // all are of this bucket
		d.forget(nil)
		b = d.begin(index)
	}
	return b
}

// begin creates an empty bucket.
func (d *Duplicates) begin(index int64) *bucket {
	b := &bucket{index: index, born: d.epoch}
	d.buckets[index] = b
	return b
}

// oldest returns the bucket that received no URI for the longest time, the earliest if there are several. It
// does not return keep.
func (d *Duplicates) oldest(keep *bucket) *bucket {
	var o *bucket
	for _, b := range d.buckets {
		if b != keep && (o == nil || d.sooner(b, o)) {
			o = b
		}
	}
	return o
}

// sooner reports whether b is removed before o.
func (d *Duplicates) sooner(b, o *bucket) bool {
	if b.newest != o.newest && !d.anyOrder {
		return b.newest < o.newest
	}
	return b.index < o.index
}

// expire removes a bucket. Its entries are removed when their shard is next cleaned.
func (d *Duplicates) expire(b *bucket) {
	delete(d.buckets, b.index)
	d.uris -= b.uris
	d.epoch++
}

// forget removes a bucket before its time and returns its index.
func (d *Duplicates) forget(keep *bucket) int64 {
	b := d.oldest(keep)
	d.forgotten += int64(b.uris)
	d.expire(b)
	return b.index
}

// shard returns the shard of an entry, without entries of removed buckets. Each call also cleans one more
// shard, so that none holds such entries for long.
func (d *Duplicates) shard(e entry) *shard {
	d.clean(&d.shards[d.sweep])
	d.sweep = (d.sweep + 1) % numShards
	s := &d.shards[e.hi>>(64-shardBits)]
	d.clean(s)
	return s
}

// clean removes the entries of removed buckets from a shard. Entries are added only to clean shards. So an
// entry with the time of a bucket that was created after the shard's last cleaning belongs to an earlier,
// removed bucket.
func (d *Duplicates) clean(s *shard) {
	if s.epoch == d.epoch {
		return
	}
	if s.used > 0 {
		var last *bucket
		s.retain(func(e entry) bool {
			index := floorDiv(e.at, d.width)
			if last == nil || last.index != index {
				last = d.buckets[index]
			}
			return last != nil && last.born <= s.epoch
		})
	}
	s.epoch = d.epoch
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// distance returns |a-b|, exact for all values.
func distance(a, b int64) uint64 {
	if a < b {
		return uint64(b) - uint64(a)
	}
	return uint64(a) - uint64(b)
}
