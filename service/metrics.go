package service

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/privacy/retain"
	"github.com/pingmill/pingmill/schema"
)

// Metrics holds the metrics of the service. Their names begin with pingmill_, end with the unit or with _total, and
// are listed in docs/metrics.md.
type Metrics struct {
	registry *prometheus.Registry

	decoded      *prometheus.CounterVec
	byNamespace  *prometheus.CounterVec
	namespaces   []string // that have a count of their own
	docTypes     []string // the same, of telemetry
	units        *prometheus.CounterVec
	taskSeconds  *prometheus.HistogramVec
	rows, bytes  *prometheus.CounterVec
	rejectedRows *prometheus.CounterVec
	directRows   *prometheus.CounterVec
	directBytes  *prometheus.CounterVec

	expiredDays, expiredBytes *prometheus.CounterVec
	scheduled, alerts         *prometheus.CounterVec
	signIns, programs         *prometheus.CounterVec
	scheduledSeconds          *prometheus.CounterVec
	waiting                   prometheus.Gauge
	checkedFiles              prometheus.Counter
	checkedBytes              prometheus.Counter
	profiles                  *prometheus.CounterVec
	profileSeconds            *prometheus.CounterVec

	mu      sync.Mutex
	started map[job.Task]time.Time
}

// Build identifies the program in the metrics.
type Build struct{ Version, Revision, GoVersion string }

// NewMetrics returns metrics that include those of the process and the Go runtime.
func NewMetrics(b Build) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), started: map[job.Task]time.Time{}}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pingmill_" + name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	m.decoded = counter("decoded_total", "Submissions by what decoding made of them.", "outcome", "class", "doc_type")
	m.byNamespace = counter("namespace_decoded_total", "Submissions by namespace and what decoding made of them.", "namespace", "outcome")
	m.units = counter("partitions_total", "Partitions by what became of them.", "table", "outcome")
	m.rows = counter("rows_total", "Rows published.", "table")
	m.bytes = counter("bytes_total", "Bytes published.", "table")
	m.rejectedRows = counter("rejected_rows_total", "Pings that jobs could not make a row of.", "table")
	m.directRows = counter("direct_rows_total", "Rows published as pings arrived.", "table")
	m.directBytes = counter("direct_bytes_total", "Bytes published as pings arrived.", "table")
	m.expiredDays = counter("expired_days_total", "Days removed because their time was over.", "what")
	m.expiredBytes = counter("expired_bytes_total", "Bytes removed because their time was over.", "what")
	m.checkedFiles = counter("checked_files_total", "Files that were read and compared with what was written.").WithLabelValues()
	m.checkedBytes = counter("checked_bytes_total", "Bytes of these files.").WithLabelValues()
	m.profiles = counter("profiles_total", "Profiles of published partitions by how making them ended.", "table", "outcome")
	m.profileSeconds = counter("profile_seconds_total", "Time that making profiles took.", "table")
	m.scheduled = counter("scheduled_queries_total", "Runs of saved queries by their schedules, by what became of them.", "state")
	m.scheduledSeconds = counter("scheduled_query_seconds_total", "Time from the beginning of these runs until the notifications were sent.",
		"state")
	m.alerts = counter("alerts_total", "Webhooks and mails of schedules, by what they say and whether they were taken.", "kind", "event",
		"outcome")
	m.signIns = counter("sign_ins_total", "Attempts to sign in to the query tool, by the way and whether they succeeded.", "how", "outcome")
	m.programs = counter("program_queries_total", "Queries of programs over other protocols than HTTP, by what became of them.", "protocol",
		"state")
	m.waiting = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "pingmill_retention_waiting", Help: "Days past their time that are still needed, at the last removal.",
	})
	m.taskSeconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "pingmill_task_seconds", Help: "Durations of tasks of jobs.",
		Buckets: prometheus.ExponentialBuckets(0.01, 4, 10), // 10 ms to 44 min
	}, []string{"table"})
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "pingmill_build_info", Help: "1, with the program in the labels.",
		ConstLabels: prometheus.Labels{"version": b.Version, "revision": b.Revision, "goversion": b.GoVersion},
	})
	info.Set(1)
	m.registry.MustRegister(info, m.waiting, m.taskSeconds, buckets{}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// CountJobs initializes the counts of the tables' jobs with 0, so that the first event of each is visible.
func (m *Metrics) CountJobs(tables []string) {
	for _, t := range tables {
		for _, o := range []job.Outcome{job.Committed, job.Current, job.Skipped, job.Failed, job.Cancelled} {
			m.units.WithLabelValues(t, string(o))
		}
		for _, c := range []*prometheus.CounterVec{m.rows, m.bytes, m.rejectedRows} {
			c.WithLabelValues(t)
		}
		m.taskSeconds.WithLabelValues(t)
	}
	for _, what := range append([]string{"archive", "errors"}, tables...) {
		m.expiredDays.WithLabelValues(what)
		m.expiredBytes.WithLabelValues(what)
	}
}

// CountDecoding initializes the counts of decoding with 0: for these namespaces (others share a label), the tables'
// document types, and the direct tables.
func (m *Metrics) CountDecoding(tables []*schema.Table, namespaces []string) {
	m.namespaces, m.docTypes = namespaces, docTypes(tables)
	for _, n := range append([]string{edge.OtherNamespaces}, namespaces...) {
		for _, o := range []string{ingest.Ping.String(), ingest.Duplicate.String(), ingest.Error.String(), classForgotten} {
			m.byNamespace.WithLabelValues(n, o)
		}
	}
	for _, t := range schema.Direct(tables) {
		m.directRows.WithLabelValues(t)
		m.directBytes.WithLabelValues(t)
	}
	for _, docType := range append([]string{otherType}, m.docTypes...) {
		for _, class := range []string{"", classDuplicate, classForgotten, ingest.ClassURI, ingest.ClassJSON, ingest.ClassSchema,
			ingest.ClassInternal} {
			m.outcome(class, docType)
		}
	}
	m.outcome(classRecord, otherType) // its former value is unknown
}

// docTypes returns the document types with a label of their own: those of tables, and requests to be forgotten. The
// number of labels must be bounded, because clients choose the types.
func docTypes(tables []*schema.Table) []string {
	types := slices.Clone(forget.DocTypes)
	for _, t := range tables {
		if t.DocType != "" && t.Namespace == ping.Telemetry && !slices.Contains(types, t.DocType) {
			types = append(types, t.DocType)
		}
	}
	return types
}

// otherType is the label of all other document types.
const otherType = "other"

// The classes of duplicates and of damaged parts of the spool; package ingest defines the others.
const (
	classDuplicate = "duplicate"
	classRecord    = "record"
)

// classForgotten is the class of submissions that are dropped because their client asked to be forgotten, or asks now.
const classForgotten = "forgotten"

// Decoded counts a decoded submission: a ping, a duplicate, or an error of a class.
func (m *Metrics) Decoded(meta *ping.Meta, class, _ string) {
	namespace, docType := meta.Namespace(), string(meta.Text(ping.DocTypeField))
	if namespace != ping.Telemetry || !slices.Contains(m.docTypes, docType) {
		docType = otherType
	}
	m.outcome(class, docType).Inc()
	if !slices.Contains(m.namespaces, namespace) {
		namespace = edge.OtherNamespaces
	}
	m.byNamespace.WithLabelValues(namespace, outcomeOf(class)).Inc()
}

// outcomeOf returns the outcome for a class.
func outcomeOf(class string) string {
	switch class {
	case "":
		return ingest.Ping.String()
	case classDuplicate:
		return ingest.Duplicate.String()
	case classForgotten:
		return classForgotten
	}
	return ingest.Error.String()
}

// outcome returns the counter of a class and a document type.
func (m *Metrics) outcome(class, docType string) prometheus.Counter {
	outcome := outcomeOf(class)
	if outcome != ingest.Error.String() {
		class = ""
	}
	return m.decoded.WithLabelValues(outcome, class, docType)
}

// Published counts a publication of a direct table while pings arrive: the newly visible rows and the bytes of files.
func (m *Metrics) Published(table string, rows, bytes int64) {
	m.directRows.WithLabelValues(table).Add(float64(rows))
	m.directBytes.WithLabelValues(table).Add(float64(bytes))
}

// Progress counts the events of daily jobs. It is safe for concurrent use.
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

// Removed counts an expired item that was removed.
func (m *Metrics) Removed(i retain.Item) {
	m.expiredDays.WithLabelValues(i.What).Inc()
	m.expiredBytes.WithLabelValues(i.What).Add(float64(i.Bytes))
}

// CheckedFiles counts files that were read and compared with their hashes.
func (m *Metrics) CheckedFiles(files int, bytes int64) {
	m.checkedFiles.Add(float64(files))
	m.checkedBytes.Add(float64(bytes))
}

// Retained records the number of expired items that are still needed.
func (m *Metrics) Retained(r retain.Result) { m.waiting.Set(float64(len(r.Waiting))) }
