package kafka

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// commit commits the offsets up to which the partitions are in the archive.
func (c *Consumer) commit(ctx context.Context) {
	c.commitParts(ctx, slices.Collect(maps.Values(c.running())))
}

// commitParts commits offsets for tools that show the lag of groups, and deletes records that are in the archive,
// unless they must be retained. Nothing depends on either.
func (c *Consumer) commitParts(ctx context.Context, parts []*part) {
	c.telling.Lock()
	defer c.telling.Unlock()
	offsets := map[string]map[int32]kgo.EpochOffset{c.o.Topic: {}}
	old := kadm.Offsets{}
	for _, p := range parts {
		if at := p.committed.Load(); at > p.reported {
			p.reported = at
			offsets[c.o.Topic][p.id] = kgo.EpochOffset{Epoch: p.epoch.Load(), Offset: at}
			old.AddOffset(c.o.Topic, p.id, at, -1)
		}
	}
	if len(old) == 0 {
		return
	}
	ctx, stop := context.WithTimeout(ctx, commitInterval)
	defer stop()
	c.member.CommitOffsetsSync(ctx, offsets, nil)
	if c.o.Keep || c.keeps {
		return
	}
	err := c.remove(ctx, old)
	switch {
	case isDenied(err):
		c.keeps = true
		c.o.Log.Warn("messages that are in the archive, with addresses of clients, stay in the topic until its retention removes them: this "+
			"user may not delete records", "topic", c.o.Topic, "error", err)
	case err != nil:
		c.errors.Add(1)
		for _, p := range parts {
			p.reported = -1 // the next call tries again, also when nothing new came
		}
	}
	c.removed(ctx, err)
}

// failureInterval is the interval at which failures to delete records are logged.
const failureInterval = 10 * time.Minute

// removed reports whether records that are in the archive could be deleted: a failure to the log, now and then, and each change to
// Config.Removed.
func (c *Consumer) removed(ctx context.Context, err error) {
	if now := time.Now(); err != nil && !c.keeps && now.Sub(c.failed) >= failureInterval {
		c.failed = now
		c.o.Log.Error("messages that are in the archive, with addresses of clients, could not be deleted from the topic: it is tried again",
			"topic", c.o.Topic, "error", err)
	}
	if err == nil {
		c.failed = time.Time{}
	}
	if c.o.Removed != nil {
		c.o.Removed(context.WithoutCancel(ctx), err)
	}
}

func (c *Consumer) remove(ctx context.Context, old kadm.Offsets) error {
	all, err := kadm.NewClient(c.member).DeleteRecords(ctx, old)
	if err == nil {
		err = all.Error()
	}
	return err
}
