package table

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// modelClients computes clients_daily: rows by key.
func modelClients(t testing.TB, all day) map[string]map[string]any {
	cols := readModel(t, "clients_daily")
	out := map[string]map[string]any{}
	for key, d := range all.groups(keyOf("client_id")) {
		row := map[string]any{}
		for _, c := range cols {
			row[c.name] = d.common(c)
		}
		row["client_id"] = d[0]["client_id"]
		row["active_hours_sum"] = d.doubles("active_ticks", func(n *big.Rat) float64 {
			return float(rounded(new(big.Rat).Quo(n, big.NewRat(720, 1)), 11))
		})
		row["experiments"] = d.experiments()
		row["pings_aggregated_by_this_row"] = d.documents()
		row["profile_age_in_days"] = d.profileAge()
		row["profile_creation_date"] = nil
		for _, r := range d {
			if text := creationText(r["profile_creation_date"]); text != nil {
				row["profile_creation_date"] = text
				break
			}
		}
		row["search_count_all"] = d.allSearches()
		row["sessions_started_on_this_day"] = d.sessions()
		row["subsession_hours_sum"] = d.hours("subsession_length")
		row["total_hours_sum"] = d.hours("total_time")
		row["submission_date_obj"] = d.first("submission_date_obj")
		out[key] = row
	}
	return out
}

func (d day) experiments() any {
	branches := map[string]any{}
	for _, row := range d {
		m, _ := row["experiments"].(map[string]any)
		for k, v := range m {
			if _, known := branches[k]; !known && v != nil {
				branches[k] = v
			}
		}
	}
	return branches
}

func (d day) documents() any {
	ids := map[any]bool{}
	for _, row := range d {
		if row["document_id"] != nil {
			ids[row["document_id"]] = true
		}
	}
	return fitting(new(big.Rat).SetInt64(int64(len(ids))), true)
}

// creationText finds the date of a day by counting up to it from a day near it.
func creationText(v any) any {
	n := number(v)
	if n == nil || !n.Num().IsInt64() || n.Num().Int64() < -719162 || n.Num().Int64() > 2932896 {
		return nil
	}
	want := n.Num().Int64()
	for year := int(want/366) + 1969 - 20; ; year++ {
		if civilDay(year+1, 1, 1) <= want {
			continue
		}
		for month := 1; ; month++ {
			if day := int(want-civilDay(year, month, 1)) + 1; day <= lastDay(year, month) {
				digits := func(n, width int) string {
					s := "0000" + big.NewInt(int64(n)).String()
					return s[len(s)-width:]
				}
				return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + " 00:00:00"
			}
		}
	}
}

func (d day) allSearches() any {
	sum := new(big.Rat)
	for _, part := range []string{"abouthome", "contextmenu", "newtab", "searchbar", "system", "urlbar"} {
		sum.Add(sum, d.searches(part))
	}
	return fitting(sum, true)
}

// hours adds seconds as hours, each rounded to six decimals.
func (d day) hours(name string) any {
	list := d.numbers(name)
	if len(list) == 0 {
		return nil
	}
	sum := new(big.Rat)
	for _, n := range list {
		sum.Add(sum, rounded(new(big.Rat).Quo(n, big.NewRat(3600, 1)), 6))
	}
	return sum.FloatString(6)
}

// modelSearches computes search_clients_daily: rows by key.
func modelSearches(t testing.TB, all day) map[string]map[string]any {
	cols := readModel(t, "search_clients_daily")
	keys := []string{"client_id", "submission_date", "engine", "source"}
	out := map[string]map[string]any{}
	for key, d := range all.exploded().groups(keyOf(keys...)) {
		row := map[string]any{}
		for _, c := range cols {
			row[c.name] = d.common(c)
		}
		for _, k := range keys {
			row[k] = d[0][k]
		}
		row["addon_version"], row["active_addons_count_mean"] = d.addons()
		row["sessions_started_on_this_day"] = d.sessions()
		row["profile_age_in_days"] = d.profileAge()
		row["subsession_hours_sum"] = d.doubles("subsession_length", func(n *big.Rat) float64 { return float(n) / 3600.0 })
		row["active_hours_sum"] = d.doubles("active_ticks", func(n *big.Rat) float64 { return float(n) * 5 / 3600.0 })
		row["submission_date_obj"] = d.first("submission_date_obj")
		kind := "sap"
		if s, _ := d[0]["source"].(string); strings.HasPrefix(s, "sap:") {
			kind = "tagged-sap"
		} else if strings.HasPrefix(s, "follow-on:") {
			kind = "tagged-follow-on"
		}
		if sum := total(d.numbers("count")); sum.Sign() != 0 {
			row[kind] = fitting(sum, true)
		}
		row["tagged_sap"], row["tagged_follow_on"] = row["tagged-sap"], row["tagged-follow-on"]
		out[key] = row
	}
	return out
}

// exploded returns a row for every usable search, and one for each ping without any.
func (d day) exploded() (out day) {
	for _, row := range d {
		found := false
		list, _ := row["search_counts"].([]any)
		for _, e := range list {
			s := e.(map[string]any)
			if n := number(s["count"]); n != nil && n.Cmp(big.NewRat(10000, 1)) < 0 {
				out = append(out, with(row, s["engine"], s["source"], s["count"]))
				found = true
			}
		}
		if !found {
			out = append(out, with(row, nil, nil, json.Number("0")))
		}
	}
	return out
}

func with(row map[string]any, engine, source, count any) map[string]any {
	c := map[string]any{"engine": engine, "source": source, "count": count}
	for k, v := range row {
		c[k] = v
	}
	return c
}

// addons returns the first known version of the follow-on add-on and the mean number of add-ons.
func (d day) addons() (version, count any) {
	var counts []*big.Rat
	for _, row := range d {
		list, ok := row["active_addons"].([]any)
		if !ok {
			continue
		}
		counts = append(counts, new(big.Rat).SetInt64(int64(len(list))))
		for _, e := range list {
			if a := e.(map[string]any); a["addon_id"] == "followonsearch@mozilla.com" {
				if version == nil {
					version = a["version"]
				}
				break
			}
		}
	}
	return version, mean(counts)
}

// modelAddons computes the rows of addons, in order.
func modelAddons(all day) (out []map[string]any) {
	names := []string{"blocklisted", "name", "user_disabled", "app_disabled", "version", "scope", "type", "foreign_install",
		"has_binary_components",
		"install_day", "update_day", "signed_state", "is_system", "addon_id"}
	for _, row := range all {
		list, _ := row["active_addons"].([]any)
		if list = append([]any{}, list...); len(list) == 0 {
			list = append(list, map[string]any{})
		}
		for _, e := range list {
			r := map[string]any{}
			for _, n := range names {
				r[n] = e.(map[string]any)[n]
			}
			for _, n := range []string{"document_id", "client_id", "subsession_start_date", "normalized_channel", "submission_date_obj",
				"sample_id"} {
				r[n] = row[n]
			}
			if row["client_id"] != nil {
				out = append(out, r)
			}
		}
	}
	return out
}
