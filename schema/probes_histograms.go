package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// parseHistograms reads Histograms.json: every sound definition, whitelisted or
// not, sorted by name. In record_in_processes, "all" means processes.
func parseHistograms(b []byte, processes []Process, at *problems) []Histogram {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var list []Histogram
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(b))
	err := eachMember(dec, func(name string, raw json.RawMessage) {
		if seen[name] {
			at.addf(name, "defined twice")
			return
		}
		seen[name] = true
		d, err := definitionOf(raw)
		if err != nil {
			at.add(name, err)
			return
		}
		if h, ok := histogramOf(name, d, processes, at); ok {
			list = append(list, h)
		}
	})
	if err != nil {
		at.addf("", "line %d: %w", 1+bytes.Count(b[:min(errorOffset(dec, err), int64(len(b)))], []byte("\n")), err)
	}
	slices.SortFunc(list, func(a, b Histogram) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// eachMember streams the members of the one JSON object that dec holds.
func eachMember(dec *json.Decoder, f func(name string, raw json.RawMessage)) error {
	t, err := dec.Token()
	if err != nil {
		return unexpectedEnd(err)
	}
	if t != json.Delim('{') {
		return errors.New("want an object of definitions")
	}
	for dec.More() {
		name, err := dec.Token() // inside an object always a string
		if err != nil {
			return unexpectedEnd(err)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return unexpectedEnd(err)
		}
		f(name.(string), raw)
	}
	if _, err := dec.Token(); err != nil {
		return unexpectedEnd(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more after the object of definitions")
	}
	return nil
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("unexpected end of file")
	}
	return err
}

// errorOffset returns the byte offset at which decoding stopped.
func errorOffset(dec *json.Decoder, err error) int64 {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return max(syntax.Offset, dec.InputOffset())
	}
	return dec.InputOffset()
}

func definitionOf(raw json.RawMessage) (definition, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	d, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("definition is %s (want an object)", describe(v))
	}
	return d, nil
}

// histogramOf reads one definition and records all its problems.
func histogramOf(name string, d definition, all []Process, at *problems) (h Histogram, ok bool) {
	before := len(at.errs)
	note := func(err error) {
		if err != nil {
			at.add(name, err)
		}
	}
	h = Histogram{Name: name, Doc: d.doc(), OptOut: d["releaseChannelCollection"] == optOut}
	var err error
	h.Kind, err = definedKind[HistogramKind](d, histogramKindNames)
	note(err)
	h.Keyed, err = d.keyed()
	note(err)
	var recordIn []string
	h.Processes, recordIn, err = d.processes(all)
	note(err)
	labels, absent, err := d.texts("labels")
	note(err)
	if h.Kind == HistogramCategorical {
		h.Labels = labels
		if absent && err == nil {
			note(errors.New("labels are missing"))
		}
	}
	h.unsized = !h.setBounds(d, note)
	switch {
	case h.Kind == HistogramCount:
		h.columnless = "a histogram of kind count"
	case len(h.Processes) == 0:
		h.columnless = otherProcesses(recordIn)
	case h.unsized:
		h.columnless = "its size is missing or symbolic"
	}
	return h, len(at.errs) == before
}

// setBounds reads the sizes that the kind has and reports whether all are known.
func (h *Histogram) setBounds(d definition, note func(error)) bool {
	read := func(member string, to *int) bool {
		n, ok, err := d.integer(member)
		note(err)
		*to = n
		return ok
	}
	switch h.Kind {
	case HistogramEnumerated:
		return read("n_values", &h.NValues)
	case HistogramLinear, HistogramExponential:
		if !read("low", &h.Low) { // absent or symbolic: the usual one
			h.Low = 1
		}
		high, buckets := read("high", &h.High), read("n_buckets", &h.Buckets)
		return high && buckets
	}
	return true
}
