package loader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// trialBytes is the size of the submissions that a decoder processes at a time.
const trialBytes = 1 << 20

// trial finds the outcomes of the rejected submissions: first of each by
// itself, on many cores, and then of those that are pings, in the order in which
// they came. Only keys of the latter stay in memory.
type trial struct {
	*replay

	mu     sync.Mutex
	pings  []candidate
	became counts
	fails  counts
}

// candidate is a rejected submission that would be a ping.
type candidate struct {
	day      *replayDay
	row      int // of the day
	at       int64
	arrived  int64 // the ping's day, counted from 1970
	docType  string
	class    string // it had
	document key    // of document type and id; zero without an id
	path     key    // zero without one
}

type key [16]byte

func keyOf(parts ...[]byte) (k key) {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
		h.Write([]byte{0})
	}
	copy(k[:], h.Sum(nil))
	return k
}

// try is one submission on its way to a decoder, copied out of the reader.
type try struct {
	day  *replayDay
	row  int
	kind rejectedKind
	archive.Rejected
}

// run tries all rows. The verdicts of different rows are different memory.
func (t *trial) run(ctx context.Context) error {
	workers := t.o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	work := make(chan []try)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			var out ingest.Outcome
			for tries := range work {
				for i := range tries {
					t.take(&tries[i], &out)
				}
			}
		})
	}
	err := t.read(ctx, work)
	close(work)
	wg.Wait()
	return err
}

// read hands out the rows of the wanted classes.
func (t *trial) read(ctx context.Context, work chan<- []try) error {
	for _, d := range t.days {
		d.verdicts = make([]verdict, d.errors.Rows())
		var tries []try
		row, size := 0, 0
		for r, err := range d.errors.All(ctx) {
			if err != nil {
				return err
			}
			if t.wants(r.Class) {
				c := try{day: d, row: row, kind: kindOf(r), Rejected: *r}
				rec := format.Record{Meta: r.Meta, Body: r.Body}
				size += own(&rec) + 64
				c.Meta, c.Body = rec.Meta, rec.Body
				tries = append(tries, c)
			}
			row++
			if size >= trialBytes {
				work <- tries
				tries, size = nil, 0
			}
		}
		if len(tries) > 0 {
			work <- tries
		}
	}
	return nil
}

func (t *trial) wants(class string) bool {
	if t.o.Classes == nil {
		return class != classDuplicate
	}
	return slices.Contains(t.o.Classes, class)
}

// take tries one submission.
func (t *trial) take(c *try, out *ingest.Outcome) {
	o := outcome{meta: c.Meta, class: c.Class, message: c.Message}
	if c.kind != untriable {
		o = t.decode(c.day.day, &c.Rejected, c.kind, out)
	}
	docType := string(o.meta.Kind())
	t.mu.Lock()
	defer t.mu.Unlock()
	t.result.Tried++
	if o.class == "" {
		t.pings = append(t.pings, newCandidate(c, &o, docType))
		return
	}
	t.result.Failed++
	if c.kind == untriable {
		t.result.Unfit++
	}
	t.fails.add(o.class, docType)
	if o.class != c.Class || o.message != c.Message {
		c.day.verdicts[c.row] = fails
	}
}

func newCandidate(c *try, o *outcome, docType string) candidate {
	k := candidate{day: c.day, row: c.row, docType: docType, class: c.Class, arrived: dayNumber(o.meta.Day())}
	k.at, _ = o.meta.Int(ping.Timestamp)
	if id := o.meta.Text(ping.DocumentID); len(id) > 0 {
		k.document = keyOf([]byte(docType), id)
	}
	if c.kind == asSubmission {
		k.path = keyOf([]byte(c.Path))
	}
	return k
}

// sum counts the verdicts, and records which days change.
func (t *trial) sum() {
	r := &t.result
	days := map[ping.Day]bool{}
	for i := range t.pings {
		c := &t.pings[i]
		if c.day.verdicts[c.row] == duplicate {
			r.Duplicates++
			continue
		}
		r.Pings++
		t.became.add(c.class, c.docType)
		days[c.day.day] = true
	}
	for _, d := range t.days {
		d.changed = slices.ContainsFunc(d.verdicts, func(v verdict) bool { return v != stays })
	}
	r.Became, r.Fails = t.became.list(), t.fails.list()
	r.Days = slices.Sorted(maps.Keys(days))
}

// RejectedCount is the number of rejected submissions of a class and a document type.
type RejectedCount struct {
	Class   string       `json:"class"`
	DocType ping.DocType `json:"docType"` // "" when not known
	Rows    int64        `json:"rows"`
}

// counts bounds its own size: clients can name any document type.
type counts map[RejectedCount]int64

// maxCounts is the largest number of document types and classes that are counted individually.
const maxCounts = 10_000

// OtherTypes is the label of all document types that are not counted individually.
const OtherTypes ping.DocType = "(others)"

func (c counts) add(class, docType string) {
	k := RejectedCount{Class: class, DocType: ping.DocType(docType)}
	if _, ok := c[k]; !ok && len(c) >= maxCounts {
		k.DocType = OtherTypes
	}
	c[k]++
}

func (c counts) list() []RejectedCount {
	all := make([]RejectedCount, 0, len(c))
	for k, n := range c {
		k.Rows = n
		all = append(all, k)
	}
	slices.SortFunc(all, func(x, y RejectedCount) int {
		return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(x.DocType, y.DocType))
	})
	return all
}
