package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/pingmill/pingmill/etl/status"
	"github.com/pingmill/pingmill/privacy/retain"
)

// Partition is the state of the partition of a table and day.
type Partition struct {
	Table      string   `json:"table"`
	Day        string   `json:"day"`
	State      string   `json:"state"`
	Wrong      bool     `json:"wrong"`
	Reasons    []string `json:"reasons,omitempty"`
	Rows       int64    `json:"rows"`
	Bytes      int64    `json:"bytes"`
	Generation string   `json:"generation,omitempty"`
	Complete   bool     `json:"complete"`
	Run        int64    `json:"run,omitempty"`

	SkippedChecks []string `json:"skippedChecks,omitempty"`
}

// Edge is the decoding state of an edge.
type Edge struct {
	Edge       string  `json:"edge"`
	Watermark  string  `json:"through"`
	LagSeconds float64 `json:"lagSeconds"`
	Silent     bool    `json:"silent,omitempty"` // days are made without waiting for it
}

// Past is expired data that still exists.
type Past struct {
	What    string `json:"what"` // archive, errors or a table
	Version string `json:"version,omitempty"`
	Day     string `json:"day"`
	Files   int    `json:"files"`
	Rows    int64  `json:"rows"`
	Bytes   int64  `json:"bytes"`
	Waits   string `json:"waits,omitempty"` // why it still exists
}

// Replaced are the kept files of replaced generations.
type Replaced struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// Spool is the backlog of the spool.
type Spool struct {
	Segments int    `json:"segments"`
	Records  int    `json:"records"`
	Bytes    int64  `json:"bytes"`
	Oldest   string `json:"oldest,omitempty"`
}

// StatusJSON writes a status as JSON.
func StatusJSON(out io.Writer, st *status.Status, past []retain.Item) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(NewStatus(st, past))
}

// Status is the JSON form of a status, for the command and the service.
type Status struct {
	Archive    *Archive    `json:"archive,omitempty"`
	Edges      []Edge      `json:"edges"`
	Notes      []string    `json:"notes,omitempty"`
	Partitions []Partition `json:"partitions"`
	Past       []Past      `json:"pastTheirTime"`
	Replaced   Replaced    `json:"replaced"`
	Spool      *Spool      `json:"spool,omitempty"`
	Trouble    []string    `json:"trouble,omitempty"`
}

// NewStatus converts a status for output.
func NewStatus(st *status.Status, past []retain.Item) *Status {
	doc := &Status{
		Edges: []Edge{}, Notes: st.Notes, Partitions: []Partition{}, Past: []Past{},
		Replaced: Replaced{st.Replaced.Files, st.Replaced.Bytes}, Trouble: st.Trouble,
	}
	for _, p := range st.Partitions {
		doc.Partitions = append(doc.Partitions, Partition{
			Table: p.Table, Day: p.Day, State: string(p.State), Wrong: p.State.Wrong(), Reasons: p.Reasons,
			Rows: p.Rows, Bytes: p.Bytes, Generation: p.Generation, Complete: p.Complete, Run: p.Run, SkippedChecks: p.SkippedChecks,
		})
	}
	for _, e := range st.Edges {
		doc.Edges = append(doc.Edges, Edge{e.Edge, e.Watermark.Format(time.RFC3339Nano), e.Lag.Seconds(), e.Silent})
	}
	for _, i := range past {
		doc.Past = append(doc.Past, Past{i.What, i.Version, i.Day, i.Files, i.Rows, i.Bytes, i.Waits})
	}
	if b := st.Spool; b != nil {
		doc.Spool = &Spool{Segments: b.Segments, Records: b.Records, Bytes: b.Bytes}
		if !b.Oldest.IsZero() {
			doc.Spool.Oldest = b.Oldest.Format(time.RFC3339Nano)
		}
	}
	if st.Archive != nil {
		doc.Archive = newArchive(st.Archive)
	}
	return doc
}

// StatusError returns an error if something in a status is wrong.
func StatusError(st *status.Status) error {
	if len(st.Trouble) > 0 {
		return fmt.Errorf("status: %s", ShortList(st.Trouble))
	}
	if n := st.Wrong(); n > 0 {
		return fmt.Errorf("status: %d of %d partitions are missing, stale, failed or damaged", n, len(st.Partitions))
	}
	if n := len(st.Archive.Damage); n > 0 {
		return fmt.Errorf("status: %d files of the archive are damaged", n)
	}
	return nil
}
