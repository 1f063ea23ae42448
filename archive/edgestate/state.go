// Package edgestate keeps in the archive what is known of each edge: how far it is decoded, which spool it has, and what decoding
// cannot do.
package edgestate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// writeState publishes what an edge says of itself, as an object of a folder.
func writeState(ctx context.Context, b store.Bucket, dir, edge, name string, state any) error {
	if err := naming.CheckLoad(edge); err != nil {
		return fmt.Errorf("publish the state of an edge: %w", err)
	}
	data, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("publish the state of edge %s: %w", edge, err)
	}
	return store.WriteFile(ctx, b, stateName(dir, name), append(data, '\n'))
}

// EdgeSpool records the spool of an edge, to which the segments of its loads belong.
type EdgeSpool struct {
	Format int    `json:"format"` // 1
	Edge   string `json:"edge"`
	Spool  string `json:"spool"`
}

// SpoolOf returns the last spool of an edge, "" if it is unknown.
func SpoolOf(ctx context.Context, b store.Bucket, edge string) (string, error) {
	name := stateName(naming.Spools, edge)
	data, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the state of edge %s: %w", edge, err)
	}
	s, err := parseSpool(name, data)
	if err != nil {
		return "", StateDamage(b, name, err)
	}
	return s.Spool, nil
}

// SetSpool records the spool that an edge uses from now on.
func SetSpool(ctx context.Context, b store.Bucket, edge, spool string) error {
	return writeState(ctx, b, naming.Spools, edge, edge, EdgeSpool{1, edge, spool})
}

func stateName(dir, name string) string { return dir + "/" + name + ".json" }

// readStates reads what all edges say, by name, and calls damaged with the objects that cannot be used. Objects that go
// meanwhile do not count.
func readStates[T any](ctx context.Context, b store.Bucket, dir string, parse func(name string, data []byte) (T, error),
	damaged func(*store.StateError)) (all []T, err error) {
	for e, err := range b.List(ctx, dir+"/") {
		if err != nil {
			return nil, fmt.Errorf("read the states of edges: %w", err)
		}
		if !strings.HasSuffix(e.Name, ".json") {
			continue
		}
		data, err := store.ReadFile(ctx, b, e.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the states of edges: %w", err)
		}
		state, err := parse(e.Name, data)
		if err != nil {
			damaged(StateDamage(b, e.Name, err))
			continue
		}
		all = append(all, state)
	}
	return all, nil
}

func parseSpool(name string, data []byte) (EdgeSpool, error) {
	s, err := store.ParseState(data, 1, func(s *EdgeSpool) int { return s.Format })
	if err == nil && (s.Edge != nameOfState(name) || s.Spool == "") {
		err = errors.New("it names another edge or no spool")
	}
	return s, err
}

func parseProgress(name string, data []byte) (Progress, error) {
	p, err := store.ParseState(data, 1, func(p *Progress) int { return p.Format })
	if err == nil && p.Edge != nameOfState(name) {
		err = fmt.Errorf("it is of edge %.100q", p.Edge)
	}
	return p, err
}

func parseTrouble(_ string, data []byte) (Trouble, error) {
	return store.ParseState(data, 1, func(t *Trouble) int { return t.Format })
}

// nameOfState returns the last part of the name of a state object.
func nameOfState(name string) string { return strings.TrimSuffix(path.Base(name), ".json") }

// StateDamage returns the error for an unusable state object of the archive, with the command that repairs it.
func StateDamage(b store.Bucket, name string, why error) *store.StateError {
	return &store.StateError{Name: name, Place: store.Place(b, name), Why: why.Error(), Mend: "give it up: pingmill archive drop " + name}
}

// CheckState returns the reason why a state object of an edge cannot be used: progress/, spools/ and trouble/.
func CheckState(name string, data []byte) (err error) {
	switch path.Dir(name) {
	case naming.Progress:
		_, err = parseProgress(name, data)
	case naming.Spools:
		_, err = parseSpool(name, data)
	case naming.Trouble:
		_, err = parseTrouble(name, data)
	}
	return err
}
