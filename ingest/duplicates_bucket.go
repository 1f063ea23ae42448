package ingest

// room returns the bucket of an index, made when it is new, and sees that one
// more URI has room.
func (d *Duplicates) room(index int64) *bucket {
	b := d.buckets[index]
	if b == nil {
		for len(d.buckets) >= liveBuckets && !d.anyOrder {
			d.expire(d.oldest(nil))
		}
		b = d.begin(index)
	}
	for d.live >= d.max && len(d.buckets) > 1 {
		d.forget(b)
	}
	if d.live >= d.max { // all are of this bucket
		d.forget(nil)
		b = d.begin(index)
	}
	return b
}

// begin makes an empty bucket.
func (d *Duplicates) begin(index int64) *bucket {
	b := &bucket{index: index, born: d.epoch}
	d.buckets[index] = b
	return b
}

// oldest is the bucket that got no URI for longest, of several the earliest. It
// is not the one that is to be kept, if there is another.
func (d *Duplicates) oldest(keep *bucket) *bucket {
	var o *bucket
	for _, b := range d.buckets {
		if b != keep && (o == nil || d.sooner(b, o)) {
			o = b
		}
	}
	return o
}

// sooner says whether a bucket is forgotten before another one.
func (d *Duplicates) sooner(b, o *bucket) bool {
	if b.turn != o.turn && !d.anyOrder {
		return b.turn < o.turn
	}
	return b.index < o.index
}

// expire removes a bucket. Its entries go when their shard is next looked after.
func (d *Duplicates) expire(b *bucket) {
	delete(d.buckets, b.index)
	d.live -= b.uris
	d.epoch++
}

// forget removes a bucket before its time and returns its index.
func (d *Duplicates) forget(keep *bucket) int64 {
	b := d.oldest(keep)
	d.forgotten += int64(b.uris)
	d.expire(b)
	return b.index
}

// shard returns the shard of an entry, without entries of forgotten buckets. It
// looks after one more each time, so that no shard keeps such entries for long.
func (d *Duplicates) shard(e entry) *shard {
	d.clean(&d.shards[d.sweep])
	d.sweep = (d.sweep + 1) % numShards
	s := &d.shards[e.hi>>(64-shardBits)]
	d.clean(s)
	return s
}

// clean removes the entries of forgotten buckets from a shard. An entry is added
// to a clean shard only. So what a shard that was last cleaned before a bucket
// was made has in that bucket's time is of an earlier bucket, which was forgotten.
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

// distance is |a-b|, exact for all values.
func distance(a, b int64) uint64 {
	if a < b {
		return uint64(b) - uint64(a)
	}
	return uint64(a) - uint64(b)
}
