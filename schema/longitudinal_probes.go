package schema

import (
	"encoding/json"
	"math"
	"strings"
)

// optOut is the value of a definition's member for a probe that release versions record by default.
const optOut = "opt-out"

// maxBuckets is the largest number of buckets of a histogram with a column in longitudinal.
const maxBuckets = 10_000

// release selects the histograms that release versions record by default and that have a known shape without labels.
func release(all []Histogram) (list []Histogram) {
	for _, h := range all {
		if h.OptOut && h.Kind != HistogramCategorical && h.sized() && checkName(h.Name) == nil {
			list = append(list, h)
		}
	}
	return list
}

// sized reports whether the histogram has a known number of buckets.
func (h *Histogram) sized() bool {
	switch h.Kind {
	case HistogramEnumerated:
		return !h.unsized && h.NValues >= 0 && h.NValues < maxBuckets
	case HistogramLinear, HistogramExponential:
		return !h.unsized && h.Buckets >= 2 && h.Buckets <= maxBuckets
	}
	return true
}

// releaseColumns returns the columns of longitudinal for probes, by name. A probe that would share a column has none.
func releaseColumns(p *Probes) (cols []Column) {
	taken := map[string]bool{}
	for _, c := range longitudinalFixed() {
		taken[c.Name] = true
	}
	add := func(c Column) {
		if key := strings.ToLower(c.Name); !taken[key] {
			taken[key], c.Probe = true, true
			cols = append(cols, c)
		}
	}
	for i := range p.Release {
		h := &p.Release[i]
		for _, process := range h.Processes {
			name, path := strings.ToLower(h.Name), histogramPath(process)
			if process != ProcessParent {
				name += "_" + process.String()
			}
			if h.Keyed {
				path = strings.TrimSuffix(path, "histograms") + "keyedHistograms"
			}
			c := ruled(name, keyedArray(h.elementType(), h.Keyed), path, RuleHistogram, probeDoc(h.Doc, h.Name, process))
			c.Arg, c.Histogram = h.Name, h
			add(c)
		}
	}
	types := map[ScalarKind]string{ScalarUint: "long", ScalarBoolean: "boolean", ScalarString: "string"}
	for i := range p.Scalars {
		s := &p.Scalars[i]
		if !s.OptOut || s.Processes[0] != ProcessParent {
			continue
		}
		path := "payload/processes/parent/scalars"
		if s.Keyed {
			path = "payload/processes/parent/keyedScalars"
		}
		c := ruled(s.ColumnIn(ProcessParent), keyedArray("struct<value:"+types[s.Kind]+">", s.Keyed), path, RuleScalar,
			probeDoc(s.Doc, s.Name, ProcessParent))
		c.Arg, c.Scalar = s.Name, s
		add(c)
	}
	return byName(cols)
}

// keyedArray returns the type of a column with elements of a type for each ping, by key if keyed.
func keyedArray(element string, keyed bool) string {
	if keyed {
		return "map<string,array<" + element + ">>"
	}
	return "array<" + element + ">"
}

// elementType returns the type of one ping's histogram in longitudinal.
func (h *Histogram) elementType() string {
	switch h.Kind {
	case HistogramFlag:
		return "boolean"
	case HistogramCount:
		return "int"
	case HistogramLinear, HistogramExponential:
		return longCounts
	}
	return "array<int>"
}

// Bounds returns the lower bounds of the buckets in order, as the browser computes them.
func (h *Histogram) Bounds() []int {
	switch h.Kind {
	case HistogramEnumerated:
		bounds := make([]int, h.NValues+1)
		for i := range bounds {
			bounds[i] = i
		}
		return bounds
	case HistogramLinear:
		return linearBounds(float32(h.Low), float32(h.High), h.Buckets)
	case HistogramExponential:
		return exponentialBounds(h.Low, float64(float32(h.High)), h.Buckets)
	}
	return []int{0, 1}
}

func linearBounds(low, high float32, n int) []int {
	bounds := make([]int, n)
	for i := 1; i < n; i++ {
		// Two single-precision products, as in the original; a conversion prevents a fused multiplication.
		at := (float32(low*float32(n-1-i)) + float32(high*float32(i-1))) / float32(n-2)
		bounds[i] = clampInt(float64(at) + 0.5)
	}
	return bounds
}

func exponentialBounds(low int, high float64, n int) []int {
	bounds := make([]int, n)
	current := low
	bounds[1] = current
	for i := 2; i < n; i++ {
		ln := math.Log(float64(current))
		next := clampInt(math.Floor(math.Exp(ln+(math.Log(high)-ln)/float64(n-i)) + 0.5))
		if next <= current {
			next = current + 1
		}
		current = next
		bounds[i] = current
	}
	return bounds
}

// clampInt cuts a number to 32 bits; what is no number gives 0.
func clampInt(f float64) int {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt32:
		return math.MaxInt32
	case f <= math.MinInt32:
		return math.MinInt32
	}
	return int(f)
}

// Definition describes what decides on the content of a table of snapshots, or of the one that it is made from, beside its
// columns: the samples, the months, the number of pings, and the buckets of histograms.
func (t *Table) Definition() string {
	var all []any
	for _, c := range t.Columns {
		if h := c.Histogram; h != nil {
			all = append(all, []any{c.Name, h.Kind, h.Low, h.High, h.Buckets, h.NValues})
		}
	}
	b, _ := json.Marshal([]any{t.Snapshots.Samples, t.Snapshots.Months, t.Snapshots.Pings, all}) // numbers and texts only
	return string(b)
}
