package service

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
)

// State is the current state of the service, as far as the parts in this process know it.
type State struct {
	Edge  *edge.Stats  // nil: no edge
	Spool *spool.Stats // nil: no spool
	// SpoolDamaged, if not nil, is the number of damaged segments whose files are kept.
	SpoolDamaged *int

	Topic  *kafka.ConsumerStats // nil: no topic is decoded here
	Claims []claim.Record       // of the partitions of topics

	// Edges holds the decoding state of each edge.
	Edges []edgestate.Progress
	// Silent holds the edges that no day waits for.
	Silent []edgestate.Progress
	// Latest holds the last published day of each table.
	Latest map[string]ping.Day
	// Overdue holds for each table the oldest day that should be published and is not, "" if there is none. Tables
	// with unknown state are omitted.
	Overdue map[string]ping.Day
	// Replaced, if not nil, is the size in bytes of replaced files that the lake still keeps.
	Replaced *int64
	// Iceberg counts the commits of this process to Iceberg tables, by table.
	Iceberg map[string]iceberg.Count
	// Behind holds the time since which an Iceberg table differs from the published partitions; zero if it does not.
	Behind map[string]time.Time
	// Damaged counts known damaged files by table; the key archive is for the archive.
	Damaged map[string]int
	// Forgotten, if not nil, describes clients whose rows are not removed yet.
	Forgotten *Forgotten
}

// Forgotten counts the clients whose rows must be removed, with the time of the first request.
type Forgotten struct {
	Pending  int
	Oldest   time.Time // request; zero if none is pending
	Deadline forget.Deadline
}

// The descriptions of the metrics that are read at collection.
var (
	descSubmissions = desc("submissions_total", "Requests of clients by answer.", "code")
	descNamespaces  = desc("namespace_submissions_total", "Submissions by namespace and whether it is taken.", "namespace", "outcome")
	descBytes       = desc("submission_bytes_total", "Bytes of acknowledged bodies, as sent.")
	descConnections = desc("connections", "Open connections of the edge.")
	descEvicted     = desc("connections_evicted_total", "Idle connections closed to make room.")
	descRefused     = desc("connections_refused_total", "New connections closed because none was idle.")
	descInFlight    = desc("in_flight_bytes", "Memory for bodies that are being received or wait for the disk.")
	descSpoolBytes  = desc("spool_bytes", "Size of the sealed segments that are not in the archive yet.")
	descSpoolFiles  = desc("spool_segments", "Number of sealed segments that are not in the archive yet.")
	descSpoolOldest = desc("spool_oldest_seconds", "Age of the first submission in them; 0 without one.")
	descSpoolFree   = desc("spool_free_bytes", "Free disk of the spool.")
	descSpoolDamage = desc("spool_damaged_segments", "Damaged or missing segments that no operator has looked into.")
	descCommits     = desc("spool_commits_total", "Group commits.")
	descFailed      = desc("spool_failed_total", "Submissions that could not be written.")
	descStalls      = desc("spool_stalls_total", "How often the spool's disk was so late that its second disk was written.")
	descAside       = desc("spool_second_total", "Submissions that were written to the second disk, and then to the first.")
	descWaiting     = desc("kafka_lag_messages", "Messages of a partition that are not in the archive.", "partition")
	descPartitions  = desc("kafka_partitions", "Partitions that this process decodes.")
	descRebalances  = desc("kafka_rebalances_total", "How often partitions came to this process or went.")
	descTopicErrors = desc("kafka_errors_total", "Failures of reading the topic or of the group of decoders.")
	descForeign     = desc("kafka_foreign_messages_total", "Messages that are no submissions.")
	descGaps        = desc("kafka_gaps", "How often messages were gone before they were decoded, ever.", "edge")
	descLostTopic   = desc("kafka_lost_messages", "Messages that were gone before they were decoded, ever, as far as known.", "edge")
	descLag         = desc("edge_lag_seconds", "How far the archive is behind now.", "edge")
	descSilent      = desc("edge_silent", "1 for an edge that has been silent for so long that days are made without it.", "edge")
	descFreshness   = desc("table_freshness_seconds", "Time since the end of the last published day.", "table")
	descDamaged     = desc("damaged_files", "Files that were found damaged and are not mended.", "of")
	descOverdue     = desc("table_overdue_seconds", "Time since the end of the oldest day that is to be published.", "table")
	descReplaced    = desc("replaced_bytes", "Size of the files of the lake that were replaced and stay for queries that began before.")
	descIceberg     = desc("iceberg_commits_total", "Commits of Iceberg tables.", "table", "outcome")
	descIceBytes    = desc("iceberg_metadata_bytes_total", "Size of the lists and manifests that were written for Iceberg tables.", "table")
	descIceExpired  = desc("iceberg_expired_snapshots_total", "Snapshots of Iceberg tables that were expired.", "table")
	descBehind      = desc("iceberg_behind_seconds", "Since when an Iceberg table could not be made what is published; 0 if it could.",
		"table")
	descForget    = desc("deletion_pending_clients", "Clients that asked to be forgotten whose rows are not removed from the files.")
	descForgetAge = desc("deletion_oldest_seconds", "Time since the oldest of their requests; 0 without one.")
	descForgetUse = desc("deletion_deadline_used", "Part of deletion.deadline that has passed since then: 1 at the deadline; 0 without one.")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("pingmill_"+name, help, labels, nil)
}

var descs = []*prometheus.Desc{
	descSubmissions, descNamespaces, descBytes, descConnections, descEvicted, descRefused, descInFlight, descSpoolBytes, descSpoolFiles,
	descSpoolOldest, descSpoolFree, descSpoolDamage, descCommits, descFailed, descStalls, descAside, descWaiting, descPartitions,
	descRebalances,
	descTopicErrors, descForeign, descGaps, descLostTopic, descLag, descSilent, descFreshness, descOverdue, descReplaced, descDamaged,
	descForget, descForgetAge, descForgetUse,
	descIceberg, descIceBytes, descIceExpired, descBehind,
}

// collector exports the state as metrics.
type collector struct {
	state func() State
	now   func() time.Time
}

// Observe adds the state to the metrics; it is read at every collection.
func (m *Metrics) Observe(state func() State, now func() time.Time) error {
	return m.registry.Register(&collector{state, now})
}

func (c *collector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range descs {
		ch <- d
	}
}

func (c *collector) Collect(ch chan<- prometheus.Metric) {
	s := c.state()
	counter := func(d *prometheus.Desc, v int64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if e := s.Edge; e != nil {
		for _, code := range edge.Codes {
			counter(descSubmissions, e.Responses[code], strconv.Itoa(code))
		}
		for namespace, n := range e.Namespaces {
			counter(descNamespaces, n.Accepted, namespace, "accepted")
			counter(descNamespaces, n.Refused, namespace, "refused")
		}
		counter(descBytes, e.Bytes)
		gauge(descConnections, float64(e.Connections))
		counter(descEvicted, e.Evicted)
		counter(descRefused, e.Refused)
		gauge(descInFlight, float64(e.InFlight))
	}
	if p := s.Spool; p != nil {
		gauge(descSpoolBytes, float64(p.SealedBytes))
		gauge(descSpoolFiles, float64(p.Sealed))
		oldest := 0.0
		if p.Oldest > 0 {
			oldest = max(0, c.now().Sub(time.Unix(0, p.Oldest))).Seconds()
		}
		gauge(descSpoolOldest, oldest)
		if p.Free >= 0 {
			gauge(descSpoolFree, float64(p.Free))
		}
		counter(descCommits, p.Commits)
		counter(descFailed, p.Failed)
		counter(descStalls, p.Stalls)
		counter(descAside, p.Aside)
	}
	if s.SpoolDamaged != nil {
		gauge(descSpoolDamage, float64(*s.SpoolDamaged))
	}
	if t := s.Topic; t != nil {
		for _, l := range t.Lags {
			gauge(descWaiting, float64(l.Messages), strconv.Itoa(int(l.Partition)))
		}
		gauge(descPartitions, float64(t.Partitions))
		counter(descRebalances, t.Rebalances)
		counter(descTopicErrors, t.Errors)
		counter(descForeign, t.Foreign)
	}
	for _, r := range s.Claims {
		gauge(descGaps, float64(r.Gaps), r.Edge)
		gauge(descLostTopic, float64(r.Lost), r.Edge)
	}
	now := c.now()
	for _, e := range s.Edges {
		gauge(descLag, max(0, now.Sub(time.Unix(0, e.Watermark))).Seconds(), e.Edge) // clocks differ
		gauge(descSilent, 0, e.Edge)
	}
	for _, e := range s.Silent {
		gauge(descLag, max(0, now.Sub(time.Unix(0, e.Watermark))).Seconds(), e.Edge)
		gauge(descSilent, 1, e.Edge)
	}
	for table, day := range s.Latest {
		if d, ok := sinceEnd(day, now); ok {
			gauge(descFreshness, d.Seconds(), table)
		}
	}
	if s.Replaced != nil {
		gauge(descReplaced, float64(*s.Replaced))
	}
	for table, n := range s.Iceberg {
		counter(descIceberg, n.Commits, table, "committed")
		counter(descIceberg, n.Failures, table, "failed")
		counter(descIceBytes, n.Bytes, table)
		counter(descIceExpired, n.Expired, table)
	}
	for table, since := range s.Behind {
		age := 0.0
		if !since.IsZero() {
			age = max(0, now.Sub(since)).Seconds()
		}
		gauge(descBehind, age, table)
	}
	if f := s.Forgotten; f != nil {
		gauge(descForget, float64(f.Pending))
		age := 0.0
		if !f.Oldest.IsZero() {
			age = now.Sub(f.Oldest).Seconds()
		}
		gauge(descForgetAge, age)
		gauge(descForgetUse, f.Deadline.Used(f.Oldest, now))
	}
	for table, day := range s.Overdue {
		d, _ := sinceEnd(day, now) // 0 without a day
		gauge(descOverdue, d.Seconds(), table)
	}
	for subject, n := range s.Damaged {
		gauge(descDamaged, float64(n), subject)
	}
}

// sinceEnd returns the time since a day ended.
func sinceEnd(day ping.Day, now time.Time) (time.Duration, bool) {
	start, err := time.Parse("20060102", string(day))
	if err != nil {
		return 0, false
	}
	return now.Sub(start.AddDate(0, 0, 1)), true
}
