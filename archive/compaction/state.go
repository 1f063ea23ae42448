// Package compaction remembers how far the days of the archive have their smallest form.
package compaction

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

const (
	format = 1
)

// State is the progress of all rounds so far.
type State struct {
	Format     int       `json:"format"`  // 1
	Time       time.Time `json:"time"`    // of the last round's end
	Through    string    `json:"through"` // the last day that was looked at, YYYYMMDD; "": none yet
	Partitions int       `json:"partitions"`
	Before     int64     `json:"before"` // bytes of the files that were replaced, of all rounds
	After      int64     `json:"after"`  // bytes of those in their place
	Failed     string    `json:"failed,omitempty"`
}

// Read reads the state. It returns an empty one before the first round, and for a damaged one, because the
// state is only history: see Check.
func Read(ctx context.Context, b store.Bucket) (s State, err error) {
	data, err := store.ReadFile(ctx, b, naming.CompactionState)
	if errors.Is(err, fs.ErrNotExist) {
		return State{Format: format}, nil
	}
	if err != nil {
		return s, fmt.Errorf("read %s: %w", naming.CompactionState, err)
	}
	if s, err = parse(data); err != nil {
		return State{Format: format}, nil
	}
	return s, nil
}

func parse(data []byte) (State, error) {
	return store.ParseState(data, format, func(s *State) int { return s.Format })
}

// Check returns the reason why the state cannot be used.
func Check(data []byte) error {
	_, err := parse(data)
	return err
}

// Write replaces the state.
func Write(ctx context.Context, b store.Bucket, s State) error {
	s.Format = format
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write %s: %w", naming.CompactionState, err)
	}
	return store.WriteFile(ctx, b, naming.CompactionState, append(data, '\n'))
}

// Notes returns lines about the state for people, none before the first round.
func (s *State) Notes() (all []string) {
	if s.Through != "" {
		all = append(all, fmt.Sprintf("the archive's days up to %s have their smallest form: %s of files became %s",
			s.Through, humanize.Bytes(uint64(max(s.Before, 0))), humanize.Bytes(uint64(max(s.After, 0)))))
	}
	if s.Failed != "" {
		all = append(all, "bringing days of the archive into their smallest form failed, and is tried again: "+s.Failed)
	}
	return all
}
