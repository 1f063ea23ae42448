// Package accepted records in the lake which partitions an operator accepts unchanged, although the present
// program would make them differently.
package accepted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/pingmill/pingmill/store"
)

const (
	dir    = "_accepted"
	format = 1
)

// Record is the acceptance of one partition. It counts as long as that generation is published, and the program would make it
// by the same work: other inputs or another program need another one.
type Record struct {
	Format     int       `json:"format"` // 1
	Generation string    `json:"generation"`
	Work       string    `json:"work"`
	Causes     []string  `json:"causes"` // why it would be made again
	Reason     string    `json:"reason"` // of the operator
	At         time.Time `json:"at"`
}

// name returns the object name of a partition; prefix returns the prefix of the table and version.
func name(prefix, day string) string { return path.Join(dir, prefix, day+".json") }

// Read returns the record of a partition, nil if there is none. A damaged one counts as none: the partition is stale again.
func Read(ctx context.Context, b store.Bucket, prefix, day string) (*Record, error) {
	data, err := store.ReadFile(ctx, b, name(prefix, day))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is accepted: %w", err)
	}
	r, err := store.ParseState(data, format, func(r *Record) int { return r.Format })
	if err != nil {
		return nil, nil
	}
	return &r, nil
}

// Write records an acceptance in the place of an earlier one.
func Write(ctx context.Context, b store.Bucket, prefix, day string, r Record) error {
	r.Format = format
	data, err := json.Marshal(r)
	if err == nil {
		err = store.WriteFile(ctx, b, name(prefix, day), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("record what is accepted: %w", err)
	}
	return nil
}

// Revoke removes the record of a partition, and reports whether there was one.
func Revoke(ctx context.Context, b store.Bucket, prefix, day string) (was bool, err error) {
	_, err = store.ReadFile(ctx, b, name(prefix, day))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = b.Delete(ctx, name(prefix, day))
	}
	if err != nil {
		return false, fmt.Errorf("revoke what was accepted: %w", err)
	}
	return true, nil
}
