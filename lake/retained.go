package lake

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"github.com/pingmill/pingmill/store"
)

// retainedName is the object that records a day's retained files.
const retainedName = "_kept.json"

// keptFormat is the version of retainedRecord's form.
const retainedFormat = 1

// retainedRecord describes the content of a day's folder under keptRoot.
type retainedRecord struct {
	Format int `json:"format"`
	// Whole maps each complete generation to the time when another one replaced it; zero while it is published.
	Whole map[string]time.Time `json:"whole"`
	// Replaced lists the files that the published generation does not have.
	Replaced map[string]replacedFile `json:"replaced,omitempty"`
}

type replacedFile struct {
	Since time.Time `json:"since"`
	Bytes int64     `json:"bytes"`
	// Due means that the grace period is over: the file exists only for a Retainer.
	Due bool `json:"due,omitempty"`
	// Stray means that no known manifest named the file.
	Stray bool `json:"stray,omitempty"`
}

// retainedFiles retains the files of replaced generations until their readers have finished.
type retainedFiles struct {
	manifests

	// Grace defines how long replaced files remain for their readers.
	Grace Grace
	// Retainer, if not nil, is asked before replaced files are deleted.
	Retainer Retainer
	// Confirm, if not nil, returns an error if this server may no longer publish the day. It is called
	// immediately before and after readers are switched.
	Confirm func(ctx context.Context, day string) error
}

// Paths returns a function that maps the name of a File to the object to read, for a published manifest. If the bucket
// has links, later publications leave that object alone for the grace period; to know this, Paths reads one small
// object. In a lake without retained files, such as one of an older version or a copy without that folder, it is the
// file in the partition's own folder.
func (t *retainedFiles) Paths(ctx context.Context, m *Manifest) func(file string) string {
	dir := t.filesDir(ctx, m)
	return func(file string) string { return path.Join(dir, file) }
}

// filesDir returns the folder that Paths uses.
func (t *retainedFiles) filesDir(ctx context.Context, m *Manifest) string {
	if !t.rename {
		return t.dir(m.Day)
	}
	if r, err := t.readRetained(ctx, m.Day); err == nil {
		if _, whole := r.Whole[m.Generation]; whole {
			return t.retainedDir(m.Day)
		}
	}
	return t.dir(m.Day)
}

// readRetained reads the record of a day's retained files. If it is missing, the error matches fs.ErrNotExist.
func (t *retainedFiles) readRetained(ctx context.Context, day string) (r retainedRecord, err error) {
	name := path.Join(t.retainedDir(day), retainedName)
	b, err := store.ReadFile(ctx, t.bucket, name)
	if err != nil {
		return r, err
	}
	if err = json.Unmarshal(b, &r); err == nil && r.Format > retainedFormat {
		return r, fmt.Errorf("read %s: %w: its format is %d, this program knows %d: upgrade", name, ErrNewer, r.Format, retainedFormat)
	} else if err == nil && r.Format != retainedFormat {
		err = fmt.Errorf("its format is %d, this program knows %d", r.Format, retainedFormat)
	}
	if err != nil {
		return r, fmt.Errorf("read %s: %w: %w", name, errManifest, err)
	}
	return r, nil
}

// readDir returns the folder from which readers read the files of a manifest.
func (t *retainedFiles) readDir(ctx context.Context, m *Manifest) string {
	return path.Clean(t.Paths(ctx, m)(""))
}
