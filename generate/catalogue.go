package generate

import (
	"errors"

	"github.com/pingmill/pingmill/schema"
)

// catalogue is all that pings can measure.
type catalogue struct {
	plain    [schema.NumProcesses][]*histogram
	keyed    [schema.NumProcesses][]keyedHistogram
	expected [schema.NumProcesses][levels]int // bytes of all plain ones as often as they are usual
	scalars  [schema.NumProcesses]scalarSet
	dynamic  scalarSet
}

// keyedHistogram is a histogram for each of several keys.
type keyedHistogram struct {
	*histogram
	keys []string // `"name":`
}

var errNoHistograms = errors.New("the probes define no histogram of the parent process")

// newCatalogue makes the catalogue of defined and invented probes. What it draws
// depends on nothing else.
func newCatalogue(p *schema.Probes) (*catalogue, error) {
	c := &catalogue{}
	for i := range p.Histograms {
		c.define(&p.Histograms[i])
	}
	if len(c.plain[schema.ProcessParent]) == 0 {
		return nil, errNoHistograms
	}
	c.invent()
	for process := range c.plain {
		for level := range levels {
			c.expected[process][level] = expectedSize(c.plain[process], level)
		}
	}
	for i := range p.Scalars {
		for _, process := range p.Scalars[i].Processes {
			c.scalars[process].add(&p.Scalars[i], process)
		}
	}
	for i := range p.AddonScalars {
		c.dynamic.add(&p.AddonScalars[i], schema.ProcessParent)
	}
	return c, nil
}

// define adds a defined histogram to the processes that record it.
func (c *catalogue) define(d *schema.Histogram) {
	h := defined(d)
	for _, process := range d.Processes {
		if process == schema.ProcessParent && browserOwn[h.name] {
			continue
		}
		if d.Keyed {
			c.keyed[process] = append(c.keyed[process], keyedHistogram{h, keysFor(h.name)})
			continue
		}
		own := *h
		own.often = [schema.NumProcesses]int{820, 500, 200}[process]
		c.plain[process] = append(c.plain[process], &own)
	}
}

// invent adds histograms that have no column.
func (c *catalogue) invent() {
	r := newRandom(0, forCatalogue, 0, 0)
	for _, h := range inventedHistograms(&r) {
		for process, often := range [schema.NumProcesses]int{r.between(250, 1000), r.between(100, 700), r.between(5, 60)} {
			own := *h
			own.often = often
			c.plain[process] = append(c.plain[process], &own)
		}
	}
	for i, name := range inventedKeyed {
		h := exponential(name, 1, 10_000*(1+i%3), 10+20*(i%3))
		if i%4 == 3 {
			h = small(name, schema.HistogramCount)
		}
		keys := keysFor(name)
		c.keyed[schema.ProcessParent] = append(c.keyed[schema.ProcessParent], keyedHistogram{h, keys})
		if i%2 == 0 {
			c.keyed[schema.ProcessContent] = append(c.keyed[schema.ProcessContent], keyedHistogram{h, keys})
		}
	}
}

// expectedSize is the mean size of a list of histograms in one ping.
func expectedSize(list []*histogram, level int) int {
	const rounds = 4
	r := newRandom(0, forCatalogue, 1, uint64(level))
	var t text
	total := 0
	for _, h := range list {
		t.b = t.b[:0]
		for range rounds {
			h.write(&t, &r, level)
		}
		total += len(t.b) * h.often
	}
	return max(total/rounds/1024, 1)
}

// writePlain writes about as many bytes of a process's histograms as room is.
func (c *catalogue) writePlain(t *text, r *random, process schema.Process, room, level int) {
	scale := max(room, 0) << 10 / c.expected[process][level]
	limit := len(t.b) + room + room/8
	for _, h := range c.plain[process] {
		if int(r.Uint64()&1023)<<10 < h.often*scale {
			h.write(t, r, level)
			if len(t.b) > limit {
				return
			}
		}
	}
}

// writeKeyed writes keyed histograms; those without a value have no keys, as in
// the browser.
func (c *catalogue) writeKeyed(t *text, r *random, process schema.Process, level int) {
	for i := range c.keyed[process] {
		h := &c.keyed[process][i]
		t.open(h.name)
		if most := min(1+level, len(h.keys)); r.oneIn(2) {
			first := r.below(len(h.keys))
			for n := r.between(1, most); n > 0; n-- {
				h.writeUnder(t, h.keys[first], r, level/2)
				first = (first + 1) % len(h.keys)
			}
		}
		t.close()
	}
}
