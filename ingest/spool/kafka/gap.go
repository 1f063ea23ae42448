package kafka

import (
	"context"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/ingest/spool"
)

// locate finds where reading can go on, at a position or, if the log has it no
// more, at the next one that it has, and reports the missing offsets.
func (p *Partition) locate(ctx context.Context, at spool.Position, now int64) (to spool.Position, gap string, err error) {
	adm := kadm.NewClient(p.c.member)
	t, err := describe(ctx, adm, p.c.o.Topic)
	if err != nil {
		return at, "", err
	}
	start, end, err := bounds(ctx, adm, p.c.o.Topic, p.id)
	if err != nil {
		return at, "", err
	}
	p.end.Store(end)
	to, gap = follow(at, t.ID, start, end, now)
	return to, gap, nil
}

// follow returns the position at which a log with this identity and these bounds goes on behind a position; gap
// describes the missing offsets between, if any.
func follow(at spool.Position, source string, start, end, now int64) (to spool.Position, gap string) {
	to = at
	switch {
	case at.Source == "":
		to.Source, to.Offset, to.Epoch = source, start, -1
		return to, ""
	case at.Source != source:
		to.Source, to.Epoch = source, -1
		to.Jump(start)
		gap = "the topic was deleted and made again: what was not decoded of the former one is lost"
	case at.Offset < start:
		to.Offset, to.Epoch = start, -1
		to.Lost += start - at.Offset
		gap = fmt.Sprintf("%d messages, from offset %d up to %d, were removed from the topic before they were decoded", start-at.Offset,
			at.Offset, start-1)
	case at.Offset > end:
		to.Epoch = -1
		to.Jump(end)
		gap = fmt.Sprintf("the log ends at offset %d, before what was decoded, up to %d: acknowledged messages were taken back, by an "+
			"unclean election of a leader or a restored disk", end, at.Offset-1)
	default:
		return to, ""
	}
	note(&to, gap, now)
	return to, gap
}

// note adds a gap to a position.
func note(to *spool.Position, gap string, now int64) {
	to.Gaps++
	to.Gap, to.GapAt = gap, now
}

// skipCut goes on in a log that was cut, where the client found its new end.
func (p *Partition) skipCut(cut *kgo.ErrDataLoss) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.at
	p.at.Jump(cut.ResetTo)
	p.at.Epoch = -1
	why := fmt.Sprintf("the log was cut at offset %d, before what was read, up to %d: acknowledged messages were taken back, by an "+
		"unclean election of a leader or a restored disk",
		cut.ResetTo, before.Offset-1)
	note(&p.at, why, p.c.o.Now().UnixNano())
	p.gap(why, before)
	p.changed()
}

// skipLarge goes on behind a batch that unpacks to too much. It is noted among the
// rejected submissions; its bytes are not kept.
func (p *Partition) skipLarge(large *kgo.ErrDecompressTooLarge) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.at
	p.at.Offset, p.at.Epoch = max(large.NextOffset, before.Offset+1), large.Epoch
	p.at.Last = max(p.at.Last, p.returned) + 1
	place := p.place(before.Offset)
	reason := fmt.Sprintf("the batch of messages up to offset %d unpacks to more than %d MiB", p.at.Offset-1, maxUnpacked>>20)
	p.add(&batch{
		segment: spool.Segment{Edge: p.name, Path: place},
		foreign: &spool.ForeignError{Segment: place, Offset: before.Offset, Reason: reason, At: p.at.Last},
	})
	p.changed()
}

// records reads one batch.
type records struct {
	*batch
	p     *Partition
	next  int // message
	ended bool
	lost  int
}

// maxRaw bounds the stored bytes of a message that is no submission.
const maxRaw = 4 << 20

// Next implements spool.Records.
func (r *records) Next(rec *spool.Record) error {
	if r.next == len(r.records) {
		return r.end()
	}
	m := r.records[r.next]
	at := r.times[r.next]
	r.records[r.next] = nil
	r.next++
	if err := parseValue(m.Value, rec); err != nil {
		r.p.c.foreign.Add(1)
		return &spool.ForeignError{Segment: r.p.place(m.Offset), Offset: m.Offset, Reason: err.Error(), Raw: m.Value[:min(len(m.Value), maxRaw)],
			At: at}
	}
	rec.Timestamp = at
	return nil
}

// end is io.EOF, after the error of a batch without messages.
func (r *records) end() error {
	if r.ended {
		return io.EOF
	}
	r.ended = true
	switch {
	case r.segment.Damage != "":
		r.lost = -1
		return &spool.DamageError{Segment: r.segment.Path, Offset: 0, Reason: r.segment.Damage, At: r.segment.Last}
	case r.foreign != nil:
		r.p.c.foreign.Add(1)
		return r.foreign
	}
	return io.EOF
}

// Records and Lost implement spool.Records.
func (r *records) Records() int { return r.next }

func (r *records) Lost() int { return r.lost }
