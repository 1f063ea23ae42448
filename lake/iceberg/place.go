package iceberg

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/iceberg/format"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// folder holds, in the root of a table, what is the follower's: below it, by table, metadata and records.
const folder = "_iceberg"

// place is a table's root: a bucket, and the URL that other programs know it by.
type place struct {
	bucket store.Bucket
	url    string // without a slash at the end
}

func placeOf(b store.Bucket) (place, error) {
	at := strings.TrimSuffix(store.Place(b, folder), "/"+folder)
	switch {
	case filepath.IsAbs(at):
		return place{b, "file://" + filepath.ToSlash(at)}, nil
	case strings.Contains(at, "://"):
		return place{b, at}, nil
	}
	return place{}, errors.New("its bucket has no URL that other programs could know it by")
}

// location returns the URL by which other programs find an object.
func (p place) location(name string) string { return p.url + "/" + name }

// name returns the object at a location.
func (p place) name(location string) (string, error) {
	name, ok := strings.CutPrefix(location, p.url+"/")
	if !ok {
		// A path of the local disk may have one slash or three.
		name, ok = strings.CutPrefix(strings.TrimPrefix(location, "file:"), strings.TrimPrefix(p.url, "file://")+"/")
	}
	if !ok || store.CheckName(name) != nil {
		return "", fmt.Errorf("%s is not in %s", location, p.url)
	}
	return name, nil
}

// Read implements catalog.Files.
func (p place) Read(ctx context.Context, location string) ([]byte, error) {
	name, err := p.name(location)
	if err != nil {
		return nil, err
	}
	r, err := p.bucket.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	size := r.Size()
	if err := r.Close(); err != nil || size > format.MaxMetadata {
		return nil, errors.Join(err, fmt.Errorf("it has %d bytes, at most %d are read", size, format.MaxMetadata))
	}
	return store.ReadFile(ctx, p.bucket, name)
}

// Write implements catalog.Files.
func (p place) Write(ctx context.Context, location string, b []byte) error {
	name, err := p.name(location)
	if err != nil {
		return err
	}
	return store.WriteFile(ctx, p.bucket, name, b)
}

// Delete implements catalog.Files.
func (p place) Delete(ctx context.Context, location string) error {
	name, err := p.name(location)
	if err != nil {
		return err
	}
	return p.bucket.Delete(ctx, name)
}

// dir returns the follower's folder of a table.
func dir(t *schema.Table) string { return path.Join(folder, t.Prefix()) }

// metadataDir returns the folder of a table's lists and manifests.
func metadataDir(t *schema.Table) string { return path.Join(dir(t), "metadata") }

// unique returns a name that no other file has, from which the time is known when it was made.
func unique() string {
	if id, err := uuid.NewV7(); err == nil {
		return id.String()
	}
	return uuid.NewString()
}

// madeAt returns the time in a name that unique has made.
func madeAt(name string) (time.Time, bool) {
	id, err := uuid.Parse(name)
	if err != nil || id.Version() != 7 {
		return time.Time{}, false
	}
	return time.Unix(id.Time().UnixTime()), true
}

// content names the files of a day that a manifest has: the generation, and what they are.
type content struct{ day, generation, files string }

// manifestName returns the name of a manifest of a day. The list of manifests says by it what of the table is current,
// without a look into any.
func (c content) manifestName() string {
	return strings.Join([]string{c.day, c.generation, c.files, unique()}, ".") + ".avro"
}

// contentOf parses a name that manifestName made; ok is false for manifests of other programs.
func contentOf(location string) (c content, ok bool) {
	parts := strings.Split(path.Base(location), ".")
	if len(parts) != 5 || parts[4] != "avro" {
		return content{}, false
	}
	return content{parts[0], parts[1], parts[2]}, true
}

// dataFile is a file of a partition that the table names.
type dataFile struct {
	lake.File // as the manifest of the lake has it

	location string
}

// dataFiles returns the files of a partition that the table names: the compact one with all columns, if there is one,
// or else all others.
func (p place) dataFiles(ctx context.Context, lt *lake.Table, m *lake.Manifest) (all []dataFile) {
	at := lt.Paths(ctx, m)
	for _, f := range m.Compact {
		if f.Columns == "" && f.Rows == m.Rows {
			return []dataFile{{f, p.location(at(f.Name))}}
		}
	}
	for _, f := range m.Files {
		if f.Rows > 0 {
			all = append(all, dataFile{f, p.location(at(f.Name))})
		}
	}
	return all
}
