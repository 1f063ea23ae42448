package queryservice

import (
	"time"

	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/query"
)

// State is the state of a query.
type State string

const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Ended reports whether the query is done, failed or cancelled.
func (s State) Ended() bool { return s != Queued && s != Running }

// Request is a query that a person submits.
type Request struct {
	SQL        string
	Dialect    query.Dialect      // "" is Presto's
	Parameters map[string]any     // values of {{name}} in SQL
	Declared   []params.Parameter // parameters that a saved query declares
	Rows       int64              // maximum rows of the result; 0 means the default
	Whole      bool               // the result may be as large as the disk's limit allows, instead of a page's limit
	Saved      string             // id of the saved query, "" if it is none
	Scheduled  bool               // it reads no saved queries of others, because their owners can change them
	Key        string             // idempotency key: a second request of the same person with this key returns the first one's query
}

// Query is a submitted query with its state.
type Query struct {
	ID         string         `json:"id"`
	State      State          `json:"state" enum:"queued,running,done,failed,cancelled"`
	SQL        string         `json:"sql" doc:"as it was written, with its parameters"`
	Dialect    query.Dialect  `json:"dialect" enum:"presto,duckdb"`
	Parameters map[string]any `json:"parameters,omitempty" doc:"all values, days as 20180301"`
	Saved      string         `json:"saved,omitempty" doc:"id of the saved query that it is"`
	Person     string         `json:"person" doc:"id of who asked"`
	Name       string         `json:"name" doc:"and the name"`
	Whole      bool           `json:"whole,omitempty"`

	Submitted time.Time `json:"asked"`
	Started   time.Time `json:"started,omitzero" doc:"when its turn came"`
	Ended     time.Time `json:"ended,omitzero"`
	Expires   time.Time `json:"expires,omitzero" doc:"when the result is removed"`

	Position int            `json:"position,omitempty" doc:"among the queries that wait; 1: it is next"`
	Progress *Progress      `json:"progress,omitempty"`
	Reads    *Reads         `json:"reads,omitempty"`
	Columns  []ResultColumn `json:"columns,omitempty" nullable:"false"`
	Rows     int64          `json:"rows" doc:"of the result"`
	Bytes    int64          `json:"bytes" doc:"of the result"`
	Cut      string         `json:"cut,omitempty" enum:"rows,bytes" doc:"what ended the result before its end: the query asked with whole gives more"`
	Notes    []string       `json:"notes,omitempty" nullable:"false" doc:"what its author should know"`
	Error    *Failure       `json:"error,omitempty"`
	CPU      time.Duration  `json:"cpu" doc:"nanoseconds of processor time"`
	Read     int64          `json:"read" doc:"bytes of files that were read"`
}

// ResultColumn describes a column of a result.
type ResultColumn struct {
	Name string `json:"name"`
	Type string `json:"type" doc:"in the dialect's words"`
}

// Progress reports how far a query is.
type Progress struct {
	Percent float64 `json:"percent" doc:"of the work; below 0: not known"`
	Bytes   int64   `json:"bytes" doc:"read of files"`
	Rows    int64   `json:"rows" doc:"of the result"`
	Ready   int64   `json:"ready,omitempty" doc:"rows that can be read already"`
}

// Reads describes what a query reads.
type Reads struct {
	Text       string     `json:"text" doc:"such as 14 files of 7 partitions, 3.4 MB"`
	Files      int        `json:"files"`
	Partitions int        `json:"partitions"`
	Bytes      int64      `json:"bytes"`
	Days       []DaysRead `json:"days" nullable:"false"`
}

// DaysRead lists the days of a table that a query reads.
type DaysRead struct {
	Table string   `json:"table"`
	Days  []string `json:"days" nullable:"false"`
}

// Failure explains why a query has no result or was refused.
type Failure struct {
	Kind    string `json:"kind" doc:"such as Parser Error, Binder Error, Too large, Limit"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty" doc:"what to do"`
	Line    int    `json:"line,omitempty" doc:"of the place in the text as it was written, from 1"`
	Column  int    `json:"column,omitempty" doc:"character of the line, from 1"`
	Text    string `json:"text,omitempty" doc:"that line"`
	Add     []Add  `json:"add,omitempty" nullable:"false" doc:"conditions, one of which in WHERE is enough"`
}

// Add is a condition to add to the query, with its effect.
type Add struct {
	SQL  string `json:"sql"`
	What string `json:"what"`
}

func (f *Failure) Error() string { return f.Kind + ": " + f.Message }
