package table

import (
	"math/big"
	"strings"
	"testing"
)

// aggregateKeys are the columns that name a row of search_aggregates.
var aggregateKeys = []string{
	"addon_version", "app_version", "country", "distribution_id", "engine", "locale", "search_cohort", "source", "submission_date",
	"default_search_engine",
}

// modelAggregates computes search_aggregates: rows by key.
func modelAggregates(all day) map[string]map[string]any {
	sums, out := map[string]*big.Rat{}, map[string]map[string]any{}
	for _, row := range all {
		list, _ := row["search_counts"].([]any)
		for _, e := range list {
			s := e.(map[string]any)
			n := number(s["count"])
			if s["engine"] == nil || n == nil || n.Cmp(big.NewRat(10000, 1)) >= 0 {
				continue
			}
			r := map[string]any{"tagged-sap": nil, "tagged-follow-on": nil, "sap": nil, "tagged_sap": nil, "tagged_follow_on": nil,
				"submission_date_obj": nil}
			for _, k := range aggregateKeys {
				r[k] = row[k]
			}
			r["engine"], r["source"], r["addon_version"] = s["engine"], s["source"], followOnVersion(row)
			key := keyOf(aggregateKeys...)(r)
			if sums[key] == nil {
				sums[key], out[key] = new(big.Rat), r
			}
			sums[key].Add(sums[key], n)
		}
	}
	for key, r := range out {
		if sums[key].Sign() == 0 {
			continue
		}
		n := fitting(sums[key], true)
		switch source, _ := r["source"].(string); {
		case strings.HasPrefix(source, "sap:"):
			r["tagged-sap"], r["tagged_sap"] = n, n
		case strings.HasPrefix(source, "follow-on:"):
			r["tagged-follow-on"], r["tagged_follow_on"] = n, n
		default:
			r["sap"] = n
		}
	}
	return out
}

func followOnVersion(row map[string]any) any {
	list, _ := row["active_addons"].([]any)
	for _, e := range list {
		if a := e.(map[string]any); a["addon_id"] == "followonsearch@mozilla.com" {
			return a["version"]
		}
	}
	return nil
}

// sameSearches compares the sums of both tables of searches by engine, source, day and kind, except those that a count
// beyond 64 bits, or a sum of 0, is part of.
func sameSearches(t *testing.T, clients, aggregates day) {
	t.Helper()
	kinds := []string{"sap", "tagged-sap", "tagged-follow-on"}
	var sums [2]map[string]*big.Rat
	lost := map[string]bool{}
	for i, rows := range []day{clients, aggregates} {
		sums[i] = map[string]*big.Rat{}
		for _, r := range rows {
			if r["engine"] == nil {
				continue
			}
			key := keyOf("engine", "source", "submission_date")(r)
			all := 0
			for _, k := range kinds {
				if n := number(r[k]); n != nil {
					if sums[i][key+k] == nil {
						sums[i][key+k] = new(big.Rat)
					}
					sums[i][key+k].Add(sums[i][key+k], n)
					all++
				}
			}
			if all == 0 {
				for _, k := range kinds {
					lost[key+k] = true
				}
			}
		}
	}
	for i := range sums {
		for key, n := range sums[i] {
			if other := sums[1-i][key]; !lost[key] && (other == nil || other.Cmp(n) != 0) {
				t.Errorf("the sums of %s are %v and %v", key, n, other)
			}
		}
	}
}
