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

// manifestFormat is the version of Manifest's format.
const manifestFormat = 1

// manifestName begins with an underscore, so that engines that read the folder skip it.
const manifestName = "_manifest.json"

// Manifest describes one published partition with its inputs and files. It contains no clock time, so that
// equal inputs produce equal bytes. pingmill's own readers trust manifests only.
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
	// Live describes the pings that have rows in a growing partition; nil for any other partition.
	Live *Live `json:"live,omitempty"`
	// Compact lists files that repeat all rows, sorted by sample, for readers that would otherwise open many files.
	Compact []File `json:"compact,omitempty"`
	Files   []File `json:"files"` // after all members that Heads reads
	// Rows and Bytes are the totals of Files.
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
	// SkippedChecks names the checks that were skipped on request before publication.
	SkippedChecks []string `json:"skippedChecks,omitempty"`
	// Unchecked means that no check ran because the day was incomplete. The run after the day's end makes the
	// partition again.
	Unchecked bool `json:"unchecked,omitempty"`
	// Rewritten names the generation from which this one was made by removing rows. It is empty if a run made
	// this one.
	Rewritten string `json:"rewritten,omitempty"`
	// Fence counts how often stray files were removed from the partition's folder, in a bucket without
	// folders. See Table.fence.
	Fence int `json:"fence,omitempty"`
}

// Input names one source of the partition and its generation.
type Input struct {
	Name       string `json:"name"`
	Generation string `json:"generation"`
}

// Live describes how far the rows of a growing partition reach.
type Live struct {
	Until int64    `json:"until"` // newest arrival of a ping that has a row, in ns since epoch
	Loads []string `json:"loads"` // archive loads whose pings all have rows in files that are not open
}

// Part is a range of samples, both ends inclusive, and the work that made it. A run over some samples
// replaces their parts and leaves the others.
type Part struct {
	Lo   int    `json:"lo"`
	Hi   int    `json:"hi"`
	Work string `json:"work"` // names inputs and code; equal work makes equal files
}

// File describes one parquet file; Name is relative to the partition's folder.
type File struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	Lo     int    `json:"lo"` // samples in it
	Hi     int    `json:"hi"`
	SHA256 string `json:"sha256"`
	// Columns is the fingerprint of a compact file's columns, if it does not have all.
	Columns string `json:"columns,omitempty"`
	// Samples lists the samples of a compact or live file with all columns, if each sample has its own folder: 0,1,4.
	Samples string `json:"samples,omitempty"`
	// OpenFor names the edge whose rows the file has, if they are not in the archive yet. The next generation
	// contains them and more rows in another file.
	OpenFor string `json:"growing,omitempty"`
}

// Covers reports whether the partition already has this part, made by the same work.
func (m *Manifest) Covers(p Part) bool { return slices.Contains(m.Parts, p) }

// sum sets the totals and sorts parts and files.
func (m *Manifest) sum() {
	sort.Slice(m.Parts, func(i, j int) bool { return m.Parts[i].Lo < m.Parts[j].Lo })
	sort.Slice(m.Files, func(i, j int) bool { return m.Files[i].Name < m.Files[j].Name })
	m.Rows, m.Bytes = 0, 0
	for _, f := range m.Files {
		m.Rows += f.Rows
		m.Bytes += f.Bytes
	}
}

// Fingerprint returns a hash of the columns' names, types and nullability.
func Fingerprint(cols []schema.Column) string {
	h := sha256.New()
	for _, c := range cols {
		fmt.Fprintf(h, "%s %s %v\n", c.Name, c.Type, c.NotNull)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// readManifest reads the manifest in a folder. If it is missing, the error matches fs.ErrNotExist.
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

// readAll reads the manifests of days; several concurrently in a bucket of an object store, where each
// request takes long.
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

// filesAt begins the list of files in a manifest. It cannot occur in a JSON string.
var filesAt = []byte(",\n \"files\": [")

// parseHead parses only the manifest's members before its files, if it lists compact files: a hundred times
// fewer bytes.
func (t *Table) parseHead(b []byte) (*Manifest, error) {
	if at := bytes.Index(b, filesAt); at > 0 && bytes.HasSuffix(b, []byte("\n}\n")) {
		if m, err := t.parseManifest(append(bytes.Clone(b[:at]), '}')); err == nil && len(m.Compact) > 0 {
			return m, nil
		}
	}
	return t.parseManifest(b)
}

// errManifest means that a manifest was read but cannot be used.
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
