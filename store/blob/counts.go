package blob

import (
	"maps"
	"net/http"
	"sync"
)

// Kinds lists the kinds of requests that are counted.
var Kinds = []string{"get", "head", "put", "copy", "list", "delete"}

// Counts holds the requests of a bucket since it was opened.
type Counts struct {
	Requests map[string]int64 // by Kinds, each try
	Errors   int64            // without a response, or with a status of 400 and more other than 404, 412 and 416
	Retries  int64            // requests that repeat another one
	In, Out  int64            // bytes of objects and answers
}

type counter struct {
	all  *counter // counts what this one counts; nil: itself is all
	mu   sync.Mutex
	sums Counts
}

var all = &counter{sums: Counts{Requests: map[string]int64{}}}

func newCounter() *counter { return &counter{all: all, sums: Counts{Requests: map[string]int64{}}} }

// Totals returns the requests of all buckets of this process.
func Totals() Counts { return all.counts() }

func (c *counter) counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	sums := c.sums
	sums.Requests = maps.Clone(sums.Requests)
	return sums
}

// add changes the sums.
func (c *counter) add(change func(sums *Counts)) {
	c.mu.Lock()
	change(&c.sums)
	c.mu.Unlock()
	if c.all != nil {
		c.all.add(change)
	}
}

func (c *counter) request(kind string, resp *http.Response, err error) {
	c.add(func(sums *Counts) {
		sums.Requests[kind]++
		if err != nil || resp.StatusCode >= 400 && resp.StatusCode != 404 && resp.StatusCode != 412 && resp.StatusCode != 416 {
			sums.Errors++
		}
	})
}

func (c *counter) retried() { c.tried(1) }

// tried adds to the retries.
func (c *counter) tried(n int64) { c.add(func(sums *Counts) { sums.Retries += n }) }

func (c *counter) in(n int) { c.add(func(sums *Counts) { sums.In += int64(n) }) }

func (c *counter) out(n int) { c.add(func(sums *Counts) { sums.Out += int64(n) }) }
