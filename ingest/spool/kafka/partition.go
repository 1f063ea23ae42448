package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/ingest/spool"
)

const (
	maxAhead = 16 << 20 // bytes of a partition that wait for decoding
	maxPoll  = 4096     // messages at a time
)

// Partition is one partition of the topic as a spool that one decoder reads at a time; see loader.Shared. Its
// segment numbers are offsets plus the position's shift.
type Partition struct {
	c    *Consumer
	id   int32
	name string
	wake chan struct{} // of Changed

	mu       sync.Mutex
	at       spool.Position // behind what was read
	ready    []*batch       // oldest first
	waiting  int64          // bytes of them
	room     *sync.Cond     // there may be some
	failed   error          // reading ended
	mark     mark
	known    int64 // the latest mark up to which all was read
	returned int64 // watermark that was given out
	fetch    *fetch

	committed atomic.Int64 // offset up to which all is in the archive; -1: not known
	epoch     atomic.Int32 // of the record before
	end       atomic.Int64 // of the log, when it was last asked for; -1: not known
}

// batch holds messages that were read and not decoded yet: a segment.
type batch struct {
	segment spool.Segment
	records []*kgo.Record
	times   []int64             // of them
	foreign *spool.ForeignError // a batch that cannot be read, instead
}

func newPartition(c *Consumer, id int32) *Partition {
	p := &Partition{c: c, id: id, name: StreamName(c.o.Topic, id), wake: make(chan struct{}, 1)}
	p.room = sync.NewCond(&p.mu)
	p.committed.Store(-1)
	p.end.Store(-1)
	return p
}

// StreamName returns the name of a partition among the edges of an installation.
func StreamName(topic string, partition int32) string {
	return fmt.Sprintf("%s%s.%05d", streamPrefix, topic, partition)
}

const streamPrefix = "kafka."

// Name names the partition among the edges of the installation.
func (p *Partition) Name() string { return p.name }

// Resume returns an error: several processes share the spool, so it needs a position.
func (p *Partition) Resume(uint64) error {
	return errors.New("a partition goes on at a position, not behind a segment")
}

// ResumeAt continues reading at a position; messages behind it that were read before are read again. If the log
// is shorter than the position requires, or is another log, a damaged segment describes the loss.
func (p *Partition) ResumeAt(ctx context.Context, at spool.Position, watermark int64) error {
	p.stopFetch()
	now := p.c.o.Now().UnixNano()
	to, gap, err := p.locate(ctx, at, now)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.at, p.ready, p.waiting, p.failed, p.mark, p.known, p.returned = to, nil, 0, nil, mark{}, 0, watermark
	if gap != "" {
		p.gap(gap, at)
	}
	p.mu.Unlock()
	if at.Source == "" && to.Offset > 0 {
		p.c.o.Log.Warn("the log begins above offset 0: if earlier messages were submissions, they were removed before this installation decoded "+
			"the partition for the first time", "topic", p.c.o.Topic, "partition", p.id, "offset", to.Offset)
	}
	p.committed.Store(at.Offset)
	p.epoch.Store(at.Epoch)
	p.startFetch(to)
	return nil
}

// gap adds a damaged segment that ends at the present position. The lock is held.
func (p *Partition) gap(why string, before spool.Position) {
	after := p.at
	p.ready = append(p.ready, &batch{segment: spool.Segment{
		Edge: p.name, Number: after.Number(), Path: p.place(before.Offset), First: before.Last, Last: before.Last, Damage: why, After: &after,
	}})
	p.c.o.Log.Error("messages of the spool are gone", "topic", p.c.o.Topic, "partition", p.id, "offset", before.Offset, "next", after.Offset,
		"reason", why)
}

func (p *Partition) place(offset int64) string {
	return fmt.Sprintf("topic %s, partition %d, offset %d", p.c.o.Topic, p.id, offset)
}

// Changed receives after messages were read.
func (p *Partition) Changed() <-chan struct{} { return p.wake }

func (p *Partition) changed() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Sealed lists the segments that were read and not decoded yet. If reading has ended with an error, it first
// returns the segments before the error, and then the error.
func (p *Partition) Sealed() (all []spool.Segment, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.ready {
		all = append(all, b.segment)
	}
	if len(all) == 0 && p.failed != nil {
		return nil, p.failed
	}
	return all, nil
}

// Read opens a segment, once: after a failure ResumeAt reads it again.
func (p *Partition) Read(g spool.Segment, _ []byte) (spool.Records, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, b := range p.ready {
		if b.segment.Number == g.Number {
			p.ready = append(p.ready[:i:i], p.ready[i+1:]...)
			p.waiting -= g.Bytes
			p.room.Signal()
			return &records{batch: b, p: p}, nil
		}
	}
	return nil, fmt.Errorf("read %s: it was read before", g.Path)
}

// Missing returns nothing: gaps are among the segments.
func (p *Partition) Missing([]spool.Segment, uint64, bool) ([]spool.Segment, error) { return nil, nil }

// Remove records that a segment is in the archive. The brokers are notified soon.
func (p *Partition) Remove(g spool.Segment) error {
	p.committed.Store(g.After.Offset)
	p.epoch.Store(g.After.Epoch)
	return nil
}

// Keep works like Remove: the claim on the partition, in the archive, records the loss.
func (p *Partition) Keep(g spool.Segment) error { return p.Remove(g) }

// take adds messages to those that wait for decoding.
func (p *Partition) take(all []*kgo.Record) {
	if len(all) == 0 {
		return
	}
	p.mu.Lock()
	b := &batch{segment: spool.Segment{Edge: p.name, Path: p.place(p.at.Offset)}}
	for _, r := range all {
		if r.Offset < p.at.Offset {
			continue // of a compressed batch that began before
		}
		p.at.Offset, p.at.Epoch = r.Offset+1, r.LeaderEpoch
		if r.Attrs.IsControl() {
			continue
		}
		p.at.Last = max(r.Timestamp.UnixNano(), p.at.Last+1, p.returned+1)
		b.records, b.times = append(b.records, r), append(b.times, p.at.Last)
		b.segment.Bytes += int64(len(r.Value) + len(r.Key))
	}
	p.add(b)
	p.mu.Unlock()
	p.changed()
}

// add completes a batch that ends at the present position. The lock is held.
func (p *Partition) add(b *batch) {
	after := p.at
	b.segment.Number, b.segment.After, b.segment.Records = after.Number(), &after, len(b.records)
	if len(b.times) > 0 {
		b.segment.First, b.segment.Last = b.times[0], b.times[len(b.times)-1]
	}
	p.ready = append(p.ready, b)
	p.waiting += b.segment.Bytes
}
