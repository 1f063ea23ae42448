package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/store"
)

const (
	format     = 1
	chunkSize  = 256 // entries of an object
	maxEntry   = 1 << 10
	maxChunk   = chunkSize * maxEntry // bytes
	maxText    = 300                  // bytes of a name in an entry
	stateDone  = "done"
	stateVoid  = "void"
	stateBegun = ""
)

// Entry is a commit in the list.
type Entry struct {
	Load  string `json:"load"`
	By    string `json:"by"`              // names the server and the source of its commits
	Stage string `json:"stage"`           // the folder in which its files are staged
	At    int64  `json:"at"`              // when it began, ns since epoch by that server's clock
	State string `json:"state,omitempty"` // empty: under way; done; void: it never became visible
}

// Done reports whether the load is in the archive.
func (e *Entry) Done() bool { return e.State == stateDone }

func (e *Entry) is(load, stage string) bool { return e.Load == load && e.Stage == stage }

// chunk is one object of the list.
type chunk struct {
	Format  int     `json:"format"`
	Entries []Entry `json:"commits"`

	name string
	data []byte // as it is in the bucket; nil: there is none
}

func chunkName(n int) string { return fmt.Sprintf("%s/%08d.json", naming.Commits, n) }

// BadError means an object of the list has content that this program cannot have written.
type BadError struct{ Name, Why string }

func (e *BadError) Error() string {
	return fmt.Sprintf("the order of commits, %s: it %s: nothing is committed until that is mended. "+
		"Make sure that no server decodes or loads, then move the objects of %s away", e.Name, e.Why, naming.Commits)
}

// readChunk reads an object of the list. One that is missing has no entries.
func readChunk(ctx context.Context, b store.Bucket, n int) (*chunk, error) {
	c := &chunk{Format: format, name: chunkName(n)}
	r, err := b.Open(ctx, c.name)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the order of commits: %w", err)
	}
	defer r.Close()
	if c.data, err = io.ReadAll(io.LimitReader(r, maxChunk+1)); err != nil {
		return nil, fmt.Errorf("read the order of commits: %w", err)
	}
	return c, c.parse()
}

// parse understands the bytes of an object.
func (c *chunk) parse() error {
	bad := func(why string, args ...any) error { return &BadError{c.name, fmt.Sprintf(why, args...)} }
	if len(c.data) > maxChunk {
		return bad("is larger than %d bytes", maxChunk)
	}
	c.Format, c.Entries = 0, nil
	if err := json.Unmarshal(c.data, c); err != nil {
		return bad("is no JSON of ours (%.60s)", err)
	}
	switch {
	case c.Format != format:
		return bad("has format %d, and this version knows %d", c.Format, format)
	case len(c.Entries) == 0 || len(c.Entries) > chunkSize:
		return bad("has %d entries", len(c.Entries))
	}
	for i := range c.Entries {
		e := &c.Entries[i]
		known := e.State == stateDone || e.State == stateVoid || e.State == stateBegun && i == len(c.Entries)-1
		if e.Load == "" || e.By == "" || e.Stage == "" || len(e.Load)+len(e.By)+len(e.Stage) > maxText || !known {
			return bad("has an entry that cannot be (number %d)", i+1)
		}
	}
	return nil
}

// last returns the last entry, nil without any.
func (c *chunk) last() *Entry {
	if c == nil || len(c.Entries) == 0 {
		return nil
	}
	return &c.Entries[len(c.Entries)-1]
}

func (c *chunk) full() bool { return len(c.Entries) == chunkSize }

// swap replaces the object by one with these entries.
func (c *chunk) swap(ctx context.Context, b store.Bucket, entries []Entry) error {
	data, err := json.Marshal(chunk{Format: format, Entries: entries})
	if err != nil {
		return fmt.Errorf("write the order of commits: %w", err)
	}
	if err := b.CompareAndSwap(ctx, c.name, c.data, append(data, '\n')); err != nil {
		return fmt.Errorf("write the order of commits: %w", err)
	}
	return nil
}

// chunks returns the numbers of the list's objects. Between the first and the last none may lack. Objects behind those of the
// listing are looked for by their names, because a listing may be an old one.
func chunks(ctx context.Context, b store.Bucket) (numbers []int, err error) {
	for e, err := range b.List(ctx, naming.Commits+"/") {
		if err != nil {
			return nil, fmt.Errorf("read the order of commits: %w", err)
		}
		text, ok := strings.CutSuffix(path.Base(e.Name), ".json")
		n, err := strconv.Atoi(text)
		if !ok || err != nil || e.Name != chunkName(n) {
			return nil, &BadError{e.Name, "has a name that is none of the list's"}
		}
		if len(numbers) > 0 && n != numbers[len(numbers)-1]+1 {
			return nil, &BadError{chunkName(n - 1), "is missing"}
		}
		numbers = append(numbers, n)
	}
	for next := 1; ; next++ {
		if len(numbers) > 0 {
			next = numbers[len(numbers)-1] + 1
		}
		r, err := b.Open(ctx, chunkName(next))
		if errors.Is(err, fs.ErrNotExist) {
			return numbers, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the order of commits: %w", err)
		}
		if err := r.Close(); err != nil {
			return nil, fmt.Errorf("read the order of commits: %w", err)
		}
		numbers = append(numbers, next)
	}
}

// errAsleep means that the order has advanced so far that it no longer has the next commits.
var errAsleep = errors.New("the order of commits has advanced without this server, which reads it again")

// errUnread means that a listing has an object of the list which cannot be opened.
var errUnread = errors.New("a listing has it, and it cannot be opened")

// at reads a chunk, which is not there if it is the next one.
func (l *Log) at(ctx context.Context, n int) (*chunk, error) {
	again := retry.Loop{Policy: retry.Policy{First: l.o.Pause, Max: l.o.Pause, Tries: l.o.Looks}, What: "read " + chunkName(n)}
	for {
		c, err := readChunk(ctx, l.bucket, n)
		if err != nil || c.data != nil {
			return c, err
		}
		numbers, err := chunks(ctx, l.bucket)
		switch {
		case err != nil || len(numbers) == 0 || numbers[len(numbers)-1] == n-1:
			return c, err
		case !slices.Contains(numbers, n), slices.Contains(numbers, n+1): // the first ones go, and an old listing has them still
			return c, errAsleep
		}
		if err := again.Again(ctx, errUnread); err != nil { // it was made meanwhile
			return nil, err
		}
	}
}
