package trino

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/pingmill/pingmill/sql/queryservice"
)

// Phases are parts of the paths that clients poll: before and after a statement runs.
const (
	phaseQueued    = "queued"
	phaseExecuting = "executing"
)

// response is the body of each response about a statement.
type response struct {
	ID         string          `json:"id"`
	InfoURI    string          `json:"infoUri"`
	NextURI    string          `json:"nextUri,omitempty"`
	CancelURI  string          `json:"partialCancelUri,omitempty"`
	Columns    []column        `json:"columns,omitzero"`
	Data       json.RawMessage `json:"data,omitempty"`
	Stats      stats           `json:"stats"`
	Error      *failure        `json:"error,omitempty"`
	Warnings   []warning       `json:"warnings"`
	UpdateType string          `json:"updateType,omitempty"`
}

// stats is how far a statement is.
type stats struct {
	State           string  `json:"state"`
	Queued          bool    `json:"queued"`
	Scheduled       bool    `json:"scheduled"`
	Percent         float64 `json:"progressPercentage"`
	Nodes           int     `json:"nodes"`
	TotalSplits     int     `json:"totalSplits"`
	QueuedSplits    int     `json:"queuedSplits"`
	RunningSplits   int     `json:"runningSplits"`
	CompletedSplits int     `json:"completedSplits"`
	CPU             int64   `json:"cpuTimeMillis"`
	Wall            int64   `json:"wallTimeMillis"`
	QueuedTime      int64   `json:"queuedTimeMillis"`
	Elapsed         int64   `json:"elapsedTimeMillis"`
	Rows            int64   `json:"processedRows"`
	Bytes           int64   `json:"processedBytes"`
	Read            int64   `json:"physicalInputBytes"`
	Peak            int64   `json:"peakMemoryBytes"`
	Spilled         int64   `json:"spilledBytes"`
}

// warning is a note for the author of a statement.
type warning struct {
	Code    warningCode `json:"warningCode"`
	Message string      `json:"message"`
}

type warningCode struct {
	Code int    `json:"code"`
	Name string `json:"name"`
}

// States of statements as clients know them.
const (
	stateQueued   = "QUEUED"
	stateRunning  = "RUNNING"
	stateFinished = "FINISHED"
	stateFailed   = "FAILED"
)

// statsOf describes a query; state is one of the above.
func statsOf(q queryservice.Query, state string, begun time.Time) stats {
	s := stats{
		State: state, Queued: state == stateQueued, Scheduled: state != stateQueued, Nodes: 1, TotalSplits: 1, CPU: q.CPU.Milliseconds(),
		Elapsed: time.Since(begun).Milliseconds(), Rows: q.Rows, Bytes: q.Read, Read: q.Read,
	}
	s.Wall = s.Elapsed
	if !q.Started.IsZero() {
		s.QueuedTime = q.Started.Sub(q.Submitted).Milliseconds()
		if !q.Ended.IsZero() {
			s.Elapsed = q.Ended.Sub(q.Submitted).Milliseconds()
			s.Wall = q.Ended.Sub(q.Started).Milliseconds()
		}
	}
	if p := q.Progress; p != nil {
		s.Percent = max(0, p.Percent)
		if state == stateRunning {
			s.Rows, s.Bytes, s.Read = p.Rows, p.Bytes, p.Bytes
		}
	}
	switch state {
	case stateQueued:
		s.QueuedSplits = 1
	case stateRunning:
		s.RunningSplits = 1
	default:
		s.CompletedSplits, s.Percent = 1, 100
	}
	return s
}

// warningsOf converts the notes of a query.
func warningsOf(q queryservice.Query) []warning {
	all := []warning{}
	for _, n := range q.Notes {
		all = append(all, warning{warningCode{1, "NOTE"}, n})
	}
	return all
}

// base returns the URL under which a client reaches this server. A proxy on this machine may speak TLS for it.
func base(r *http.Request) string {
	scheme := "http://"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https://"
	}
	return scheme + r.Host
}

// uri returns the path of a response of a statement.
func (st *statement) uri(phase string, token int64) string {
	return "/v1/statement/" + phase + "/" + st.id + "/" + st.slug + "/" + strconv.FormatInt(token, 10)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "the response cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(data) // the client may have gone
}
