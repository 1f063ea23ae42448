package metric_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// cases are questions with loops that compute their answers: what a ping adds to which groups, and the columns of a group.
var cases = []struct {
	path     string
	clients  bool
	extra    string
	values   func(s *sent, add func(key string, total float64, values ...weighted))
	measures func(g *group) []float64
}{
	{path: "metrics.boolean.t_flag", values: texts("boolean", "t.flag"), measures: none},
	{path: "metrics.boolean.t_flag", clients: true, values: texts("boolean", "t.flag"), measures: none},
	{path: "metrics.counter.t_count", values: number("counter", "t.count", integer),
		measures: func(g *group) []float64 { return summary(g.all()) }},
	{path: "metrics.counter.t_count", clients: true, values: number("counter", "t.count", integer),
		measures: func(g *group) []float64 { return summary(g.perClient(sum)) }},
	{path: "metrics.quantity.t_size", values: number("quantity", "t.size", integer),
		measures: func(g *group) []float64 { return summary(g.all()) }},
	{path: "metrics.quantity.t_size", clients: true, values: number("quantity", "t.size", integer),
		measures: func(g *group) []float64 { return summary(g.perClient(largest)) }},
	{path: "metrics.timespan.t_span", values: number("timespan", "t.span", seconds),
		measures: func(g *group) []float64 { return summary(g.all()) }},
	{path: "metrics.timespan.t_span", clients: true, values: number("timespan", "t.span", seconds),
		measures: func(g *group) []float64 { return summary(g.perClient(sum)) }},
	{path: "metrics.timing_distribution.t_time", values: distribution("timing_distribution", "t.time"), measures: spread(false)},
	{path: "metrics.timing_distribution.t_time", clients: true, values: distribution("timing_distribution", "t.time"), measures: spread(true)},
	{path: "metrics.memory_distribution.t_mem", values: distribution("memory_distribution", "t.mem"), measures: spread(false)},
	{path: "metrics.labeled_timing_distribution.t_labeled_time", values: labeledTimes, measures: spread(false)},
	{path: "metrics.labeled_timing_distribution.t_labeled_time", clients: true, values: labeledTimes, measures: spread(true)},
	{path: "metrics.rate.t_ratio", values: rates, measures: func(g *group) []float64 {
		numerator, denominator := sum(g.all()), weight(g.all())
		return []float64{numerator, denominator, numerator / denominator}
	}},
	{path: "metrics.rate.t_ratio", clients: true, values: rates, measures: func(g *group) []float64 {
		numerator, denominator := sum(g.all()), weight(g.all())
		mean := sum(g.perClient(func(v []weighted) float64 { return sum(v) / weight(v) })) / float64(len(g.clients))
		return []float64{numerator, denominator, mean}
	}},
	{path: "metrics.uuid.t_id", values: func(s *sent, add func(string, float64, ...weighted)) {
		if s.at("uuid", "t.id") != nil {
			add("", 0)
		}
	}, measures: none},
	{path: "metrics.labeled_boolean.t_labeled_flag", values: func(s *sent, add func(string, float64, ...weighted)) {
		byLabel, _ := s.at("labeled_boolean", "t.labeled_flag").(labels)
		for label, v := range byLabel {
			add(label+"|"+fmt.Sprint(v), 0)
		}
	}, measures: none},
	{path: "metrics.labeled_quantity.t_labeled_size", values: func(s *sent, add func(string, float64, ...weighted)) {
		if byLabel, ok := s.at("labeled_quantity", "t.labeled_size").(labels); ok {
			add("a", 0, weighted{integer(byLabel["a"]), 1})
		}
	}, measures: func(g *group) []float64 { return summary(g.all()) }},
	{path: "metrics.dual_labeled_counter.t_dual", values: func(s *sent, add func(string, float64, ...weighted)) {
		if byLabel, ok := s.at("dual_labeled_counter", "t.dual").(labels); ok {
			inner := byLabel["k"].(labels)
			for _, name := range slices.Sorted(maps.Keys(inner)) {
				add("k / "+name, integer(inner[name]))
			}
		}
	}, measures: func(g *group) []float64 { return []float64{g.total} }},
	{path: "metrics.string.t_word", values: bounded(func(s *sent, add func(string, float64)) {
		if v := s.at("string", "t.word"); v != nil {
			add(v.(string), 0)
		}
	}), measures: none},
	{path: "metrics.string_list.t_list", values: bounded(func(s *sent, add func(string, float64)) {
		words, _ := s.at("string_list", "t.list").([]any)
		for _, w := range words {
			add(w.(string), 1)
		}
	}), measures: func(g *group) []float64 { return []float64{g.total} }},
	{path: "metrics.labeled_counter.t_labeled_count", clients: true, values: bounded(func(s *sent, add func(string, float64)) {
		byLabel, _ := s.at("labeled_counter", "t.labeled_count").(labels)
		for label, n := range byLabel {
			add(label, integer(n))
		}
	}), measures: func(g *group) []float64 { return []float64{g.total} }},
	{path: "events.t.press", values: func(s *sent, add func(string, float64, ...weighted)) {
		for range s.presses {
			add("", 0)
		}
	}, measures: none},
	{path: "events.t.press", extra: "key", clients: true, values: func(s *sent, add func(string, float64, ...weighted)) {
		for _, key := range s.presses {
			if key == "" {
				key = "(none)"
			}
			add(key, 0)
		}
	}, measures: none},
}

func texts(typ, id string) func(s *sent, add func(string, float64, ...weighted)) {
	return func(s *sent, add func(string, float64, ...weighted)) {
		if v := s.at(typ, id); v != nil {
			add(fmt.Sprint(v), 0)
		}
	}
}

func distribution(typ, id string) func(s *sent, add func(string, float64, ...weighted)) {
	return func(s *sent, add func(string, float64, ...weighted)) {
		if v := s.at(typ, id); v != nil {
			total, all := samples(v)
			add("", total, all...)
		}
	}
}

func labeledTimes(s *sent, add func(string, float64, ...weighted)) {
	byLabel, _ := s.at("labeled_timing_distribution", "t.labeled_time").(labels)
	for label, v := range byLabel {
		total, all := samples(v)
		add(label, total, all...)
	}
}

func rates(s *sent, add func(string, float64, ...weighted)) {
	if byLabel, ok := s.at("rate", "t.ratio").(labels); ok {
		denominator := integer(byLabel["denominator"])
		add("", 0, weighted{integer(byLabel["numerator"]) / denominator, denominator})
	}
}

// bounded makes all but the twelve most frequent keys of the population one.
func bounded(keys func(s *sent, add func(string, float64))) func(s *sent, add func(string, float64, ...weighted)) {
	rows := map[string]int{}
	for _, s := range population() {
		keys(s, func(key string, _ float64) { rows[key]++ })
	}
	all := slices.SortedFunc(maps.Keys(rows), func(a, b string) int { return cmp.Or(cmp.Compare(rows[b], rows[a]), cmp.Compare(a, b)) })
	return func(s *sent, add func(string, float64, ...weighted)) {
		keys(s, func(key string, n float64) {
			if slices.Index(all, key) >= 12 {
				key = "(other)"
			}
			add(key, n)
		})
	}
}
