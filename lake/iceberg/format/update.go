package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Update is a change of metadata, in the form of the REST catalog's protocol.
type Update struct {
	Action string `json:"action"`

	Schema       *Schema           `json:"schema,omitempty"`
	LastColumnID int               `json:"last-column-id,omitempty"`
	SchemaID     *int              `json:"schema-id,omitempty"`
	Snapshot     *Snapshot         `json:"snapshot,omitempty"`
	Ref          string            `json:"ref-name,omitempty"`
	RefType      string            `json:"type,omitempty"`
	SnapshotID   *int64            `json:"snapshot-id,omitempty"`
	SnapshotIDs  []int64           `json:"snapshot-ids,omitempty"`
	Set          map[string]string `json:"updates,omitempty"`
	Remove       []string          `json:"removals,omitempty"`
}

// Requirement is a condition of a change, in the same form.
type Requirement struct {
	Type     string `json:"type"`
	UUID     string `json:"uuid,omitempty"`
	Ref      string `json:"ref,omitempty"`
	Snapshot *int64 `json:"snapshot-id"` // null: there is none
	Schema   *int   `json:"current-schema-id,omitempty"`
}

// MarshalJSON implements json.Marshaler: only a requirement of a branch has a snapshot.
func (r Requirement) MarshalJSON() ([]byte, error) {
	out := map[string]any{"type": r.Type}
	switch r.Type {
	case "assert-table-uuid":
		out["uuid"] = r.UUID
	case "assert-ref-snapshot-id":
		out["ref"], out["snapshot-id"] = r.Ref, r.Snapshot
	case "assert-current-schema-id":
		out["current-schema-id"] = r.Schema
	}
	return json.Marshal(out)
}

// Requirements returns that the table is as it was read.
func (m *Metadata) Requirements() []Requirement {
	return []Requirement{
		{Type: "assert-table-uuid", UUID: m.UUID},
		{Type: "assert-ref-snapshot-id", Ref: MainBranch, Snapshot: m.CurrentSnapshotID},
		{Type: "assert-current-schema-id", Schema: &m.CurrentSchemaID},
	}
}

// AddSchema makes a schema the current one.
func AddSchema(s *Schema, last int) []Update {
	newest := -1 // the one that was added last
	return []Update{{Action: "add-schema", Schema: s, LastColumnID: last}, {Action: "set-current-schema", SchemaID: &newest}}
}

// AddSnapshot makes a snapshot what readers read.
func AddSnapshot(s *Snapshot) []Update {
	return []Update{
		{Action: "add-snapshot", Snapshot: s},
		{Action: "set-snapshot-ref", Ref: MainBranch, RefType: "branch", SnapshotID: &s.ID},
	}
}

// RemoveSnapshots drops snapshots.
func RemoveSnapshots(ids []int64) Update { return Update{Action: "remove-snapshots", SnapshotIDs: ids} }

// SetProperties sets properties.
func SetProperties(p map[string]string) Update { return Update{Action: "set-properties", Set: p} }

// metadataLog is the number of earlier files of metadata that a table keeps.
const metadataLog = 10

// Apply makes the metadata that the updates lead to at a time, in milliseconds. file is where
// the present one is.
func (m *Metadata) Apply(updates []Update, file string, now int64) (*Metadata, error) {
	n := *m
	n.Schemas, n.Snapshots, n.SnapshotLog = slices.Clone(m.Schemas), slices.Clone(m.Snapshots), slices.Clone(m.SnapshotLog)
	n.Properties, n.Refs = maps.Clone(m.Properties), maps.Clone(m.Refs)
	now = max(now, m.LastUpdated) // clocks differ
	for i := range updates {
		if err := n.apply(&updates[i], now); err != nil {
			return nil, fmt.Errorf("%s: %w", updates[i].Action, err)
		}
	}
	n.dropSchemas()
	n.MetadataLog = append(slices.Clone(m.MetadataLog), FileEntry{Time: m.LastUpdated, File: file})
	if over := len(n.MetadataLog) - metadataLog; over > 0 {
		n.MetadataLog = n.MetadataLog[over:]
	}
	n.LastUpdated = now
	return &n, n.check()
}

func (m *Metadata) apply(u *Update, now int64) error {
	switch u.Action {
	case "add-schema":
		s := *u.Schema
		s.raw = nil
		for i := range m.Schemas {
			s.ID = max(s.ID, m.Schemas[i].ID+1)
		}
		m.Schemas, m.LastColumnID = append(m.Schemas, s), max(m.LastColumnID, u.LastColumnID)
	case "set-current-schema":
		m.CurrentSchemaID = m.Schemas[len(m.Schemas)-1].ID
	case "add-snapshot":
		m.Snapshots = append(m.Snapshots, *u.Snapshot)
		m.LastSequence = max(m.LastSequence, u.Snapshot.Sequence)
	case "set-snapshot-ref":
		m.setMain(*u.SnapshotID, now)
	case "remove-snapshot-ref":
		delete(m.Refs, u.Ref)
	case "remove-snapshots":
		return m.removeSnapshots(u.SnapshotIDs)
	case "set-properties":
		if m.Properties == nil {
			m.Properties = map[string]string{}
		}
		maps.Copy(m.Properties, u.Set)
	default:
		return errors.New("no such update")
	}
	return nil
}

func (m *Metadata) setMain(id, now int64) {
	if m.Refs == nil {
		m.Refs = map[string]Ref{}
	}
	main := m.Refs[MainBranch]
	main.SnapshotID, main.Type = id, "branch"
	m.Refs[MainBranch] = main
	m.CurrentSnapshotID = &id
	m.SnapshotLog = append(m.SnapshotLog, LogEntry{now, id})
}

func (m *Metadata) removeSnapshots(ids []int64) error {
	removed := func(id int64) bool { return slices.Contains(ids, id) }
	for name, r := range m.Refs {
		if removed(r.SnapshotID) {
			return fmt.Errorf("%s is snapshot %d", name, r.SnapshotID)
		}
	}
	m.Snapshots = slices.DeleteFunc(m.Snapshots, func(s Snapshot) bool { return removed(s.ID) })
	// The log must not have gaps: entries before a removed snapshot are removed, too.
	for i := len(m.SnapshotLog) - 1; i >= 0; i-- {
		if removed(m.SnapshotLog[i].SnapshotID) {
			m.SnapshotLog = slices.Clone(m.SnapshotLog[i+1:])
			break
		}
	}
	return nil
}

// dropSchemas leaves out schemas that no snapshot has: schemas of hundreds of columns are most of the metadata.
func (m *Metadata) dropSchemas() {
	used := map[int]bool{m.CurrentSchemaID: true}
	for i := range m.Snapshots {
		id := m.Snapshots[i].SchemaID
		if id == nil {
			return // any may be its
		}
		used[*id] = true
	}
	m.Schemas = slices.DeleteFunc(m.Schemas, func(s Schema) bool { return !used[s.ID] })
}

// New returns the metadata of a table without snapshots, partitioned by a column of text; an empty name means no
// partitions.
func New(uuid, location string, s *Schema, last int, day string, properties map[string]string, now int64) (*Metadata, error) {
	spec, err := DaySpec(s, day)
	if err != nil {
		return nil, err
	}
	lastID := firstPartitionID - 1 + len(spec.Fields)
	return &Metadata{
		FormatVersion: Version, UUID: uuid, Location: location, LastUpdated: now, LastColumnID: last,
		CurrentSchemaID: s.ID, Schemas: []Schema{*s}, Specs: []Spec{*spec}, LastPartitionID: lastID,
		SortOrders: []json.RawMessage{json.RawMessage(`{"order-id":0,"fields":[]}`)},
		Properties: properties, Refs: map[string]Ref{}, Snapshots: []Snapshot{}, SnapshotLog: []LogEntry{}, MetadataLog: []FileEntry{},
	}, nil
}

// firstPartitionID is the first id of a value in specs.
const firstPartitionID = 1000

// DaySpec partitions a new table by the values of a column; an empty name means no partitions.
func DaySpec(s *Schema, column string) (*Spec, error) {
	if column == "" {
		return &Spec{Fields: []SpecField{}}, nil
	}
	f := s.Find(column)
	if f == nil {
		return nil, fmt.Errorf("the partition column %s is missing", column)
	}
	return &Spec{Fields: []SpecField{{SourceID: f.ID, FieldID: firstPartitionID, Name: column, Transform: "identity"}}}, nil
}
