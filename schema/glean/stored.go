package glean

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/store"
)

// storedName is an object of the lake. It has the union of all definitions that tables were made with, so that no
// column is ever removed, and all commands know all tables.
const storedName = "_definitions/glean.json"

const storedFormat = 1

// storedFile is the content of the object.
type storedFile struct {
	Format       int             `json:"format"`
	Revision     int             `json:"revision"` // counts the changes
	Changed      time.Time       `json:"changed"`
	Checksum     string          `json:"checksum"` // of the applications, as they are written here
	Applications json.RawMessage `json:"applications"`
}

// Stored returns the definitions in the lake. It returns none if there are none yet, or if the user may not read the
// lake.
func Stored(ctx context.Context, lake store.Bucket) (Definitions, error) {
	defs, _, _, err := readStored(ctx, lake)
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	return defs, err
}

// readStored returns the definitions, with the object and its content. Without an object data is nil.
func readStored(ctx context.Context, lake store.Bucket) (defs Definitions, file storedFile, data []byte, err error) {
	data, err = store.ReadFile(ctx, lake, storedName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, file, nil, nil
	}
	if err != nil {
		return nil, file, nil, fmt.Errorf("read the kept Glean definitions: %w", err)
	}
	file, err = store.ParseState(data, storedFormat, func(f *storedFile) int { return f.Format })
	if err == nil && file.Checksum != checksum(file.Applications) {
		err = errors.New("its checksum is another one")
	}
	if err == nil {
		defs, err = unmarshalStored(file.Applications)
	}
	if err == nil {
		err = defs.complete()
	}
	if err != nil {
		return nil, file, nil, &store.StateError{Name: storedName, Place: store.Place(lake, storedName), Why: err.Error(),
			Mend: "remove it, and run a table once with the definitions of all versions (--definitions)"}
	}
	return defs, file, data, nil
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// complete checks definitions that were read from JSON.
func (d Definitions) complete() error {
	for id, app := range d {
		if slices.Contains(app.Pings, nil) {
			return fmt.Errorf("application %q is incomplete", id)
		}
		for _, m := range app.Metrics {
			if _, known := columnTypes[m.Type]; !known && m.Type != Event {
				return fmt.Errorf("metric %s: type %q: no such type of a metric", m.name(), m.Type)
			}
			if m.column() == "" && m.Type != Event {
				return fmt.Errorf("metric %q has no column", m.name())
			}
			m.from = "earlier definitions"
		}
	}
	return nil
}

// Keep adds definitions to those that the lake keeps, and returns the union. Several processes may call it at a time.
func Keep(ctx context.Context, lake store.Bucket, defs Definitions, now time.Time) (Definitions, error) {
	if len(defs) == 0 {
		stored, _, _, err := readStored(ctx, lake)
		if err != nil {
			return nil, err
		}
		return Joined(stored, defs)
	}
	return changeStored(ctx, lake, now, "keep the Glean definitions", func(stored Definitions) (Definitions, error) {
		all, err := Joined(stored, defs)
		if err == nil {
			all.since(now.UTC().Format(time.DateOnly))
		}
		return all, err
	})
}

// changeStored replaces the stored definitions by what change makes of them, and returns that. It calls change again if another
// process has changed them meanwhile, and writes nothing if they stay equal.
func changeStored(ctx context.Context, lake store.Bucket, now time.Time, what string, change func(Definitions) (Definitions, error),
) (Definitions, error) {
	again := retry.Loop{Policy: retry.Swap, What: what}
	for {
		stored, file, data, err := readStored(ctx, lake)
		if err != nil {
			return nil, err
		}
		all, err := change(stored)
		if err != nil {
			return all, err
		}
		applications, err := marshalStored(all)
		if err != nil || bytes.Equal(applications, file.Applications) {
			return all, err
		}
		err = replaceStored(ctx, lake, data, storedFile{Revision: file.Revision + 1, Changed: now, Applications: applications})
		if errors.Is(err, store.ErrChanged) {
			if err := again.Again(ctx, err); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		return all, nil
	}
}

// replaceStored writes the object with another content. It is store.ErrChanged if its content is not data any more.
func replaceStored(ctx context.Context, lake store.Bucket, data []byte, file storedFile) error {
	file.Format, file.Changed, file.Checksum = storedFormat, file.Changed.UTC().Truncate(time.Second), checksum(file.Applications)
	changed, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return lake.CompareAndSwap(ctx, storedName, data, append(changed, '\n'))
}

// since sets the day of new metrics.
func (d Definitions) since(day string) {
	for _, app := range d {
		for i, m := range app.Metrics {
			if m.Since == "" {
				own := *m
				own.Since, app.Metrics[i] = day, &own
			}
		}
		for i, p := range app.Pings {
			if p.Since == "" {
				own := *p
				own.Since, app.Pings[i] = day, &own
			}
		}
	}
}

// Joined returns the definitions of both, see Union. It is an error if two metrics would have one column, or two
// pings one table.
func Joined(older, newer Definitions) (Definitions, error) {
	all := Union(older, newer)
	for _, app := range all {
		if err := app.check(); err != nil {
			return nil, err
		}
	}
	return all, all.checkNames()
}
