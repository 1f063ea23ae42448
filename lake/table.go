package lake

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Table represents all partitions of one table in a bucket. A partition is the directory of one day; some
// tables have a directory for each sample in it. Its parts have one job each: layout names the objects, manifests
// reads and replaces manifests, retainedFiles retains replaced files for their readers, inspector reads files and finds
// damage. Reading never changes anything. Table's own methods begin, rewrite and remove generations: only one process
// at a time may call Begin, Publish and Recover for a day.
//
// Besides OnPublish, these fields of its parts may be set after Open: Token, Grace, Retainer, Confirm, Footers, Partial.
type Table struct {
	inspector

	// OnPublish, if not nil, is called with each day whose partition was replaced or removed. It must return quickly.
	OnPublish func(t *schema.Table, day string)
}

// Open returns the table in the bucket of its root.
func Open(b store.Bucket, t *schema.Table) *Table {
	l := layout{Schema: t, rename: store.HasDirs(b)}
	return &Table{inspector: inspector{retainedFiles: retainedFiles{manifests: manifests{layout: l, bucket: b}},
		fingerprint: newFingerprint(t)}}
}

// notify reports a changed or removed partition to OnPublish.
func (t *Table) notify(day string) {
	if t.OnPublish != nil {
		t.OnPublish(t.Schema, day)
	}
}

// versionFolders lists the versions of a table that have a folder in the bucket, such as v3 and v4, sorted by
// name. dir is the Dir of the table.
func versionFolders(ctx context.Context, b store.Bucket, dir string) (versions []string, err error) {
	for e, err := range store.Children(ctx, b, dir) {
		if err != nil {
			return nil, fmt.Errorf("list versions of %s: %w", dir, err)
		}
		if folder, is := strings.CutSuffix(e.Name, "/"); is {
			versions = append(versions, path.Base(folder))
		}
	}
	return versions, nil
}
