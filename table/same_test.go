package table

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
)

var unordered = map[string]bool{"active_addons": true, "search_counts": true, "disabled_addons_ids": true}

// same compares a wanted value with what came out: numbers by value, objects by
// their members (absent is null), some arrays in any order.
func same(want, got any, name string, partial bool) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for k := range g {
			if _, ok := w[k]; !ok && !partial && g[k] != nil {
				return false
			}
		}
		for k := range w {
			if !same(w[k], g[k], name, partial) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		return ok && len(w) == len(g) && sameList(w, append([]any(nil), g...), name, partial)
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return false
		}
		if w == g {
			return true
		}
		a, _ := w.Float64()
		b, _ := g.Float64()
		return strings.ContainsAny(string(w)+string(g), ".eE") && math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(a))
	}
	return reflect.DeepEqual(want, got)
}

func sameList(want, got []any, name string, partial bool) bool {
	for i, w := range want {
		if !unordered[name] {
			if !same(w, got[i], name, partial) {
				return false
			}
			continue
		}
		hit := -1
		for j, g := range got {
			if hit < 0 && same(w, g, "", partial) {
				hit = j
			}
		}
		if hit < 0 {
			return false
		}
		got = append(got[:hit], got[hit+1:]...)
	}
	return true
}
