package kafka

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/internal/clock"
)

const (
	defaultSession   = 30 * time.Second
	rebalanceTimeout = time.Minute     // for a decoder to commit what it took of partitions that it gives up
	commitInterval   = 5 * time.Second // of commits of the offsets that are in the archive
)

// Consumer is the decoder's side of the spool: a member of the consumer group, which assigns it some of the
// partitions. It uses the group only for that; the archive stores the position of each partition.
type Consumer struct {
	o      Config
	decode func(ctx context.Context, stop <-chan struct{}, p *Partition) error

	member *kgo.Client // of the group; it reads nothing
	life   context.Context
	end    context.CancelFunc

	mu    sync.Mutex
	parts map[int32]*part
	ready chan struct{} // closed: Run has said how partitions are decoded

	rebalances, errors, foreign atomic.Int64

	telling sync.Mutex
	keeps   bool      // the brokers do not let records be deleted
	failed  time.Time // when a failure to delete records was logged; zero: since the last success not
}

// part is a partition that is decoded here.
type part struct {
	*Partition

	stop  chan struct{} // closed: commit what was taken, and leave the rest
	abort context.CancelFunc
	done  chan struct{}

	reported int64 // offset that the brokers know of; under Consumer.telling
}

// NewConsumer creates the decoder's side. Unreachable brokers are not an error.
func NewConsumer(c Config) (*Consumer, error) {
	c.Session = cmp.Or(c.Session, defaultSession)
	s := &Consumer{o: c, parts: map[int32]*part{}, ready: make(chan struct{})}
	opts, err := c.client()
	if err != nil {
		return nil, err
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.member, err = kgo.NewClient(append(opts,
		kgo.ConsumerGroup(c.Group), kgo.ConsumeTopics(c.Topic), kgo.Balancers(kgo.CooperativeStickyBalancer()),
		kgo.DisableAutoCommit(), kgo.SessionTimeout(c.Session), kgo.RebalanceTimeout(rebalanceTimeout),
		kgo.OnPartitionsAssigned(s.assigned), kgo.OnPartitionsRevoked(s.revoked), kgo.OnPartitionsLost(s.lost),
	)...)
	if err != nil {
		s.end()
		return nil, fmt.Errorf("configure the consumer: %w", err)
	}
	s.member.PauseFetchTopics(c.Topic)
	return s, nil
}

// Run decodes the partitions that the group assigns to this process, each by a call of decode, until stop is
// closed or ctx ends. decode must return when its stop is closed, after it has archived what it read, or when
// its context ends. If it returns earlier it is called again after some time.
func (c *Consumer) Run(ctx context.Context, stop <-chan struct{},
	decode func(ctx context.Context, stop <-chan struct{}, p *Partition) error) error {
	c.decode = decode
	close(c.ready)
	defer context.AfterFunc(ctx, c.end)()
	var work sync.WaitGroup
	polling, quiet := context.WithCancel(c.life)
	work.Go(func() { c.poll(polling) })
	work.Go(func() {
		for clock.Wait(polling, commitInterval) == nil {
			c.commit(polling)
		}
	})
	select {
	case <-stop:
	case <-ctx.Done():
	}
	quiet()
	work.Wait()
	c.revoke(slices.Collect(maps.Keys(c.running())), false)
	leaving, done := context.WithTimeout(c.life, c.o.Session)
	defer done()
	err := c.member.LeaveGroupContext(leaving)
	c.end()
	c.member.Close()
	if err != nil && ctx.Err() == nil {
		c.o.Log.Warn("leave the group of decoders", "group", c.o.Group, "error", err)
	}
	return nil
}

// poll hears what is wrong with the membership. No messages come.
func (c *Consumer) poll(ctx context.Context) {
	for ctx.Err() == nil {
		fetches := c.member.PollFetches(ctx)
		if err := fetches.Err(); err != nil && ctx.Err() == nil {
			c.errors.Add(1)
			c.o.Log.Error("the group of decoders: it is tried again", "spool", c.o.String(), "group", c.o.Group, "error", err)
			_ = clock.Wait(ctx, time.Second)
		}
	}
}

func (c *Consumer) assigned(_ context.Context, _ *kgo.Client, all map[string][]int32) {
	c.rebalances.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range all[c.o.Topic] {
		c.o.Log.Info("decoding a partition", "topic", c.o.Topic, "partition", id)
		ctx, abort := context.WithCancel(c.life)
		p := &part{Partition: newPartition(c, id), stop: make(chan struct{}), abort: abort, done: make(chan struct{}), reported: -1}
		c.parts[id] = p
		go c.run(ctx, p)
	}
}

// run decodes a partition until it is to stop.
func (c *Consumer) run(ctx context.Context, p *part) {
	defer close(p.done)
	defer p.stopFetch()
	select {
	case <-c.ready: // the group may give partitions before
	case <-p.stop:
		return
	case <-ctx.Done():
		return
	}
	for {
		err := c.decode(ctx, p.stop, p.Partition)
		select {
		case <-p.stop:
			return
		case <-ctx.Done():
			return
		default:
		}
		// This process may not have noticed yet that it lost the partition.
		c.errors.Add(1)
		c.o.Log.Error("decoding a partition has ended: it is tried again", "topic", c.o.Topic, "partition", p.id, "error", err, "pause",
			c.o.Session)
		t := time.NewTimer(c.o.Session)
		select {
		case <-p.stop:
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
	}
}

// revoked gives partitions up in order: what was taken is committed first.
func (c *Consumer) revoked(_ context.Context, _ *kgo.Client, all map[string][]int32) {
	c.rebalances.Add(1)
	c.revoke(all[c.o.Topic], false)
}

// lost releases partitions that another member may own by now.
func (c *Consumer) lost(_ context.Context, _ *kgo.Client, all map[string][]int32) {
	c.rebalances.Add(1)
	c.revoke(all[c.o.Topic], true)
}

func (c *Consumer) revoke(ids []int32, abort bool) {
	var going []*part
	c.mu.Lock()
	for _, id := range ids {
		if p := c.parts[id]; p != nil {
			close(p.stop)
			going = append(going, p)
			delete(c.parts, id)
		}
	}
	c.mu.Unlock()
	late := time.NewTimer(rebalanceTimeout / 2)
	defer late.Stop()
	for _, p := range going {
		if !abort {
			select {
			case <-p.done:
			case <-late.C:
				abort = true // the others wait for this; another one decodes it again
			}
		}
		p.abort()
		<-p.done
		c.o.Log.Info("gave a partition up", "topic", c.o.Topic, "partition", p.id)
	}
	if !abort && len(going) > 0 {
		c.commitParts(c.life, going)
	}
}

func (c *Consumer) running() map[int32]*part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.parts)
}

// Lag is the decoding lag of a partition.
type Lag struct {
	Partition int32
	Messages  int64 // that are not in the archive
}

// ConsumerStats holds counts since the start, and the present partitions.
type ConsumerStats struct {
	Lags       []Lag // of partitions that are decoded here and whose end is known
	Partitions int
	Rebalances int64
	Errors     int64
	Foreign    int64 // messages that were no submissions
}

// Stats returns the present counts.
func (c *Consumer) Stats() ConsumerStats {
	s := ConsumerStats{Rebalances: c.rebalances.Load(), Errors: c.errors.Load(), Foreign: c.foreign.Load()}
	for id, p := range c.running() {
		s.Partitions++
		if at, end := p.committed.Load(), p.end.Load(); at >= 0 && end >= 0 {
			s.Lags = append(s.Lags, Lag{id, max(0, end-at)})
		}
	}
	slices.SortFunc(s.Lags, func(a, b Lag) int { return int(a.Partition - b.Partition) })
	return s
}
