package changes

import (
	"context"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// Part is the view of one bucket on a feed. A nil Part has no answers and records nothing.
type Part struct {
	feed *Feed
	name string
}

// Part returns the view of a bucket, which has the same name in all processes.
func (f *Feed) Part(bucket string) *Part { return &Part{f, bucket} }

// unnoticed are the folders in which nobody polls: leases, and what is not finished.
var unnoticed = []string{"_leases", naming.Staging}

// folder returns the part of the feed that a name belongs to: its first folder, or the first two if the first begins with _.
// ok is false if nobody polls there, or if the name is a prefix of several parts.
func (p *Part) folder(name string) (part string, ok bool) {
	folders := strings.Split(name, "/")
	n := 1
	if strings.HasPrefix(name, "_") {
		n = 2
	}
	if len(folders) <= n || slices.Contains(unnoticed, folders[0]) {
		return "", false
	}
	return p.name + "/" + strings.Join(folders[:n], "/"), true
}

// Wrote records that an object was written or removed, or may have been.
func (p *Part) Wrote(name string) {
	if p == nil {
		return
	}
	if part, ok := p.folder(name); ok {
		p.feed.wrote(part, name)
	}
}

// Poll is a request of a context of store.Polling.
type Poll struct {
	feed          *Feed
	part, request string
	state         string // see store.Since
	epoch, all    int
}

// Poll begins a request whose answer may be known. It returns nil if the answer cannot be remembered.
func (p *Part) Poll(ctx context.Context, kind, name string) *Poll {
	if p == nil || !store.IsPolling(ctx) {
		return nil
	}
	part, ok := p.folder(name)
	if !ok || !p.feed.ready(ctx) {
		return nil
	}
	f := p.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	_, state := store.AcceptedSince(ctx)
	return &Poll{feed: f, part: part, request: kind + " " + name, state: state, epoch: f.epochs[part], all: f.epochs[everything]}
}

// ready reads the feed if that is due, and reports whether answers may be used.
func (f *Feed) ready(ctx context.Context) bool {
	f.reading.Lock()
	defer f.reading.Unlock()
	f.mu.Lock()
	since, _ := store.AcceptedSince(ctx)
	due := f.o.Now().Sub(f.read) >= f.o.Every || f.read.Before(since)
	f.mu.Unlock()
	return !due || f.load(ctx) == nil
}

func (p *Poll) known() (a answer, ok bool) {
	f := p.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok = f.answers[p.part][p.request]
	age := f.o.Now().Sub(a.at)
	if p.state == "" {
		return a, ok && age < f.o.Full
	}
	return a, ok && age < f.o.Full/36 && p.state == a.state
}

func (p *Poll) keep(a answer) {
	f := p.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.epochs[p.part] != p.epoch || f.epochs[everything] != p.all || f.size+a.size() > most {
		return // it changed meanwhile
	}
	a.at, a.state = f.o.Now(), p.state
	answers := f.answers[p.part]
	if answers == nil {
		answers = map[string]answer{}
		f.answers[p.part] = answers
	}
	was, is := answers[p.request]
	if f.size += a.size(); is {
		f.size -= was.size()
	}
	answers[p.request] = a
}

// Entries returns the entries of a list if they are known.
func (p *Poll) Entries() ([]store.Entry, bool) {
	if p == nil {
		return nil, false
	}
	a, ok := p.known()
	return a.entries, ok
}

// KeepEntries remembers a whole list.
func (p *Poll) KeepEntries(all []store.Entry) {
	if p != nil {
		p.keep(answer{entries: all})
	}
}

// Content is a small object, or that there is none.
type Content struct {
	Found   bool
	Version string // of an object that is not empty
	Data    []byte // must not be changed
}

// Content returns the content of an object if it is known.
func (p *Poll) Content() (Content, bool) {
	if p == nil {
		return Content{}, false
	}
	a, ok := p.known()
	return a.content, ok
}

// KeepContent remembers the content of an object.
func (p *Poll) KeepContent(c Content) {
	if p != nil {
		p.keep(answer{content: c})
	}
}

// Identity returns the identity of an object if it is known.
func (p *Poll) Identity() (store.Identity, bool) {
	if p == nil {
		return store.Identity{}, false
	}
	a, ok := p.known()
	return a.identity, ok
}

// KeepIdentity remembers the identity of an object.
func (p *Poll) KeepIdentity(id store.Identity) {
	if p != nil {
		p.keep(answer{identity: id})
	}
}
