package generate

import (
	"fmt"
	"iter"

	"github.com/pingmill/pingmill/tools/generate/probe"
)

// Generator generates the submissions of a population. It is safe for concurrent use; every iteration yields the same
// submissions.
type Generator struct {
	config    Config
	first     int   // first day, since 1970
	from, to  int64 // first ns of the first day, and of the day after the last
	catalogue *probe.Catalogue
}

// New prepares a generator. Members of the configuration that are out of range
// are an error.
func New(c Config) (*Generator, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	first, err := dayNumber(c.Start)
	if err != nil {
		return nil, err
	}
	g := &Generator{config: c, first: first}
	g.from = int64(first) * daySec * second
	g.to = int64(first+c.Days) * daySec * second
	if g.catalogue, err = probe.New(c.Probes, browserOwn); err != nil {
		return nil, fmt.Errorf("configure generator: %w", err)
	}
	return g, nil
}

// Submissions yields the submissions of the configured days, in the order of
// arrival. A submission and the memory it points to is valid until the next one.
func (g *Generator) Submissions() iter.Seq[*Submission] {
	return func(yield func(*Submission) bool) {
		g.inOrder(func(*slot) error { return nil }, func(s *slot) bool { return yield(&s.writer.sub) })
	}
}

// Expect sums up all submissions without writing their documents: all of Summary
// but the bytes.
func (g *Generator) Expect() Summary {
	var sum Summary
	var o outline
	g.plan(func(e *entry) bool {
		o.set(g, e)
		sum.add(&o)
		return true
	})
	return sum
}
