// Package statefile finds damaged state objects of the archive, the small ones with the progress of work, and abandons
// them.
package statefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/compaction"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/store"
)

// stateKind is one kind of the archive's state objects.
type stateKind struct {
	prefix string
	check  func(name string, data []byte) error
	// given describes the consequence of dropping an object.
	given string
	// many means there may be one object per load; it is read only if needed.
	many bool
}

// forgetDir is the folder of the bucket of deletion requests in the archive.
const forgetDir = naming.Forget + "/"

// top returns the first part of a folder's name, with a slash at the end: it covers all versions of the objects in it.
func top(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first + "/"
}

var stateKinds = []stateKind{
	{top(naming.Progress), edgestate.CheckState, "days do not wait for the edge until it is decoded again", false},
	{top(naming.Spools), edgestate.CheckState, "the spool that is decoded next for the edge counts as the one that it always had", false},
	{top(naming.Trouble), edgestate.CheckState, "", false},
	{top(naming.Claims), claim.Check, "what the topic still has is decoded again, and may be in the archive twice", false},
	{top(naming.CompactionState), func(_ string, data []byte) error { return compaction.Check(data) }, "", false},
	{top(naming.Seen), func(_ string, data []byte) error { return ingest.ReadSeen(data, func(ingest.Seen) {}) },
		"submissions of its load may come in twice", true},
	{forgetDir + "requests/", checkForget, "its clients are not hidden any more: make the request again, by pingmill delete", false},
	{forgetDir + "removed/", checkForget,
		"clients that were removed may come back with a later load or from a backup: make their requests again, by pingmill delete", false},
	{forgetDir + "running/", checkForget, "the next removal begins with all days", false},
	{forgetDir + "checked/", checkForget, "the next removal looks at all loads", false},
	{forgetDir + "cycles/", checkForget, "the record of that removal is gone", false},
}

func checkForget(name string, data []byte) error {
	return forget.Check(strings.TrimPrefix(name, forgetDir), data)
}

// Find finds the damaged state objects of the archive, with the command that mends each. It passes over those that this
// user may not read.
func Find(ctx context.Context, b store.Bucket) (damaged []*store.StateError, err error) {
	for _, k := range stateKinds {
		if k.many {
			continue
		}
		for e, err := range b.List(ctx, k.prefix) {
			if errors.Is(err, fs.ErrPermission) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("look for damaged state: %w", err)
			}
			why, err := k.look(ctx, b, e.Name)
			if err != nil {
				return nil, err
			}
			if why != nil {
				damaged = append(damaged, edgestate.StateDamage(b, e.Name, why))
			}
		}
	}
	return damaged, nil
}

// look explains why an object cannot be used; nil for one that can, that was removed, or that this user may not read.
func (k *stateKind) look(ctx context.Context, b store.Bucket, name string) (why, err error) {
	data, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for damaged state: %w", err)
	}
	return k.check(name, data), nil
}

// Is reports whether name is the name of a state object rather than of a file of pings.
func Is(name string) bool { return kindOf(name) != nil }

func kindOf(name string) *stateKind {
	for i := range stateKinds {
		if strings.HasPrefix(name, stateKinds[i].prefix) {
			return &stateKinds[i]
		}
	}
	return nil
}

// Drop removes a damaged state object and returns the consequence. It refuses an intact one.
func Drop(ctx context.Context, b store.Bucket, name string) (follows string, err error) {
	k := kindOf(name)
	if k == nil {
		return "", fmt.Errorf("give up %s: it is no state of the archive", name)
	}
	data, err := store.ReadFile(ctx, b, name)
	if err != nil {
		return "", fmt.Errorf("give up %s: %w", name, err)
	}
	if k.check(name, data) == nil {
		return "", fmt.Errorf("give up %s: it is whole", name)
	}
	if err := b.Delete(ctx, name); err != nil {
		return "", fmt.Errorf("give up %s: %w", name, err)
	}
	return k.given, nil
}
