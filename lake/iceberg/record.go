package iceberg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// recordFormat is the version of the forms of record and state.
const recordFormat = 1

// record defines which files of a day snapshots of a table may name: it has them before a snapshot does.
type record struct {
	Format int `json:"format"`
	// Files are by their name in manifests of the lake, each with the sequence number of the first snapshot that does
	// not name it any more; 0: the current one does, or is about to.
	Files map[string]int64 `json:"files"`

	was []byte // the object, nil: there is none
}

// recordName returns the object with the record of a day.
func recordName(t *schema.Table, day string) string {
	return path.Join(dir(t), "named", t.PartitionDir(day)+".json")
}

// readRecord reads the record of a day, an empty one if there is none.
func readRecord(ctx context.Context, b store.Bucket, t *schema.Table, day string) (*record, error) {
	name := recordName(t, day)
	r := &record{Format: recordFormat, Files: map[string]int64{}}
	text, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if err = json.Unmarshal(text, r); err == nil && (r.Format != recordFormat || r.Files == nil) {
		err = fmt.Errorf("its format is %d, this program knows %d", r.Format, recordFormat)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	r.was = text
	return r, nil
}

// write replaces the record that was read. Where another server has replaced it meanwhile the error matches store.ErrChanged.
func (r *record) write(ctx context.Context, b store.Bucket, t *schema.Table, day string) error {
	var text []byte
	if len(r.Files) > 0 {
		var err error
		if text, err = json.Marshal(r); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	if text == nil && r.was == nil {
		return nil
	}
	if err := b.CompareAndSwap(ctx, recordName(t, day), r.was, text); err != nil {
		return err
	}
	r.was = text
	return nil
}

// name adds files that a snapshot is about to name.
func (r *record) name(files []dataFile) (changed bool) {
	for _, f := range files {
		if was, is := r.Files[f.Name]; !is || was != 0 {
			r.Files[f.Name], changed = 0, true
		}
	}
	return changed
}

// drop says of all files but some that the snapshot of a sequence number does not name them.
func (r *record) drop(but []dataFile, sequence int64) (changed bool) {
	stays := map[string]bool{}
	for _, f := range but {
		stays[f.Name] = true
	}
	for name, dropped := range r.Files {
		if dropped == 0 && !stays[name] {
			r.Files[name], changed = sequence, true
		}
	}
	return changed
}

// release forgets the files that no snapshot names: the oldest there is has a sequence number.
func (r *record) release(oldest int64) (changed bool) {
	for name, dropped := range r.Files {
		if dropped > 0 && dropped <= oldest {
			delete(r.Files, name)
			changed = true
		}
	}
	return changed
}

// last returns the highest sequence number of a snapshot that has dropped a file, 0 for none.
func (r *record) last() (sequence int64) {
	for _, dropped := range r.Files {
		sequence = max(sequence, dropped)
	}
	return sequence
}

func readJSON(ctx context.Context, b store.Bucket, name string, v any) error {
	text, err := store.ReadFile(ctx, b, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

func writeJSON(ctx context.Context, b store.Bucket, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return store.WriteFile(ctx, b, name, append(text, '\n'))
}
