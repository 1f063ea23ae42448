package probe

import (
	"errors"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// Catalogue is all that pings can measure.
type Catalogue struct {
	plain    [schema.NumProcesses][]*Histogram
	keyed    [schema.NumProcesses][]keyedHistogram
	expected [schema.NumProcesses][Levels]int // bytes of all plain ones as often as they are usual
	Scalars  [schema.NumProcesses]scalarSet
	Dynamic  scalarSet
	own      map[string]bool
}

// keyedHistogram is a histogram for each of several keys.
type keyedHistogram struct {
	*Histogram
	keys []string // `"name":`
}

var errNoHistograms = errors.New("the probes define no histogram of the parent process")

// New makes the catalogue of defined and invented probes, but for the
// parent's histograms whose names are in own. What it draws depends on nothing else.
func New(p *schema.Probes, own map[string]bool) (*Catalogue, error) {
	c := &Catalogue{own: own}
	for i := range p.Histograms {
		c.define(&p.Histograms[i])
	}
	if len(c.plain[schema.ProcessParent]) == 0 {
		return nil, errNoHistograms
	}
	c.invent()
	for process := range c.plain {
		for level := range Levels {
			c.expected[process][level] = expectedSize(c.plain[process], level)
		}
	}
	for i := range p.Scalars {
		for _, process := range p.Scalars[i].Processes {
			c.Scalars[process].add(&p.Scalars[i], process)
		}
	}
	for i := range p.AddonScalars {
		c.Dynamic.add(&p.AddonScalars[i], schema.ProcessParent)
	}
	return c, nil
}

// usual is how many of 1024 pings have a defined histogram, by process.
var usual = [schema.NumProcesses]int{820, 500, 200, 120, 120, 120, 120, 60, 60}

// define adds a defined histogram to the processes that record it.
func (c *Catalogue) define(d *schema.Histogram) {
	h := defined(d)
	for _, process := range d.Processes {
		if process == schema.ProcessParent && c.own[h.Name] {
			continue
		}
		if d.Keyed {
			c.keyed[process] = append(c.keyed[process], keyedHistogram{h, keysFor(h.Name)})
			continue
		}
		own := *h
		own.often = usual[process]
		c.plain[process] = append(c.plain[process], &own)
	}
}

// invent adds histograms that have no column.
func (c *Catalogue) invent() {
	r := random.New(0, random.ForCatalogue, 0, 0)
	for _, h := range inventedHistograms(&r) {
		for process, often := range [3]int{r.Between(250, 1000), r.Between(100, 700), r.Between(5, 60)} {
			own := *h
			own.often = often
			c.plain[process] = append(c.plain[process], &own)
		}
	}
	for i, name := range inventedKeyed {
		h := Exponential(name, 1, 10_000*(1+i%3), 10+20*(i%3))
		if i%4 == 3 {
			h = Small(name, schema.HistogramCount)
		}
		keys := keysFor(name)
		c.keyed[schema.ProcessParent] = append(c.keyed[schema.ProcessParent], keyedHistogram{h, keys})
		if i%2 == 0 {
			c.keyed[schema.ProcessContent] = append(c.keyed[schema.ProcessContent], keyedHistogram{h, keys})
		}
	}
}

// expectedSize returns the mean size of a list of histograms in one ping.
func expectedSize(list []*Histogram, level int) int {
	const rounds = 4
	r := random.New(0, random.ForCatalogue, 1, uint64(level))
	var t jsontext.Text
	total := 0
	for _, h := range list {
		t.B = t.B[:0]
		for range rounds {
			h.Write(&t, &r, level)
		}
		total += len(t.B) * h.often
	}
	return max(total/rounds/1024, 1)
}

// WritePlain writes about as many bytes of a process's histograms as room is.
func (c *Catalogue) WritePlain(t *jsontext.Text, r *random.Source, process schema.Process, room, level int) {
	scale := max(room, 0) << 10 / c.expected[process][level]
	limit := len(t.B) + room + room/8
	for _, h := range c.plain[process] {
		if int(r.Uint64()&1023)<<10 < h.often*scale {
			h.Write(t, r, level)
			if len(t.B) > limit {
				return
			}
		}
	}
}

// WriteKeyed writes keyed histograms; those without a value have no keys, as in
// the browser.
func (c *Catalogue) WriteKeyed(t *jsontext.Text, r *random.Source, process schema.Process, level int) {
	for i := range c.keyed[process] {
		h := &c.keyed[process][i]
		t.Open(h.Name)
		if most := min(1+level, len(h.keys)); r.OneIn(2) {
			first := r.Below(len(h.keys))
			for n := r.Between(1, most); n > 0; n-- {
				h.WriteUnder(t, h.keys[first], r, level/2)
				first = (first + 1) % len(h.keys)
			}
		}
		t.Close()
	}
}
