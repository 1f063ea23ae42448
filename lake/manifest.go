package lake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// manifestFormat is the version of Manifest's own form.
const manifestFormat = 1

// manifestName begins with an underscore, so that readers of the folder pass it.
const manifestName = "_manifest.json"

// Manifest describes one published partition: its inputs and its files. It holds
// no clock time, so that equal inputs give equal bytes. pingmill's own readers
// trust manifests only.
type Manifest struct {
	Format     int     `json:"format"`
	Table      string  `json:"table"`
	Version    string  `json:"version"`
	Day        string  `json:"day"`        // YYYYMMDD
	Generation string  `json:"generation"` // names this content of the partition
	Columns    string  `json:"columns"`    // fingerprint of the columns, see Fingerprint
	Probes     string  `json:"probes,omitempty"`
	Inputs     []Input `json:"inputs"`
	Parts      []Part  `json:"parts"`
	// Live says which pings have rows in a partition that grows for queries; nil: it is no such partition.
	Live *Live `json:"live,omitempty"`
	// Compact have the same rows once more, all of them in each file, in the order of the
	// samples, for readers that would have to open many.
	Compact []File `json:"compact,omitempty"`
	Files   []File `json:"files"` // behind what Heads reads
	// Rows and Bytes are those of Files.
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
	// SkippedChecks names the checks that were left out, by request, before it
	// was published.
	SkippedChecks []string `json:"skippedChecks,omitempty"`
	// Unchecked says that no check was made, since the day was not over: the run that closes it makes it again.
	Unchecked bool `json:"unchecked,omitempty"`
	// Rewritten names the generation that this one was made from by removing
	// rows. One that a run makes does not have it.
	Rewritten string `json:"rewritten,omitempty"`
	// Fence counts how often files that nobody knows were removed from the partition's
	// folder, in a bucket without folders. See Table.fence.
	Fence int `json:"fence,omitempty"`
}

// Input is one thing that the partition was made from.
type Input struct {
	Name       string `json:"name"`
	Generation string `json:"generation"`
}

// Live is how far the rows of a partition go whose day is not over.
type Live struct {
	Until int64    `json:"until"` // newest arrival of a ping that has a row, in ns since epoch
	Loads []string `json:"loads"` // of the archive, all of whose pings have rows in files that are not open
}

// Part is a range of samples, both ends inclusive, and the work that made it.
// A run over some samples replaces their parts and keeps the others.
type Part struct {
	Lo   int    `json:"lo"`
	Hi   int    `json:"hi"`
	Work string `json:"work"` // names inputs and code; equal work makes equal files
}

// File is one parquet file, named from the partition's folder.
type File struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	Lo     int    `json:"lo"` // samples in it
	Hi     int    `json:"hi"`
	SHA256 string `json:"sha256"`
	// Columns is the fingerprint of the columns of a compact file that has not all.
	Columns string `json:"columns,omitempty"`
	// Samples are those of a compact or live file with all columns, where each sample has its folder: 0,1,4.
	Samples string `json:"samples,omitempty"`
	// OpenFor names the edge whose rows these are when they are not in the
	// archive yet: a next generation has them, and more, in another file.
	OpenFor string `json:"growing,omitempty"`
}

// Covers says whether the samples of a part are in the partition as the same
// work makes them.
func (m *Manifest) Covers(p Part) bool { return slices.Contains(m.Parts, p) }

// sum sets the totals and puts parts and files in order.
func (m *Manifest) sum() {
	sort.Slice(m.Parts, func(i, j int) bool { return m.Parts[i].Lo < m.Parts[j].Lo })
	sort.Slice(m.Files, func(i, j int) bool { return m.Files[i].Name < m.Files[j].Name })
	m.Rows, m.Bytes = 0, 0
	for _, f := range m.Files {
		m.Rows += f.Rows
		m.Bytes += f.Bytes
	}
}

// Fingerprint names a list of columns by their names, types and nullability.
func Fingerprint(cols []schema.Column) string {
	h := sha256.New()
	for _, c := range cols {
		fmt.Fprintf(h, "%s %s %v\n", c.Name, c.Type, c.NotNull)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// readManifest reads the manifest in a folder. A missing one matches
// fs.ErrNotExist.
func (t *Table) readManifest(ctx context.Context, dir string) (*Manifest, error) {
	return t.readAs(ctx, dir, t.parseManifest)
}

func (t *Table) readAs(ctx context.Context, dir string, parse func([]byte) (*Manifest, error)) (*Manifest, error) {
	name := path.Join(dir, manifestName)
	b, err := store.ReadFile(ctx, t.bucket, name)
	if err != nil {
		return nil, err
	}
	m, err := parse(b)
	if err == nil && path.Base(dir) != t.Schema.PartitionDir(m.Day) && path.Base(path.Dir(dir)) != t.Schema.PartitionDir(m.Day) {
		err = fmt.Errorf("it is of day %s", m.Day)
	}
	if err != nil {
		return nil, fmt.Errorf("read manifest %s: %w: %w", name, errManifest, err)
	}
	return m, nil
}

// readAll reads the manifests of days, in a bucket several at a time: it answers slowly.
func (t *Table) readAll(ctx context.Context, days []string, parse func([]byte) (*Manifest, error)) (all []*Manifest, errs []error) {
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

// filesAt begins the list of files in a manifest. It cannot be inside of a text.
var filesAt = []byte(",\n \"files\": [")

// parseHead reads what a manifest says before its files, if it lists compact ones: a hundred times less.
func (t *Table) parseHead(b []byte) (*Manifest, error) {
	if at := bytes.Index(b, filesAt); at > 0 && bytes.HasSuffix(b, []byte("\n}\n")) {
		if m, err := t.parseManifest(append(bytes.Clone(b[:at]), '}')); err == nil && len(m.Compact) > 0 {
			return m, nil
		}
	}
	return t.parseManifest(b)
}

// errManifest marks a manifest that can be read but not used.
var errManifest = errors.New("it cannot be used")

func (t *Table) parseManifest(b []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
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

func (t *Table) writeManifest(ctx context.Context, dir string, m *Manifest) error {
	b, err := m.encode()
	if err != nil {
		return err
	}
	if err := store.WriteFileIn(ctx, t.bucket, dir, manifestName, b); err != nil {
		return fmt.Errorf("write manifest %s: %w", path.Join(dir, manifestName), taken(err))
	}
	return nil
}

func (m *Manifest) encode() ([]byte, error) {
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return append(b, '\n'), nil
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
