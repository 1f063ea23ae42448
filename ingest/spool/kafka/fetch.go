package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
)

const (
	fetchBytes = 4 << 20 // a response of a broker, but for one larger batch
	fetchWait  = 500 * time.Millisecond
	fetchMin   = 64 << 10

	maxUnpacked = 64 << 20 // bytes of a compressed batch
)

// fetch is reading from one position on.
type fetch struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// startFetch begins to read.
func (p *Partition) startFetch(at spool.Position) {
	ctx, stop := context.WithCancel(p.c.life)
	f := &fetch{stop: stop}
	f.done.Go(func() { p.run(ctx) })
	f.done.Go(func() { p.watch(ctx, at.Source) })
	context.AfterFunc(ctx, func() {
		p.mu.Lock()
		p.room.Broadcast()
		p.mu.Unlock()
	})
	p.fetch = f
}

// stopFetch ends reading.
func (p *Partition) stopFetch() {
	if p.fetch != nil {
		p.fetch.stop()
		p.fetch.done.Wait()
		p.fetch = nil
	}
}

// run reads until the context ends or an error is permanent.
func (p *Partition) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := p.readOn(ctx); err != nil && ctx.Err() == nil {
			p.fail(fmt.Errorf("read %s: %w", p.place(p.reached().Offset), err))
			return
		}
	}
}

// open makes a client that reads from a position on.
func (p *Partition) open(at spool.Position) (*kgo.Client, error) {
	opts, err := p.c.o.client()
	if err != nil {
		return nil, err
	}
	offset := kgo.NewOffset().At(at.Offset)
	if at.Epoch >= 0 {
		offset = offset.WithEpoch(at.Epoch)
	}
	return kgo.NewClient(append(opts,
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{p.c.o.Topic: {p.id: offset}}),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()), kgo.KeepControlRecords(),
		kgo.FetchMaxBytes(fetchBytes), kgo.FetchMaxPartitionBytes(fetchBytes), kgo.MaxConcurrentFetches(1),
		kgo.FetchMinBytes(fetchMin), kgo.FetchMaxWait(fetchWait), kgo.MaxDecompressBatchBytes(maxUnpacked),
	)...)
}

// readOn reads from the present offset. It returns nil when reading has to begin again at another place, and when the
// context ends.
func (p *Partition) readOn(ctx context.Context) error {
	cl, err := p.open(p.reached())
	if err != nil {
		return err
	}
	defer cl.Close()
	for p.awaitRoom(ctx) {
		fetches := cl.PollRecords(ctx, maxPoll)
		if ctx.Err() != nil {
			return nil
		}
		var cut *kgo.ErrDataLoss
		var large *kgo.ErrDecompressTooLarge
		err := fetches.Err()
		switch {
		case errors.As(err, &cut):
			p.skipCut(cut) // what came with it may be of before or behind
			return nil
		case err != nil:
			p.take(fetches.Records())
			if errors.As(err, &large) {
				p.skipLarge(large)
				return nil
			}
			if p.c.fatal(err) {
				return err
			}
			p.c.errors.Add(1)
			p.c.o.Log.Warn("reading the spool: it is tried again", "topic", p.c.o.Topic, "partition", p.id, "error", err)
			_ = clock.Wait(ctx, time.Second)
		default:
			p.take(fetches.Records())
		}
	}
	return nil
}

// awaitRoom waits until less than maxAhead bytes wait; false when the context ends.
func (p *Partition) awaitRoom(ctx context.Context) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.waiting >= maxAhead && ctx.Err() == nil {
		p.room.Wait()
	}
	return ctx.Err() == nil
}

func (p *Partition) reached() spool.Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

func (p *Partition) fail(err error) {
	p.c.errors.Add(1)
	p.mu.Lock()
	p.failed = err
	p.mu.Unlock()
	p.changed()
}

// fatal reports whether an error of reading stays until decoding begins again at a
// position.
func (c *Consumer) fatal(err error) bool {
	var e *kerr.Error
	return errors.Is(err, kerr.OffsetOutOfRange) || errors.As(err, &e) && !e.Retriable ||
		errors.Is(err, kerr.UnknownTopicOrPartition) || errors.Is(err, kerr.UnknownTopicID)
}
