package lake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/pingmill/pingmill/schema"
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
	Made       *Made   `json:"made,omitempty"`
	// Live describes the pings that have rows in a growing partition; nil for any other partition.
	Live *Live `json:"live,omitempty"`
	// Compact lists files that repeat all rows, sorted by sample, for readers that would otherwise open many files.
	Compact []File `json:"compact,omitempty"`
	Files   []File `json:"files"` // after all members that Heads reads
	// Rows and Bytes are the totals of Files.
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
	// LeftOut counts, by column, the values that the rows lack because they exceeded a bound.
	LeftOut map[string]int64 `json:"leftOut,omitempty"`
	// SkippedChecks names the checks that were skipped on request before publication.
	SkippedChecks []string `json:"skippedChecks,omitempty"`
	// Unchecked means that no check ran because the day was incomplete. The run after the day's end makes the
	// partition again.
	Unchecked bool `json:"unchecked,omitempty"`
	RemovedRows
	// Fence counts how often stray files were removed from the partition's folder, in a bucket without
	// folders. See Table.fence.
	Fence int `json:"fence,omitempty"`
}

// RemovedRows describes the generation from which another one was made by removing rows.
type RemovedRows struct {
	Rewritten string `json:"rewritten,omitempty"` // that generation; "": a run made this one
	// Before is the state of that generation for partitions of later days, if there may be such.
	Before string `json:"before,omitempty"`
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

// fingerprints caches the results of Fingerprint.
var fingerprints columnCache[string]

// Fingerprint returns a hash of the columns' names, types and nullability.
func Fingerprint(cols []schema.Column) string {
	print, _ := fingerprints.get(cols, func(cols []schema.Column) (string, error) { return fingerprint(cols), nil })
	return print
}

func fingerprint(cols []schema.Column) string {
	h := sha256.New()
	for _, c := range cols {
		fmt.Fprintf(h, "%s %s %v\n", c.Name, c.Type, c.NotNull)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func (m *Manifest) encode() ([]byte, error) {
	b, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return append(b, '\n'), nil
}
