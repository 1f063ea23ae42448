package service

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/pingmill/pingmill/job"
)

// Metrics are what the service counts. Their names begin with pingmill_, end
// with the unit or with _total, and are listed in docs/metrics.md.
type Metrics struct {
	registry *prometheus.Registry

	decoded      *prometheus.CounterVec
	units        *prometheus.CounterVec
	taskSeconds  *prometheus.HistogramVec
	rows, bytes  *prometheus.CounterVec
	rejectedRows *prometheus.CounterVec

	mu      sync.Mutex
	started map[job.Task]time.Time
}

// NewMetrics makes metrics with those of the process and of the Go runtime.
func NewMetrics() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), started: map[job.Task]time.Time{}}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pingmill_" + name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	m.decoded = counter("decoded_total", "Submissions by what decoding made of them.", "outcome", "class", "doc_type")
	m.units = counter("partitions_total", "Partitions by what became of them.", "table", "outcome")
	m.rows = counter("rows_total", "Rows published.", "table")
	m.bytes = counter("bytes_total", "Bytes published.", "table")
	m.rejectedRows = counter("rejected_rows_total", "Pings that jobs could not make a row of.", "table")
	m.taskSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "pingmill_task_seconds", Help: "Durations of tasks of jobs.",
		Buckets: prometheus.ExponentialBuckets(0.01, 4, 10), // 10 ms to 44 min
	}, []string{"table"})
	m.registry.MustRegister(m.taskSeconds, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// docTypes are the document types that metrics name; clients choose theirs
// freely, and a metric may not have a value for every one of them.
var docTypes = []string{"main", "crash", "new-profile", "update", "deletion-request", "optout"}

// Decoded counts a decoded submission: a ping, a duplicate or an error of a
// class.
func (m *Metrics) Decoded(class, docType string) {
	outcome := "error"
	switch class {
	case "":
		outcome = "ping"
	case "duplicate":
		outcome, class = "duplicate", ""
	}
	if !slices.Contains(docTypes, docType) {
		docType = "other"
	}
	m.decoded.WithLabelValues(outcome, class, docType).Inc()
}

// Progress counts the events of daily jobs.
func (m *Metrics) Progress(e job.Event) {
	switch e.Kind {
	case job.TaskStarted:
		m.mu.Lock()
		m.started[e.Task] = e.Time
		m.mu.Unlock()
	case job.TaskEnded:
		m.mu.Lock()
		began, ok := m.started[e.Task]
		delete(m.started, e.Task)
		m.mu.Unlock()
		if ok {
			m.taskSeconds.WithLabelValues(e.Unit.Table).Observe(e.Time.Sub(began).Seconds())
		}
	case job.UnitEnded:
		m.units.WithLabelValues(e.Unit.Table, string(e.Outcome)).Inc()
		if e.Outcome == job.Committed {
			m.rows.WithLabelValues(e.Unit.Table).Add(float64(e.Result.RowsOut))
			m.bytes.WithLabelValues(e.Unit.Table).Add(float64(e.Result.Bytes))
			m.rejectedRows.WithLabelValues(e.Unit.Table).Add(float64(e.Result.Rejected))
		}
	}
}
