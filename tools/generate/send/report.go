package send

import (
	"fmt"
	"maps"
	"sync"
	"time"
)

// Stats count submissions. Those that are on their way are in Submissions only.
type Stats struct {
	Submissions  int64 // that were begun
	Acknowledged int64 // responses with 200
	Nameless     int64 // of these, without a document id in the path
	Requests     int64 // of these, deletion requests of Glean, which are not kept
	Refused      int64 // another final response
	GivenUp      int64 // no response, or 429 or 5xx, at every try
	Retries      int64 // tries after the first
	Bytes        int64 // of the bodies of all tries with a response
}

// Unfinished returns the number of submissions that have not ended. In a report, these were cut off.
func (s *Stats) Unfinished() int64 {
	return s.Submissions - s.Acknowledged - s.Refused - s.GivenUp
}

// Report is the result of sending.
type Report struct {
	Stats
	Responses  map[int]int64 // tries by status
	NoResponse int64         // tries that got none
	LastError  error         // of a try without a response, nil if there was none
	Took       time.Duration
	// Latency is the time from sending a request to its response. At a set rate, the first try counts from its
	// scheduled time, so it includes the wait for a free slot.
	Latency Latency
}

// Rate returns the number of submissions that ended per second.
func (r *Report) Rate() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Submissions-r.Unfinished()) / r.Took.Seconds()
}

// Err is an error when nothing was acknowledged by to, the address.
func (r *Report) Err(to string) error {
	switch {
	case r.Acknowledged > 0 || r.Submissions == 0:
		return nil
	case r.LastError != nil:
		return fmt.Errorf("send to %s: nothing was acknowledged: %w", to, r.LastError)
	}
	return fmt.Errorf("send to %s: nothing was acknowledged", to)
}

// Latency sums up durations, within 4 %.
type Latency struct{ P50, P90, P99, Max time.Duration }

// tally counts while sending.
type tally struct {
	now   func() time.Time
	start time.Time

	mu         sync.Mutex
	stats      Stats
	responses  map[int]int64
	noResponse int64
	lastErr    error
	latencies  latencies
	line       []byte // memory for lines of the journal
}

// add counts what is not a response.
func (t *tally) add(to *int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*to++
}

// count counts a try, also one without a response.
func (t *tally) count(j *job, a *response, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if a.err != nil {
		t.noResponse++
		t.lastErr = a.err
		return
	}
	if t.responses == nil {
		t.responses = map[int]int64{}
	}
	t.responses[a.status]++
	t.stats.Bytes += int64(len(j.body.data))
	t.latencies.add(took)
}

func (t *tally) report() Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Report{
		Stats: t.stats, Responses: maps.Clone(t.responses), NoResponse: t.noResponse, LastError: t.lastErr,
		Took: t.now().Sub(t.start), Latency: t.latencies.sum(),
	}
}
