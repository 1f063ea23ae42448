package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/internal/clock"
)

const (
	maxBuffered = 64 << 20             // bytes of submissions that wait for the brokers
	lingers     = 2 * time.Millisecond // for a batch to fill
)

// Producer is the edge's side of the spool. It is safe for concurrent use.
type Producer struct {
	c    Config
	need int64 // bytes of the largest message
	cl   *kgo.Client
	life context.Context
	end  context.CancelFunc
	done sync.WaitGroup

	unchecked atomic.Pointer[error] // why nothing is taken yet; nil: the topic is as it should be
	failing   atomic.Pointer[error] // of the last submission; nil: it was taken
	probing   atomic.Bool           // one is on its way to find out
	closed    atomic.Bool

	records, bytes, failed atomic.Int64
}

// NewProducer creates the edge's side, for bodies of up to maxBody bytes. Unreachable brokers are not an error:
// until they are reachable, no record is accepted. A problem with the topic that is already known is a
// *SettingError.
func NewProducer(ctx context.Context, c Config, maxBody int64) (*Producer, error) {
	opts, err := c.client()
	if err != nil {
		return nil, err
	}
	p := &Producer{c: c, need: maxBody + overhead}
	p.life, p.end = context.WithCancel(context.WithoutCancel(ctx))
	opts = append(opts,
		kgo.DefaultProduceTopic(c.Topic), kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
		kgo.ProducerBatchCompression(codecs[c.Compression]), kgo.ProducerBatchMaxBytes(int32(min(p.need, 1<<30))),
		kgo.MaxBufferedBytes(maxBuffered), kgo.MaxBufferedRecords(maxBuffered>>8),
		kgo.ProducerLinger(lingers), kgo.RecordDeliveryTimeout(c.Timeout), kgo.ProduceRequestTimeout(c.Timeout),
	)
	if p.cl, err = kgo.NewClient(opts...); err != nil {
		p.end()
		return nil, fmt.Errorf("configure the producer: %w", err)
	}
	callCtx, stop := context.WithTimeout(ctx, c.Timeout)
	err = p.check(callCtx)
	stop()
	var bad *SettingError
	if errors.As(err, &bad) {
		p.end()
		p.cl.Close()
		return nil, err
	}
	if err != nil {
		c.Log.Error("the brokers of the spool do not answer: submissions are refused until they do", "spool", c.String(), "error", err)
		p.done.Go(p.checkLater)
	}
	return p, nil
}

// check asks whether the topic is as it should be.
func (p *Producer) check(ctx context.Context) error {
	t, err := check(ctx, p.admin(), p.c.Topic, p.need)
	if err != nil {
		p.unchecked.Store(&err)
		return err
	}
	p.unchecked.Store(nil)
	for _, a := range t.Advice {
		p.c.Log.Warn("the topic of the spool is not safe", "topic", p.c.Topic, "reason", a)
	}
	p.c.Log.Info("the spool is a topic", "spool", p.c.String(), "partitions", len(t.Partitions), "replicas", t.Replicas)
	return nil
}

func (p *Producer) admin() *kadm.Client { return kadm.NewClient(p.cl) }

func (p *Producer) checkLater() {
	for clock.Wait(p.life, p.c.Timeout/2) == nil {
		callCtx, stop := context.WithTimeout(p.life, p.c.Timeout)
		err := p.check(callCtx)
		stop()
		if err == nil {
			return
		}
		p.c.Log.Error("the spool cannot be used: submissions are refused", "spool", p.c.String(), "error", err)
	}
}

// Append returns nil when all replicas in sync have the record. With any error it is
// not acknowledged, and may be in the topic nevertheless, as when the brokers did not
// answer in time: [spool.ErrUnavailable]. While they fail, one caller at a time waits
// for them, and the others get that error at once. [spool.ErrOverloaded],
// [spool.ErrTooLarge] and [spool.ErrClosed] mean the same as in the local spool.
func (p *Producer) Append(ctx context.Context, r *spool.Record) error {
	if p.closed.Load() {
		return spool.ErrClosed
	}
	if err := p.unchecked.Load(); err != nil {
		return fmt.Errorf("%w: %w", spool.ErrUnavailable, *err)
	}
	if err := p.failing.Load(); err != nil {
		if !p.probing.CompareAndSwap(false, true) {
			return fmt.Errorf("%w: %w", spool.ErrUnavailable, *err)
		}
		defer p.probing.Store(false)
	}
	err := p.produce(ctx, r)
	switch {
	case err == nil:
		p.records.Add(1)
		p.bytes.Add(int64(len(r.Body)))
	case errors.Is(err, spool.ErrTooLarge), ctx.Err() != nil:
	default:
		p.failed.Add(1)
	}
	return err
}

func (p *Producer) produce(ctx context.Context, r *spool.Record) error {
	size := spool.PayloadSize(r) + int64(headerSize)
	if size > p.need-1<<10 {
		return fmt.Errorf("produce a message of %d bytes: %w", size, spool.ErrTooLarge)
	}
	value := appendValue(make([]byte, 0, size), r)
	done := make(chan error, 1)
	rec := &kgo.Record{Key: append([]byte(nil), keyOf(r.URI)...), Value: value}
	p.cl.TryProduce(p.life, rec, func(_ *kgo.Record, err error) {
		if err == nil {
			p.failing.Store(nil)
		}
		done <- err
	})
	late := time.NewTimer(p.c.Timeout)
	defer late.Stop()
	select {
	case err := <-done:
		return p.result(err)
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return p.unavailable(fmt.Errorf("no acknowledgement within %v", p.c.Timeout))
	}
}

// result is the error of Append for the client's.
func (p *Producer) result(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kgo.ErrMaxBuffered):
		return spool.ErrOverloaded
	case errors.Is(err, kerr.MessageTooLarge), errors.Is(err, kerr.RecordListTooLarge):
		return fmt.Errorf("%w: %w", spool.ErrTooLarge, err)
	case p.closed.Load():
		return spool.ErrClosed
	case errors.Is(err, kerr.UnknownTopicID):
		p.cl.PurgeTopicsFromProducing(p.c.Topic) // it was made again: the client looks it up again
	}
	return p.unavailable(err)
}

func (p *Producer) unavailable(err error) error {
	p.failing.Store(&err)
	return fmt.Errorf("%w: %w", spool.ErrUnavailable, err)
}

// Health returns nil if the producer can accept submissions, as far as is known.
func (p *Producer) Health(context.Context) error {
	for _, state := range []*atomic.Pointer[error]{&p.unchecked, &p.failing} {
		if err := state.Load(); err != nil {
			return fmt.Errorf("spool %s: %w", p.c.String(), *err)
		}
	}
	return nil
}

// Stats returns the same counts as the local spool; the free disk space is unknown.
func (p *Producer) Stats() spool.Stats {
	return spool.Stats{
		Queued: p.cl.BufferedProduceBytes(), Records: p.records.Load(), Bytes: p.bytes.Load(), Failed: p.failed.Load(), Free: -1,
	}
}

// Close refuses new records, and waits for the accepted ones as long as an acknowledgement may take.
func (p *Producer) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	ctx, stop := context.WithTimeout(p.life, p.c.Timeout)
	defer stop()
	err := p.cl.Flush(ctx)
	p.end()
	p.done.Wait()
	p.cl.Close()
	if err != nil {
		return fmt.Errorf("close the producer: %w", err)
	}
	return nil
}
