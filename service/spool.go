package service

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/site"
)

// appender stores the edge's submissions: the local spool or a topic.
type appender interface {
	edge.Spool
	Stats() spool.Stats
	Close() error
}

// openSpool opens the spool for the edge, or follows it if this process only decodes.
func (s *Service) openSpool(ctx context.Context) (err error) {
	if s.Topic.URL != "" {
		return s.openTopic(ctx)
	}
	switch {
	case s.has(PartEdge):
		o := s.Spool
		o.After, o.Decoding, o.Now, o.Log = s.after(ctx), s.has(PartDecode), s.Clock.Now, s.Log
		var local *spool.Spool
		if local, err = spool.Open(s.spoolDir(), o); err == nil {
			s.local, s.spool, s.Decode.Spool = local, local, local
		}
	case s.has(PartDecode):
		if s.follower, err = spool.Follow(s.spoolDir(), s.Spool.Edge); err != nil {
			return err
		}
		s.Decode.Spool, s.Decode.Leave = s.follower, true
		if err := s.checkWritten(ctx); err != nil {
			s.Log.Warn("waiting for the edge", "reason", err)
		}
	}
	return err
}

// after returns the number above which new segments are numbered. For the decode loop, lower numbers are already in
// the archive. While the archive cannot be read numbers go on at the time in milliseconds, which is above the numbers of
// an earlier spool. Where another process decodes, a spool goes on at its own numbers.
func (s *Service) after(ctx context.Context) uint64 {
	if in := s.site(); in != nil {
		short, stop := context.WithTimeoutCause(ctx, openPatience, errPatience)
		defer stop()
		last, err := loader.LastSegment(short, in.Archive, s.Spool.Edge)
		if err == nil {
			return last
		}
		s.Log.Warn("the last segment in the archive is not known: numbers of segments go on at the time", "err", err)
	}
	if !s.has(PartDecode) && spool.Exists(s.spoolDir()) {
		return 0
	}
	return uint64(max(0, s.Clock.Now().UnixMilli()))
}

// openTopic opens the topic that replaces the spool.
func (s *Service) openTopic(ctx context.Context) (err error) {
	k := s.Topic.Config
	k.Now, k.Log = s.Clock.Now, s.Log
	if k.Target, err = kafka.Parse(s.Topic.URL); err != nil {
		return err // checked
	}
	if waits, err := spool.List(s.spoolDir()); err == nil && len(waits) > 0 {
		return &SetupError{fmt.Errorf("the local spool %s has %d segments that are not decoded: decode them first, by pingmill serve --only "+
			"decode without spool.url, and end that", s.spoolDir(), len(waits))}
	}
	if s.has(PartEdge) {
		s.producer, err = kafka.NewProducer(ctx, k, s.Edge.MaxBody)
		if bad := (*kafka.SettingError)(nil); errors.As(err, &bad) {
			return &SetupError{err}
		}
		if err != nil {
			return err
		}
		s.spool = s.producer
	}
	if s.has(PartDecode) {
		k.Removed = s.removedRecords(k.Topic)
		s.consumer, err = kafka.NewConsumer(k)
	}
	return err
}

// removedRecords reports in the status that messages of a topic, which contain client addresses, cannot be deleted.
func (s *Service) removedRecords(topic string) func(context.Context, error) {
	var t *edgestate.Trouble
	return func(ctx context.Context, err error) {
		edge := "kafka." + topic
		if err == nil {
			if t == nil || edgestate.ClearTrouble(ctx, s.site().Archive, edge, edgestate.TroubleDelete) == nil {
				t = nil
			}
			return
		}
		now := s.Clock.Now().UTC()
		if t == nil {
			t = &edgestate.Trouble{Edge: edge, What: edgestate.TroubleDelete, Since: now}
		}
		t.Last, t.Times, t.Error = now, t.Times+1, site.OneLine(err.Error())
		if err := edgestate.SetTrouble(ctx, s.site().Archive, *t); err != nil {
			s.Log.Warn("status does not show that messages cannot be deleted", "error", err)
		}
	}
}

// decodeSpool decodes until stop is closed and everything taken is in the archive.
func (s *Service) decodeSpool(ctx context.Context, stop <-chan struct{}) error {
	if s.consumer == nil {
		return loader.Decode(ctx, s.site(), s.Decode)
	}
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("name this decoder: %w", err)
	}
	owner := fmt.Sprintf("%s, process %d", host, os.Getpid())
	return s.consumer.Run(ctx, stop, func(ctx context.Context, stop <-chan struct{}, p *kafka.Partition) error {
		o := s.Decode
		o.Spool, o.Edge, o.Owner, o.Leave, o.Stop = p, p.Name(), owner, true, stop
		return loader.Decode(ctx, s.site(), o)
	})
}

// checkSpool returns an error if submissions are refused because the disk is full or no broker is reachable.
func (s *Service) checkSpool(ctx context.Context) error {
	if s.producer != nil {
		return s.producer.Health(ctx)
	}
	if st := s.local.Stats(); st.Free >= 0 && st.Free < s.Spool.MinFree {
		return fmt.Errorf("%d bytes of disk are free, want %d", st.Free, s.Spool.MinFree)
	}
	return nil
}

// checkWritten returns an error if no edge has ever written to the spool.
func (s *Service) checkWritten(ctx context.Context) error {
	watermark, err := s.follower.Watermark(ctx)
	if err == nil && watermark == 0 {
		err = fmt.Errorf("no edge has opened the spool %s yet: start one, with the same data and user (pingmill serve --only edge)", s.spoolDir())
	}
	return err
}
