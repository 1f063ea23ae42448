package forget

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Piece is the part of a cycle that one remover does: a day, or the tables of a day that also need earlier days. The archive has
// an object for each one that is done. Done again, after a remover that died, it finds nothing more to remove.
type Piece struct {
	Format int    `json:"format"` // 1
	Day    string `json:"day"`
	Late   bool   `json:"late,omitempty"` // the tables that need earlier days
	Server string `json:"server,omitempty"`

	Changes []Change `json:"changes,omitempty"`
	Damaged []string `json:"damaged,omitempty"` // as in Cycle
	Newer   []string `json:"newer,omitempty"`

	// Left lists the tables that wait for earlier days, as TABLE/VERSION, and Moved the generations of their inputs before and
	// after.
	Left  []string             `json:"left,omitempty"`
	Moved map[string][2]string `json:"moved,omitempty"`
}

// Name names the piece within its cycle.
func (p *Piece) Name() string {
	name := cmp.Or(p.Day, "none")
	if p.Late {
		name += ".late"
	}
	return name
}

// Pieces holds the pieces of a cycle that are done, by name.
type Pieces map[string]*Piece

// Occasion names a cycle, for the loads of the archive that it makes and the objects of its pieces.
func (c *Cycle) Occasion() string { return fmt.Sprintf("%d-%d", c.Began.UnixNano(), c.Made) }

// piecesDir has a folder for each cycle, but only of the one under way anything in it.
const piecesDir = "running/v1/pieces/"

func (c *Cycle) piecesDir() string { return piecesDir + c.Occasion() + "/" }

// Progress keeps which pieces of a cycle are done.
type Progress struct {
	Pieces

	registry *Registry
	cycle    *Cycle
}

// Progress returns the progress of a cycle, before anything is read of it.
func (r *Registry) Progress(c *Cycle) *Progress { return &Progress{Pieces{}, r, c} }

// IsRunning reports whether the cycle is still the one under way.
func (p *Progress) IsRunning(ctx context.Context) (bool, error) {
	now, err := p.registry.cycle(ctx, runningName)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errState) {
		return false, nil
	}
	return err == nil && now.Occasion() == p.cycle.Occasion(), err
}

// Hold records for what a cycle waits whose days are done.
func (r *Registry) Hold(ctx context.Context, c *Cycle, held []string) error {
	before, err := store.ReadFile(ctx, r.bucket, runningName)
	if err != nil {
		return err
	}
	now, err := parseCycle(before)
	if err != nil || now.Occasion() != c.Occasion() {
		return err
	}
	now.Held = held
	data, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("write %s: %w", runningName, err)
	}
	return r.bucket.CompareAndSwap(ctx, runningName, before, append(data, '\n'))
}

func (p *Progress) object(name string) string { return p.cycle.piecesDir() + name + ".json" }

// Save records that a piece is done.
func (p *Progress) Save(ctx context.Context, one *Piece) error {
	one.Format = pieceFormat
	data, err := json.Marshal(one)
	if err != nil {
		return fmt.Errorf("write piece %s: %w", one.Name(), err)
	}
	return store.WriteFile(ctx, p.registry.bucket, p.object(one.Name()), append(data, '\n'))
}

// Has reports whether a piece is recorded as done, also since the last Read.
func (p *Progress) Has(ctx context.Context, one *Piece) (bool, error) {
	_, err := p.read(ctx, p.object(one.Name()))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errState) {
		return false, nil
	}
	return err == nil, err
}

// Read adds the pieces that were recorded since the last call. A damaged one counts as not done.
func (p *Progress) Read(ctx context.Context) error {
	for e, err := range p.registry.bucket.List(ctx, p.cycle.piecesDir()) {
		if err != nil {
			return fmt.Errorf("list the pieces of a removal: %w", err)
		}
		name := strings.TrimSuffix(path.Base(e.Name), ".json")
		if p.Pieces[name] != nil {
			continue
		}
		one, err := p.read(ctx, e.Name)
		if errors.Is(err, errState) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		p.Pieces[one.Name()] = one
	}
	return nil
}

func (p *Progress) read(ctx context.Context, name string) (*Piece, error) {
	data, err := store.ReadFile(ctx, p.registry.bucket, name)
	if err != nil {
		return nil, err
	}
	one, err := parsePiece(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", store.Place(p.registry.bucket, name), err)
	}
	return one, nil
}

func parsePiece(data []byte) (*Piece, error) {
	var p Piece
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("%w (%w)", errState, err)
	}
	if p.Format != pieceFormat {
		return nil, fmt.Errorf("its format is %d, this program knows %d", p.Format, pieceFormat)
	}
	return &p, nil
}

// With returns the cycle with what its pieces have done.
func (c *Cycle) With(done Pieces) *Cycle {
	all := *c
	all.Changes, all.Damaged, all.Newer = slices.Clone(c.Changes), slices.Clone(c.Damaged), slices.Clone(c.Newer)
	for _, day := range c.Days[c.Done:] {
		if done.Whole(day) {
			all.Done++
		}
		for _, late := range []bool{false, true} {
			if p := done.Find(day, late); p != nil {
				all.Changes = append(all.Changes, p.Changes...)
				all.Damaged, all.Newer = append(all.Damaged, p.Damaged...), append(all.Newer, p.Newer...)
			}
		}
	}
	return &all
}

// Find returns a piece of a day, nil if it is not done.
func (d Pieces) Find(day string, late bool) *Piece { return d[(&Piece{Day: day, Late: late}).Name()] }

// Whole reports whether all of a day is done.
func (d Pieces) Whole(day string) bool {
	p := d.Find(day, false)
	return p != nil && (len(p.Left) == 0 || d.Find(day, true) != nil)
}

// Open returns the pieces of a cycle that can be done now, oldest day first. The late part of a day needs all of the earlier days.
func (d Pieces) Open(c *Cycle) (all []*Piece) {
	earlier := true
	for _, day := range c.Days[c.Done:] {
		switch {
		case d.Find(day, false) == nil:
			all = append(all, &Piece{Day: day})
		case !d.Whole(day) && earlier:
			all = append(all, &Piece{Day: day, Late: true})
		}
		earlier = earlier && d.Whole(day)
	}
	return all
}

// Ready reports whether all days of a cycle before one are done.
func (d Pieces) Ready(c *Cycle, day string) bool {
	for _, earlier := range c.Days[c.Done:] {
		if earlier >= day {
			break
		}
		if !d.Whole(earlier) {
			return false
		}
	}
	return true
}
