package service

import (
	"time"

	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

// countSchedules initializes the counts of schedules with 0.
func (m *Metrics) countSchedules() {
	for _, state := range saved.RunStates {
		m.scheduled.WithLabelValues(state)
		m.scheduledSeconds.WithLabelValues(state)
	}
	for _, kind := range alert.TargetKinds {
		for _, event := range alert.Events {
			for _, outcome := range []string{alertSent, alertFailed} {
				m.alerts.WithLabelValues(kind, string(event), outcome)
			}
		}
	}
}

// The outcomes of alerts.
const (
	alertSent   = "sent"
	alertFailed = "failed"
)

// scheduleCounts counts for a running service.
type scheduleCounts struct{ s *Service }

// ScheduledRun counts a run.
func (c scheduleCounts) ScheduledRun(state string, took time.Duration) {
	c.s.counted.scheduled.WithLabelValues(state).Inc()
	c.s.counted.scheduledSeconds.WithLabelValues(state).Add(max(0, took.Seconds()))
}

// Notified counts an alert that was sent or failed.
func (c scheduleCounts) Notified(kind string, event alert.Event, sent bool) {
	outcome := alertFailed
	if sent {
		outcome = alertSent
	}
	c.s.counted.alerts.WithLabelValues(kind, string(event), outcome).Inc()
}
