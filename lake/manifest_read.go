package lake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/store"
)

// readManifest reads the manifest in a folder. If it is missing, the error matches fs.ErrNotExist.
func (t *manifests) readManifest(ctx context.Context, dir string) (*Manifest, error) {
	return t.readAs(ctx, dir, t.parseManifest)
}

func (t *manifests) readAs(ctx context.Context, dir string, parse func([]byte) (*Manifest, error)) (*Manifest, error) {
	name := path.Join(dir, manifestName)
	b, err := store.ReadFile(ctx, t.bucket, name)
	if err != nil {
		return nil, err
	}
	m, err := parse(b)
	if err == nil && path.Base(dir) != t.Schema.PartitionDir(m.Day) && path.Base(path.Dir(dir)) != t.Schema.PartitionDir(m.Day) {
		err = fmt.Errorf("it is of day %s", m.Day)
	}
	if errors.Is(err, ErrNewer) { // no damage, which a run would mend
		return nil, fmt.Errorf("read manifest %s: %w", name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read manifest %s: %w: %w", name, errManifest, err)
	}
	return m, nil
}

// readAll reads the manifests of days; several concurrently in a bucket of an object store, where each
// request takes long.
func (t *manifests) readAll(ctx context.Context, days []string, parse func([]byte) (*Manifest, error)) (all []*Manifest, errs []error) {
	all, errs = make([]*Manifest, len(days)), make([]error, len(days))
	var group errgroup.Group
	if group.SetLimit(1); !t.rename {
		group.SetLimit(atOnce)
	}
	for i, day := range days {
		group.Go(func() error {
			all[i], errs[i] = t.readAs(ctx, t.dir(day), parse)
			return nil
		})
	}
	_ = group.Wait() // each day has its error
	return all, errs
}

// filesAt begins the list of files in a manifest. It cannot occur in a JSON string.
var filesAt = []byte(",\n \"files\": [")

// parseHead parses only the manifest's members before its files, if it lists compact files: a hundred times
// fewer bytes.
func (t *manifests) parseHead(b []byte) (*Manifest, error) {
	if at := bytes.Index(b, filesAt); at > 0 && bytes.HasSuffix(b, []byte("\n}\n")) {
		if m, err := t.parseManifest(append(bytes.Clone(b[:at]), '}')); err == nil && len(m.Compact) > 0 {
			return m, nil
		}
	}
	return t.parseManifest(b)
}

// errManifest means that a manifest was read but cannot be used.
var errManifest = errors.New("it cannot be used")

func (t *manifests) parseManifest(b []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	if m.Format > manifestFormat {
		return nil, fmt.Errorf("%w: its format is %d, this program knows %d: upgrade", ErrNewer, m.Format, manifestFormat)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("its format is %d, this program knows %d", m.Format, manifestFormat)
	}
	if m.Table != t.Schema.Name || m.Version != t.Schema.Version {
		return nil, fmt.Errorf("it is of %s %s, want %s %s: move the folder away or run with the version that wrote it",
			m.Table, m.Version, t.Schema.Name, t.Schema.Version)
	}
	for _, f := range m.All() {
		if err := store.CheckName(f.Name); err != nil {
			return nil, err
		}
	}
	return &m, nil
}

func (t *manifests) writeManifest(ctx context.Context, dir string, m *Manifest) error {
	b, err := m.encode()
	if err != nil {
		return err
	}
	if err := store.WriteFileIn(ctx, t.bucket, dir, manifestName, b); err != nil {
		return fmt.Errorf("write manifest %s: %w", path.Join(dir, manifestName), taken(err))
	}
	return nil
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
