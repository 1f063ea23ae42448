package etl

import (
	"testing"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site"
)

// The states of partitions as package etl/status names them. It is built on this package, so the tests in package etl_test
// set readStates.
const (
	statePublished = "published"
	stateAccepted  = "accepted"
	stateStale     = "stale"
	stateRunning   = "running"
	stateMissing   = "missing"
	stateSpoilt    = "damaged files"
)

// partitionState is the state of a partition.
type partitionState struct {
	job.Unit

	State   string
	Wrong   bool
	Reasons []string
}

// siteState is the state of an installation.
type siteState struct {
	Partitions []partitionState
	Wrong      int // of Partitions
	Silent     []bool
	Notes      []string
	Trouble    []string
}

var readStates func(t testing.TB, s *site.Site, now time.Time, tables []string, days ...string) siteState

// PartitionState and SiteState are the types of readStates, for package etl_test.
type (
	PartitionState = partitionState
	SiteState      = siteState
)

// SetReadStates sets the function that reads states through package etl/status.
func SetReadStates(f func(t testing.TB, s *site.Site, now time.Time, tables []string, days ...string) SiteState) {
	readStates = f
}

// states returns the state of every partition of the days, as "table day" with its first reason.
func states(t testing.TB, s *site.Site, now time.Time, days ...string) (at, why map[string]string, st siteState) {
	t.Helper()
	st = readStates(t, s, now, nil, days...)
	at, why = map[string]string{}, map[string]string{}
	for _, p := range st.Partitions {
		at[p.Unit.String()] = p.State
		if len(p.Reasons) > 0 {
			why[p.Unit.String()] = p.Reasons[0]
		}
	}
	return at, why, st
}
