package kafka

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/pingmill/pingmill/internal/clock"
)

const (
	// askInterval is the interval for querying a partition's end, and identifyInterval for the topic's
	// identity.
	askInterval      = 2 * time.Second
	identifyInterval = 15 * time.Second
	// skew limits the time by which the clocks of brokers may be behind this one without giving a submission a later time
	// than its own.
	skew = 5 * time.Second
)

// mark means that the log ended at an offset at some time or after it.
type mark struct{ at, end int64 }

// Watermark returns a timestamp in ns since epoch: all messages up to it were read, and all later ones get
// later times. It is the time of the last message or, if none arrives, a few seconds ago, when the log had no
// more than was read. It is 0 if there is none yet.
func (p *Partition) Watermark(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.returned = max(p.returned, p.at.Last, p.known)
	if p.mark.at > 0 && p.at.Offset >= p.mark.end {
		p.returned = max(p.returned, p.mark.at)
	}
	return p.returned, nil
}

// watch asks for the end of the log from time to time, and whether the topic is
// still the same.
func (p *Partition) watch(ctx context.Context, source string) {
	adm := kadm.NewClient(p.c.member)
	var identified time.Time
	for clock.Wait(ctx, askInterval) == nil {
		now := p.c.o.Now() // before the end is asked for
		_, end, err := bounds(ctx, adm, p.c.o.Topic, p.id)
		if err != nil {
			continue // reading reports the error
		}
		p.end.Store(end)
		p.mu.Lock()
		if p.mark.at > 0 && p.at.Offset >= p.mark.end {
			p.known = max(p.known, p.mark.at)
			p.mark = mark{}
		}
		if p.mark.at == 0 {
			p.mark = mark{now.Add(-skew).UnixNano(), end}
		}
		p.mu.Unlock()
		if d := now.Sub(identified); d < identifyInterval && d >= 0 {
			continue
		}
		identified = now
		if t, err := describe(ctx, adm, p.c.o.Topic); err == nil && t.ID != source {
			p.fail(&SettingError{"the topic is another one of the same name"})
			return
		}
	}
}
