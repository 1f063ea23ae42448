// Package claim manages claims on spools that several processes may decode in turn: which process may commit,
// and which position is committed.
package claim

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/store"
)

// Claim is the right of one process to commit from a shared spool, with the committed position. Both are in one
// object that is replaced by compare-and-swap: taking a claim excludes all earlier owners at that moment.
//
// A load of a claim is decided once it is complete in its stage and the claim names the stage. The owner of the
// claim then publishes it; a stage that the claim does not name is never published.
type Claim struct {
	bucket store.Bucket
	record Record
	data   []byte // as it is in the bucket
}

// Record is the content of a claim's object.
type Record struct {
	Format int    `json:"format"` // 1
	Edge   string `json:"edge"`
	Owner  string `json:"owner"` // who took it last
	Taken  uint64 `json:"turn"`  // how often it was taken
	Token  string `json:"token"` // of that time

	spool.Position

	// Watermark is the watermark of the edge's Progress.
	Watermark int64 `json:"through"`

	// Load is decided but possibly not published; Stage is its folder.
	Load  string `json:"load,omitempty"`
	Stage string `json:"stage,omitempty"`
}

// ErrLost means another process has taken the claim.
var ErrLost = errors.New("another process has taken over")

// maxRecord is the size of the largest record that is read; real records have less than 1 KiB.
const maxRecord = 16 << 10

// Object returns the name of the object of an edge's claim.
func Object(edge string) string { return naming.Claims + "/" + edge + ".json" }

// Take takes the claim of an edge for a process. Any previous owner loses it.
func Take(ctx context.Context, b store.Bucket, edge, owner string) (*Claim, error) {
	c := &Claim{bucket: b}
	var err error
	if c.data, err = read(ctx, b, Object(edge)); err != nil {
		return nil, fmt.Errorf("take over %s: %w", edge, err)
	}
	r := Record{Format: 1, Edge: edge, Position: spool.Position{Epoch: -1}}
	if c.data != nil {
		if r, err = parse(c.data, edge); err != nil {
			return nil, fmt.Errorf("take over %s: %w: restore %s from a backup, or give it up: pingmill archive drop %s",
				edge, err, store.Place(b, Object(edge)), Object(edge))
		}
	}
	r.Owner, r.Taken, r.Token = owner, r.Taken+1, rand.Text()
	if err := c.swap(ctx, r); err != nil {
		return nil, fmt.Errorf("take over %s: %w", edge, err)
	}
	return c, nil
}

func read(ctx context.Context, b store.Bucket, name string) ([]byte, error) {
	data, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func parse(data []byte, edge string) (r Record, err error) {
	switch {
	case len(data) > maxRecord:
		err = fmt.Errorf("%s has %d bytes: it is none of ours", Object(edge), len(data))
	case json.Unmarshal(data, &r) != nil:
		err = fmt.Errorf("%s cannot be read", Object(edge))
	case r.Format != 1:
		err = fmt.Errorf("%s has format %d, and this version knows 1", Object(edge), r.Format)
	case r.Edge != edge:
		err = fmt.Errorf("%s is of %.100q", Object(edge), r.Edge)
	case r.Offset < 0 || r.Shift < 0 || r.Offset+r.Shift < 0 || r.Last < 0 || r.Lost < 0 || (r.Load == "") != (r.Stage == ""):
		err = fmt.Errorf("%s has numbers that cannot be", Object(edge))
	case r.Stage != "" && !strings.HasPrefix(r.Stage, naming.Staging+"/"+owners(edge)):
		err = fmt.Errorf("%s names a stage that is none: %.100q", Object(edge), r.Stage)
	}
	return r, err
}

// Record returns the current record of the claim.
func (c *Claim) Record() Record { return c.record }

// swap replaces the record. After an error it is unknown whether the record was replaced, unless the error
// matches ErrLost.
func (c *Claim) swap(ctx context.Context, r Record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	data = append(data, '\n')
	err = c.bucket.CompareAndSwap(ctx, Object(r.Edge), c.data, data)
	if err != nil { // it may have been replaced, with a response that was lost
		now, readErr := read(ctx, c.bucket, Object(r.Edge))
		switch {
		case readErr == nil && bytes.Equal(now, data):
			err = nil
		case readErr == nil && !bytes.Equal(now, c.data), errors.Is(err, store.ErrChanged):
			err = fmt.Errorf("%w: %w", ErrLost, err)
		}
	}
	if err == nil {
		c.record, c.data = r, data
	}
	return err
}

// Move records the committed position of the spool. All decided loads must have been published.
func (c *Claim) Move(ctx context.Context, to spool.Position, watermark int64) error {
	r := c.record
	r.Position, r.Watermark, r.Load, r.Stage = to, max(watermark, r.Watermark), "", ""
	if err := c.swap(ctx, r); err != nil {
		return fmt.Errorf("record how far %s is committed: %w", r.Edge, err)
	}
	return nil
}

// Owner returns the name of the writers of the claim's loads; see archive.Options. Each turn has another name,
// so an earlier turn cannot remove the stage of a later one.
func (c *Claim) Owner() string { return fmt.Sprintf("%s%010d", owners(c.record.Edge), c.record.Taken) }

// owners returns the common prefix of the owners of all turns.
func owners(edge string) string { return "spool-" + edge + "." }

// Former reports whether an owner belongs to an earlier turn, whose stages cannot be decided any more.
func (c *Claim) Former(owner string) bool {
	number, ok := strings.CutPrefix(owner, owners(c.record.Edge))
	n, err := strconv.ParseUint(number, 10, 64)
	return ok && err == nil && n < c.record.Taken
}

// Commits returns an archive.Order for the claim's loads. next returns the position of the spool behind a load
// that is closed.
func (c *Claim) Commits(next func() spool.Position) *Commits { return &Commits{c, next} }

// Commits commits loads by a claim.
type Commits struct {
	claim *Claim
	next  func() spool.Position
}

// Begin decides a load whose stage is complete: the owner of the claim will publish it. It returns ErrLost if
// the claim has another owner; then the load is dropped.
func (c *Commits) Begin(ctx context.Context, load, stage string) error {
	r := c.claim.record
	r.Position, r.Load, r.Stage = c.next(), load, stage
	if err := c.claim.swap(ctx, r); err != nil {
		return fmt.Errorf("decide load %s: %w", load, err)
	}
	return nil
}

// Had reports whether a stage of this turn was decided.
func (c *Commits) Had(_ context.Context, _, stage string) (bool, error) {
	return stage == c.claim.record.Stage, nil
}

// Check returns the reason why the object of a claim cannot be used.
func Check(name string, data []byte) error {
	_, err := parse(data, strings.TrimSuffix(path.Base(name), ".json"))
	return err
}

// ReadAll returns the records of all claims, by edge. It omits damaged ones; Check finds them.
func ReadAll(ctx context.Context, b store.Bucket) (all []Record, err error) {
	for e, err := range b.List(ctx, naming.Claims+"/") {
		if err != nil {
			return nil, fmt.Errorf("read claims: %w", err)
		}
		edge, ok := strings.CutSuffix(path.Base(e.Name), ".json")
		if !ok {
			continue
		}
		data, err := read(ctx, b, e.Name)
		if err != nil {
			return nil, fmt.Errorf("read claims: %w", err)
		}
		if data == nil {
			continue
		}
		if r, err := parse(data, edge); err == nil {
			all = append(all, r)
		}
	}
	return all, nil
}
