// Package changes answers polls of object storage from memory. The processes of an installation replace parts of one small
// object, the feed, after they have written. A process that only looks for changes reads the feed instead of listing
// folders and reading properties.
package changes

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/store"
)

// Options configure a feed. Zero values select the defaults.
type Options struct {
	Every time.Duration // between two readings of the feed: a minute
	// Full is the age at which an answer is not used any more, whatever the feed says: six hours. In a context of store.Since it
	// is ten minutes, because people expect of a query what is published.
	Full  time.Duration
	Delay time.Duration // between a write and its entry in the feed: a second

	clock.Clock
}

func (o *Options) defaults() {
	for _, d := range []struct {
		set   *time.Duration
		value time.Duration
	}{{&o.Every, time.Minute}, {&o.Full, 6 * time.Hour}, {&o.Delay, time.Second}} {
		if *d.set <= 0 {
			*d.set = d.value
		}
	}
	if o.Now == nil {
		o.Clock = clock.System()
	}
}

// closeTime limits how long Close tries to write the feed.
const closeTime = 10 * time.Second

// Feed is the object with the changes of several buckets, and the answers that are valid until the next change. A process
// that dies within Delay of a write leaves the feed as it was: other processes see that write once answers are as old as
// Full, or when a process opens the installation for writing, which calls Opened.
type Feed struct {
	bucket store.Bucket
	name   string
	o      Options

	reading sync.Mutex // one reading at a time

	mu      sync.Mutex
	data    []byte            // of the object, as it was read or written last
	parts   map[string]string // the same: a random text for each part, which changes with it
	read    time.Time
	written map[string]bool              // parts that this process has changed and not entered yet
	epochs  map[string]int               // changes of each part that this process knows of
	answers map[string]map[string]answer // by part and request
	size    int                          // of all answers
	timer   *time.Timer
	closed  bool
}

// answer is the result of a request, with the time of it.
type answer struct {
	entries  []store.Entry
	identity store.Identity
	content  Content
	state    string // see store.Since
	at       time.Time
}

// size is the number of entries that need as much memory; an answer without any is one.
func (a *answer) size() int { return 1 + len(a.entries) + len(a.content.Data)/entrySize }

// entrySize is the memory of an entry, in bytes.
const entrySize = 100

// most limits the remembered entries of lists, and the other answers by what they need beside these.
const most = 500_000

// New returns the feed in the object name of a bucket.
func New(b store.Bucket, name string, o Options) *Feed {
	o.defaults()
	return &Feed{bucket: b, name: name, o: o, parts: map[string]string{}, written: map[string]bool{}, epochs: map[string]int{},
		answers: map[string]map[string]answer{}}
}

// Opened enters that the whole installation may have changed.
func (f *Feed) Opened() { f.wrote(everything, "") }

// everything is the part that all others belong to.
const everything = "*"

// Close enters what is left. It reports no error: the data is written, other servers only see it later.
func (f *Feed) Close() error {
	f.mu.Lock()
	f.closed = true
	if f.timer != nil {
		f.timer.Stop()
	}
	f.mu.Unlock()
	ctx, stop := context.WithTimeout(context.Background(), closeTime)
	defer stop()
	_ = f.swap(ctx) // see enter
	return nil
}

// wrote records a change of this process, and enters it into the feed soon. Of a part it forgets only the answers that the object
// is in: a server publishes a day every 20 seconds while its other parts look at all days.
func (f *Feed) wrote(part, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if part == everything {
		f.changed(part)
	} else {
		f.epochs[part]++
		maps.DeleteFunc(f.answers[part], func(request string, a answer) bool {
			is := concerns(request, name)
			if is {
				f.size -= a.size()
			}
			return is
		})
	}
	f.written[part] = true
	if f.timer == nil && !f.closed {
		f.timer = time.AfterFunc(f.o.Delay, f.enter)
	}
}

// concerns reports whether the answer to a request depends on an object: one with that name, or in a list with that prefix.
func concerns(request, name string) bool {
	kind, prefix, _ := strings.Cut(request, " ")
	return prefix == name || strings.HasPrefix(kind, "list") && strings.HasPrefix(name, prefix)
}

// changed forgets the answers of a part.
func (f *Feed) changed(part string) {
	f.epochs[part]++
	if part == everything {
		f.size = 0
		clear(f.answers)
		return
	}
	for _, a := range f.answers[part] {
		f.size -= a.size()
	}
	delete(f.answers, part)
}

// enter writes this process's changes into the feed. If that fails, it is tried again later.
func (f *Feed) enter() {
	err := f.swap(context.Background())
	f.mu.Lock()
	defer f.mu.Unlock()
	f.timer = nil
	if f.closed || len(f.written) == 0 {
		return
	}
	pause := f.o.Delay
	if err != nil {
		pause = f.o.Every // an outage, or no right to write: others see it when their answers are as old as Full
	}
	f.timer = time.AfterFunc(pause, f.enter)
}

// swap enters what was written before. On failure it stays to be entered.
func (f *Feed) swap(ctx context.Context) (err error) {
	f.mu.Lock()
	written := f.written
	f.written = map[string]bool{}
	f.mu.Unlock()
	defer func() {
		if err != nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			maps.Copy(f.written, written)
		}
	}()
	again := retry.Loop{Policy: retry.Swap, What: "enter changes into the feed", Wait: f.o.Wait}
	for len(written) > 0 {
		f.mu.Lock()
		old, parts := f.data, maps.Clone(f.parts)
		f.mu.Unlock()
		for part := range written {
			parts[part] = rand.Text()
		}
		data, err := json.Marshal(parts)
		if err != nil {
			return err
		}
		if err = f.bucket.CompareAndSwap(ctx, f.name, old, data); err == nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.data, f.parts = data, parts
			return nil
		}
		if err := errors.Join(f.load(ctx), again.Again(ctx, err)); err != nil {
			return err
		}
	}
	return nil
}

// load reads the feed.
func (f *Feed) load(ctx context.Context) error {
	at := f.o.Now()
	data, err := store.ReadFile(ctx, f.bucket, f.name)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = nil, nil
	}
	if err != nil {
		return err
	}
	parts := map[string]string{}
	if data != nil {
		err = json.Unmarshal(data, &parts)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil { // somebody else's object: every reading is a change
		f.changed(everything)
		parts = map[string]string{}
	}
	for part, text := range parts {
		if f.parts[part] != text {
			f.changed(part)
		}
	}
	if len(parts) < len(f.parts) { // it was removed or begun again
		f.changed(everything)
	}
	f.data, f.parts, f.read = data, parts, at
	return nil
}
