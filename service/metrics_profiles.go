package service

import "time"

// The outcomes of making a profile.
const (
	profileMade   = "made"
	profileFailed = "failed"
)

// CountProfiles initializes the counts of the tables' profiles with 0.
func (m *Metrics) CountProfiles(tables []string) {
	for _, t := range tables {
		m.profiles.WithLabelValues(t, profileMade)
		m.profiles.WithLabelValues(t, profileFailed)
		m.profileSeconds.WithLabelValues(t)
	}
}

// Profiled counts a profile that was made or failed.
func (m *Metrics) Profiled(table string, took time.Duration, err error) {
	outcome := profileMade
	if err != nil {
		outcome = profileFailed
	}
	m.profiles.WithLabelValues(table, outcome).Inc()
	m.profileSeconds.WithLabelValues(table).Add(took.Seconds())
}
