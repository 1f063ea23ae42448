package loader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/order"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// others coordinates with the servers that commit loads to the same archive: a load has its turn once this
// server knows all their earlier commits.
type others struct {
	log         *order.Log
	behind      func(context.Context) error // reads what they have committed
	load, stage string                      // the load that has the turn, "" without
}

// newOthers returns nil where the archive is this server's alone. The pause between looks at a commit of another one is
// the default if 0.
func newOthers(ctx context.Context, s *site.Site, by string, pause time.Duration) (*others, error) {
	if s.Sharing == nil {
		return nil, nil
	}
	l, err := order.Open(ctx, s.Archive, order.Options{
		By: s.Sharing.Holder + " " + by, Now: s.Sharing.Now, Pause: pause,
		Settle: func(ctx context.Context, e order.Entry) (bool, error) {
			return archive.Settle(ctx, s.Archive, e.Load, e.Stage)
		},
	})
	if err != nil {
		return nil, err
	}
	return &others{log: l}, l.Recover(ctx)
}

// order returns the archive's view of others.
func (o *others) order() archive.Order {
	if o == nil {
		return nil
	}
	return o
}

// Begin starts the turn of a load. An error of behind means that the load must not be committed in this form.
func (o *others) Begin(ctx context.Context, load, stage string) error {
	again := retry.Loop{Policy: busy, What: "wait for the turn of load " + load}
	for {
		err := o.log.Begin(ctx, load, stage)
		if err == nil {
			o.load, o.stage = load, stage
		}
		if !errors.Is(err, order.ErrBehind) {
			return err
		}
		if err := again.Again(ctx, err); err != nil {
			return err
		}
		if err := o.behind(ctx); err != nil {
			return err
		}
	}
}

// busy are the pauses of a load that finds other servers committing, some 100 seconds.
var busy = retry.Policy{First: 5 * time.Millisecond, Max: 2 * time.Second, Tries: 60}

func (o *others) Had(ctx context.Context, load, stage string) (bool, error) {
	return o.log.Had(ctx, load, stage)
}

// looking lets a load of files be committed when no document of it came by another way
// since now.
func (o *others) looking(ctx context.Context, b store.Bucket, d *Documents) error {
	o.behind = func(ctx context.Context) error {
		if _, err := o.log.News(ctx); err != nil {
			return err
		}
		return d.confirm(ctx, b)
	}
	_, err := o.log.News(ctx)
	return err
}

// news returns what was committed since the last call, the first time also by this server; nil where the archive is this
// server's alone.
func (o *others) news(ctx context.Context) ([]order.Entry, error) {
	if o == nil {
		return nil, nil
	}
	return o.log.News(ctx)
}

// end ends the turn, if there is one.
func (o *others) end(ctx context.Context) error {
	if o == nil || o.load == "" {
		return nil
	}
	load, stage := o.load, o.stage
	o.load, o.stage = "", ""
	return o.log.End(ctx, load, stage)
}

// errTaken means that others have committed documents of the open load.
var errTaken = errors.New("other edges have committed documents of the load meanwhile")

// catchUp learns what others have committed. If some of that is in the open load, too,
// it is errTaken: the load is to be decoded again.
func (d *decodeLoop) catchUp(ctx context.Context) error {
	if d.others == nil {
		return nil
	}
	news, err := d.others.log.News(ctx)
	if err != nil {
		return err
	}
	var own map[[16]byte]int64
	for _, e := range news {
		if strings.HasPrefix(e.Load, naming.EdgeLoads(d.o.Edge)) {
			return fmt.Errorf("%s has committed load %s: two edges need two names (edge.name)", e.By, e.Load)
		}
		seen, err := d.duplicates.readOf(ctx, e.Load)
		if err != nil {
			return err
		}
		if own == nil {
			own = keysOf(d.open.seen)
		}
		for _, s := range seen {
			d.duplicates.duplicates.Add(s)
			if at, is := own[s.Key]; is && distance(at, s.At) < int64(d.window) {
				d.open.taken = append(d.open.taken, s)
			}
		}
	}
	if len(d.open.taken) > 0 {
		return errTaken
	}
	return nil
}

func keysOf(seen []ingest.Seen) map[[16]byte]int64 {
	keys := make(map[[16]byte]int64, len(seen))
	for _, s := range seen {
		keys[s.Key] = s.At
	}
	return keys
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// again decodes the segments of the open load once more, now that others have some of
// its documents: those are duplicates.
func (d *decodeLoop) again(ctx context.Context) error {
	l := d.open
	d.o.Log.Info("documents have come to other edges, too: the load is decoded again", "edge", d.o.Edge,
		"documents", len(l.taken), "submissions", l.loaded.Records)
	d.duplicates.duplicates.Remove(l.seen)
	for _, s := range l.taken {
		d.duplicates.duplicates.Add(s) // if it was the very same
	}
	d.direct.drop()
	d.live.Drop()
	if err := l.writer.Abort(); err != nil {
		return err
	}
	if err := d.begin(ctx); err != nil {
		return err
	}
	d.open.buffer = l.buffer
	for _, g := range l.segments {
		if err := d.take(ctx, g); err != nil {
			return fmt.Errorf("decode spool segment %s: %w", g.Path, err)
		}
	}
	return nil
}

// readOf reads what another edge's load has added to the memory, nil if nothing, and
// takes it in.
func (m *memory) readOf(ctx context.Context, load string) (seen []ingest.Seen, err error) {
	if m.duplicates == nil {
		return nil, nil
	}
	f := seenFile{name: naming.SeenBy(load)}
	data, err := store.ReadFile(ctx, m.bucket, f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = ingest.ReadSeen(data, func(s ingest.Seen) {
		seen = append(seen, s)
		f.newest = max(f.newest, s.At)
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.name, err)
	}
	m.files = append(m.files, f)
	return seen, nil
}
