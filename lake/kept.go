package lake

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"github.com/pingmill/pingmill/store"
)

// keptRoot holds the files that readers may be reading, where the bucket has
// links: for each day those of the published generation and of the ones that it
// replaced a short while ago, side by side, since no two generations of a day
// have files of one name. A published partition has links to some of them.
const keptRoot = "_generations"

// keptName is the object that says what is kept of a day.
const keptName = "_kept.json"

// keptFormat is the version of keptRecord's form.
const keptFormat = 1

// keptRecord says what is in a day's folder under keptRoot.
type keptRecord struct {
	Format int `json:"format"`
	// Whole are the complete generations, with the time since when another one is
	// published; zero: none is.
	Whole map[string]time.Time `json:"whole"`
	// Replaced are the files that the published generation does not have.
	Replaced map[string]replacedFile `json:"replaced,omitempty"`
}

type replacedFile struct {
	Since time.Time `json:"since"`
	Bytes int64     `json:"bytes"`
	// Due says that the time is over: the file stays only for a Holder.
	Due bool `json:"due,omitempty"`
	// Stray says that no manifest is known that named it.
	Stray bool `json:"stray,omitempty"`
}

// keptDir is the folder with the files that are kept of a day.
func (t *Table) keptDir(day string) string { return path.Join(keptRoot, t.dir(day)) }

// Paths says where the files of a published manifest are to be read: it gives
// the name in the bucket for each File's. Where the bucket has links, that is a
// place that a later publication leaves alone for the time of grace, for which it reads one
// small object; in a lake without them, of an older version, or one that was copied without that folder,
// it is the partition's own.
func (t *Table) Paths(ctx context.Context, m *Manifest) func(file string) string {
	dir := t.filesDir(ctx, m)
	return func(file string) string { return path.Join(dir, file) }
}

// filesDir is the folder of Paths.
func (t *Table) filesDir(ctx context.Context, m *Manifest) string {
	if !t.rename {
		return t.dir(m.Day)
	}
	if r, err := t.readKept(ctx, m.Day); err == nil {
		if _, whole := r.Whole[m.Generation]; whole {
			return t.keptDir(m.Day)
		}
	}
	return t.dir(m.Day)
}

// readKept reads what is kept of a day. A missing record matches fs.ErrNotExist.
func (t *Table) readKept(ctx context.Context, day string) (r keptRecord, err error) {
	name := path.Join(t.keptDir(day), keptName)
	b, err := store.ReadFile(ctx, t.bucket, name)
	if err != nil {
		return r, err
	}
	if err = json.Unmarshal(b, &r); err == nil && r.Format != keptFormat {
		err = fmt.Errorf("its format is %d, this program knows %d", r.Format, keptFormat)
	}
	if err != nil {
		return r, fmt.Errorf("read %s: %w: %w", name, errManifest, err)
	}
	return r, nil
}
