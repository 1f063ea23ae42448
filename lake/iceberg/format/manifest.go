package format

import (
	"bytes"
	_ "embed" // the schemas
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Status is the effect of a snapshot on a file.
type Status int32

// The states of entries.
const (
	Existing Status = iota
	Added
	Deleted
)

// Entry is a file in a manifest.
type Entry struct {
	Status       Status   `avro:"status"`
	SnapshotID   *int64   `avro:"snapshot_id"`          // that added or deleted it; nil: that of the manifest
	Sequence     *int64   `avro:"sequence_number"`      // nil: that of the manifest
	FileSequence *int64   `avro:"file_sequence_number"` // the same
	File         DataFile `avro:"data_file"`
}

// DataFile is a file with rows.
type DataFile struct {
	Content   int32          `avro:"content"` // 0: data
	Path      string         `avro:"file_path"`
	Format    string         `avro:"file_format"`
	Partition map[string]any `avro:"partition"`
	Rows      int64          `avro:"record_count"`
	Bytes     int64          `avro:"file_size_in_bytes"`
	Lower     *[]Bound       `avro:"lower_bounds"` // nil: none is known
	Upper     *[]Bound       `avro:"upper_bounds"`
}

// Bound is a limit of the values of a column, as the format writes single values.
type Bound struct {
	ID    int32  `avro:"key"`
	Value []byte `avro:"value"`
}

// Bounds has a lower and an upper bound of a column's texts.
func (f *DataFile) Bounds(id int, lower, upper string) {
	f.Lower, f.Upper = &[]Bound{{int32(id), []byte(lower)}}, &[]Bound{{int32(id), []byte(upper)}}
}

// ManifestFile is a manifest in a list.
type ManifestFile struct {
	Path         string     `avro:"manifest_path"`
	Length       int64      `avro:"manifest_length"`
	SpecID       int32      `avro:"partition_spec_id"`
	Content      int32      `avro:"content"` // 0: data
	Sequence     int64      `avro:"sequence_number"`
	MinSequence  int64      `avro:"min_sequence_number"`
	SnapshotID   int64      `avro:"added_snapshot_id"`
	Added        int32      `avro:"added_files_count"`
	Existing     int32      `avro:"existing_files_count"`
	Deleted      int32      `avro:"deleted_files_count"`
	AddedRows    int64      `avro:"added_rows_count"`
	ExistingRows int64      `avro:"existing_rows_count"`
	DeletedRows  int64      `avro:"deleted_rows_count"`
	Partitions   *[]Summary `avro:"partitions"`
}

// Live counts the files of a manifest that are part of the table.
func (m *ManifestFile) Live() int32 { return m.Added + m.Existing }

// Rows counts the rows of its live files.
func (m *ManifestFile) Rows() int64 { return m.AddedRows + m.ExistingRows }

// Summary holds the bounds and null flags of a partition field.
type Summary struct {
	Null  bool    `avro:"contains_null"`
	NaN   *bool   `avro:"contains_nan"`
	Lower *[]byte `avro:"lower_bound"`
	Upper *[]byte `avro:"upper_bound"`
}

// Count fills in what a manifest says of its entries, which are of a snapshot with a sequence number.
func (m *ManifestFile) Count(entries []Entry, sequence int64) {
	m.Sequence, m.MinSequence = sequence, int64(math.MaxInt64)
	for i := range entries {
		e := &entries[i]
		switch e.Status {
		case Added:
			m.Added++
			m.AddedRows += e.File.Rows
		case Existing:
			m.Existing++
			m.ExistingRows += e.File.Rows
		case Deleted:
			m.Deleted++
			m.DeletedRows += e.File.Rows
			continue
		}
		own := sequence
		if e.Sequence != nil {
			own = *e.Sequence
		}
		m.MinSequence = min(m.MinSequence, own)
	}
	m.MinSequence = min(m.MinSequence, sequence)
}

//go:embed entry.avsc
var entrySchema string

//go:embed manifest_file.avsc
var listSchema string

var manifestList = sync.OnceValue(func() *avro.Schema { return avro.MustParse(listSchema) })

// partitionField matches the member of entries for the partition.
var partitionField = lazy.Regexp(`\{"name": "DAY".*?\}`)

// entries returns the schema of the entries of a spec with one text column, which gives the member its name, or with
// none.
func entries(spec *Spec) (*avro.Schema, error) {
	switch len(spec.Fields) {
	case 0:
		return avro.Parse(partitionField().ReplaceAllString(entrySchema, ""))
	case 1:
	default:
		return nil, fmt.Errorf("the table is partitioned by %d values: want one, the day", len(spec.Fields))
	}
	name, err := json.Marshal(spec.Fields[0].Name)
	if err != nil {
		return nil, err
	}
	return avro.Parse(strings.ReplaceAll(entrySchema, `"DAY"`, string(name)))
}

// EncodeManifest writes a manifest of data files.
func EncodeManifest(s *Schema, spec *Spec, all []Entry) ([]byte, error) {
	as, err := entries(spec)
	if err != nil {
		return nil, err
	}
	schema, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	fields, err := json.Marshal(spec.Fields)
	if err != nil {
		return nil, err
	}
	return encode(as, all, map[string]string{
		"schema": string(schema), "schema-id": strconv.Itoa(s.ID),
		"partition-spec": string(fields), "partition-spec-id": strconv.Itoa(spec.ID),
		"format-version": strconv.Itoa(Version), "content": "data",
	})
}

// EncodeList writes the list of the manifests of a snapshot.
func EncodeList(s *Snapshot, all []ManifestFile) ([]byte, error) {
	parent := "null"
	if s.Parent != nil {
		parent = strconv.FormatInt(*s.Parent, 10)
	}
	return encode(manifestList(), all, map[string]string{
		"snapshot-id": strconv.FormatInt(s.ID, 10), "parent-snapshot-id": parent,
		"sequence-number": strconv.FormatInt(s.Sequence, 10), "format-version": strconv.Itoa(Version),
	})
}

func encode[T any](schema *avro.Schema, all []T, meta map[string]string) ([]byte, error) {
	header := map[string][]byte{}
	for name, value := range meta {
		header[name] = []byte(value)
	}
	var b bytes.Buffer
	w, err := ocf.NewWriter(&b, schema, ocf.WithCodec(ocf.DeflateCodec(-1)), ocf.WithMetadata(header))
	if err != nil {
		return nil, err
	}
	for i := range all {
		if err := w.Encode(&all[i]); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// DecodeManifest reads the entries of a manifest.
func DecodeManifest(b []byte) ([]Entry, error) {
	all, err := decode[Entry](b, "manifest")
	for i := range all {
		if e := &all[i]; err == nil && (e.Status < Existing || e.Status > Deleted || e.File.Path == "" || e.File.Rows < 0) {
			err = fmt.Errorf("read manifest: entry %d is of no file", i)
		}
	}
	return all, err
}

// DecodeList reads a list of manifests.
func DecodeList(b []byte) ([]ManifestFile, error) {
	all, err := decode[ManifestFile](b, "list of manifests")
	for i := range all {
		if err == nil && all[i].Path == "" {
			err = fmt.Errorf("read list of manifests: manifest %d has no path", i)
		}
	}
	return all, err
}

// maxBlock limits the bytes of a manifest that are unpacked at a time.
const maxBlock = 64 << 20

func decode[T any](b []byte, what string) (all []T, err error) {
	r, err := ocf.NewReader(bytes.NewReader(b), ocf.WithMaxBlockBytes(maxBlock), ocf.WithMaxDecompressedBlockBytes(maxBlock))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	defer r.Close()
	if v := string(r.Metadata()["format-version"]); v != "" && v != strconv.Itoa(Version) {
		return nil, fmt.Errorf("read %s: its format version is %s, want %d", what, v, Version)
	}
	for {
		var one T
		if err := r.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", what, err)
		}
		all = append(all, one)
	}
}
