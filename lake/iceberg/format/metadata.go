package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Version is the version of the table format.
const Version = 2

// MainBranch is the branch that readers read.
const MainBranch = "main"

// MappingProperty is the property with the name mapping.
const MappingProperty = "schema.name-mapping.default"

// Metadata is the metadata of a table.
type Metadata struct {
	FormatVersion     int               `json:"format-version"`
	UUID              string            `json:"table-uuid"`
	Location          string            `json:"location"`
	LastSequence      int64             `json:"last-sequence-number"`
	LastUpdated       int64             `json:"last-updated-ms"`
	LastColumnID      int               `json:"last-column-id"`
	CurrentSchemaID   int               `json:"current-schema-id"`
	Schemas           []Schema          `json:"schemas"`
	DefaultSpecID     int               `json:"default-spec-id"`
	Specs             []Spec            `json:"partition-specs"`
	LastPartitionID   int               `json:"last-partition-id"`
	DefaultSortOrder  int               `json:"default-sort-order-id"`
	SortOrders        []json.RawMessage `json:"sort-orders"`
	Properties        map[string]string `json:"properties"`
	CurrentSnapshotID *int64            `json:"current-snapshot-id"` // null, absent or -1: none
	Refs              map[string]Ref    `json:"refs"`
	Snapshots         []Snapshot        `json:"snapshots"`
	SnapshotLog       []LogEntry        `json:"snapshot-log"`
	MetadataLog       []FileEntry       `json:"metadata-log"`

	other map[string]json.RawMessage // members that are not above
}

// Spec is a way of partitioning.
type Spec struct {
	ID     int         `json:"spec-id"`
	Fields []SpecField `json:"fields"`
}

// SpecField is a value that rows of a file have in common.
type SpecField struct {
	SourceID  int    `json:"source-id"`
	FieldID   int    `json:"field-id"`
	Name      string `json:"name"`
	Transform string `json:"transform"`
}

// Ref is a branch or a tag.
type Ref struct {
	SnapshotID     int64  `json:"snapshot-id"`
	Type           string `json:"type"`
	MinSnapshots   *int   `json:"min-snapshots-to-keep,omitempty"`
	MaxSnapshotAge *int64 `json:"max-snapshot-age-ms,omitempty"`
	MaxRefAge      *int64 `json:"max-ref-age-ms,omitempty"`
}

// Snapshot is a state of the table.
type Snapshot struct {
	ID           int64             `json:"snapshot-id"`
	Parent       *int64            `json:"parent-snapshot-id,omitempty"`
	Sequence     int64             `json:"sequence-number"`
	Time         int64             `json:"timestamp-ms"`
	ManifestList string            `json:"manifest-list"`
	Summary      map[string]string `json:"summary"`
	SchemaID     *int              `json:"schema-id,omitempty"`

	raw json.RawMessage
}

// LogEntry says since when a snapshot was the current one.
type LogEntry struct {
	Time       int64 `json:"timestamp-ms"`
	SnapshotID int64 `json:"snapshot-id"`
}

// FileEntry is an earlier file of metadata.
type FileEntry struct {
	Time int64  `json:"timestamp-ms"`
	File string `json:"metadata-file"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Snapshot) UnmarshalJSON(b []byte) error {
	type plain Snapshot
	if err := json.Unmarshal(b, (*plain)(s)); err != nil {
		return err
	}
	s.raw = bytes.Clone(b)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (s Snapshot) MarshalJSON() ([]byte, error) {
	if s.raw != nil {
		return s.raw, nil
	}
	type plain Snapshot
	return json.Marshal(plain(s))
}

// MaxMetadata is the size of metadata that is read at most.
const MaxMetadata = 256 << 20

// ErrMetadata marks metadata that cannot be used.
var ErrMetadata = errors.New("the table's metadata cannot be used")

// Parse reads metadata.
func Parse(b []byte) (*Metadata, error) {
	m, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMetadata, err)
	}
	return m, nil
}

func parse(b []byte) (*Metadata, error) {
	if len(b) > MaxMetadata {
		return nil, fmt.Errorf("it has %d bytes, at most %d are read", len(b), MaxMetadata)
	}
	var head struct {
		Version int `json:"format-version"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, err
	}
	if head.Version != Version {
		return nil, fmt.Errorf("its format version is %d, pingmill writes tables of version %d", head.Version, Version)
	}
	m := new(Metadata)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &m.other); err != nil {
		return nil, err
	}
	if m.CurrentSnapshotID != nil && *m.CurrentSnapshotID == -1 {
		m.CurrentSnapshotID = nil
	}
	return m, m.check()
}

// check reports contradictions.
func (m *Metadata) check() error {
	switch {
	case m.UUID == "" || m.Location == "":
		return errors.New("it has no table-uuid or no location")
	case m.Schema() == nil:
		return fmt.Errorf("its schema %d is missing", m.CurrentSchemaID)
	case m.Spec() == nil:
		return fmt.Errorf("its partition spec %d is missing", m.DefaultSpecID)
	case m.CurrentSnapshotID != nil && m.Current() == nil:
		return fmt.Errorf("its snapshot %d is missing", *m.CurrentSnapshotID)
	}
	for i := range m.Snapshots {
		if s := &m.Snapshots[i]; s.ManifestList == "" || s.Sequence < 0 || s.Sequence > m.LastSequence {
			return fmt.Errorf("its snapshot %d has no list of manifests, or a sequence number beyond the last", s.ID)
		}
	}
	return nil
}

// Encode writes the metadata.
func (m *Metadata) Encode() ([]byte, error) {
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var known map[string]json.RawMessage
	if err := json.Unmarshal(b, &known); err != nil {
		return nil, err
	}
	if m.CurrentSnapshotID == nil {
		known["current-snapshot-id"] = json.RawMessage("-1")
	}
	for name, value := range m.other {
		if _, is := known[name]; !is {
			known[name] = value
		}
	}
	return json.Marshal(known)
}

// Schema returns the current schema.
func (m *Metadata) Schema() *Schema {
	i := slices.IndexFunc(m.Schemas, func(s Schema) bool { return s.ID == m.CurrentSchemaID })
	if i < 0 {
		return nil
	}
	return &m.Schemas[i]
}

// Spec returns the present way of partitioning.
func (m *Metadata) Spec() *Spec {
	i := slices.IndexFunc(m.Specs, func(s Spec) bool { return s.ID == m.DefaultSpecID })
	if i < 0 {
		return nil
	}
	return &m.Specs[i]
}

// Current returns the snapshot that readers read, nil if there is none.
func (m *Metadata) Current() *Snapshot {
	if m.CurrentSnapshotID == nil {
		return nil
	}
	return m.Snapshot(*m.CurrentSnapshotID)
}

// Snapshot returns the one of an id, or nil.
func (m *Metadata) Snapshot(id int64) *Snapshot {
	i := slices.IndexFunc(m.Snapshots, func(s Snapshot) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &m.Snapshots[i]
}
