package examples

import (
	"fmt"
	"maps"
	"slices"
)

func init() {
	maps.Copy(numbers, map[string]func(d *data) [][]string{
		"search-engines": func(d *data) [][]string {
			counted := where(flat(d.rows("main_summary", nil), "search_counts"), func(r row) bool {
				return slices.Contains(sources.Default.([]any), r.at("source")) && r.at("count") != nil && r.number("count") < 10000
			})
			return grouped(counted, func(r row) string { return r.text("engine") + "|" + r.text("source") }, func(rows []row) []string {
				return []string{round(sum(rows, "count"), 0), fmt.Sprint(clientsOf(rows))}
			})
		},
		"search-clients": func(d *data) [][]string {
			return grouped(d.rows("search_clients_daily", known("engine")), dayAnd("engine"), func(rows []row) []string {
				n := clientsOf(rows)
				return []string{fmt.Sprint(n), round(sum(rows, "sap"), 0), round(sum(rows, "sap")/float64(n), 2)}
			})
		},
		"search-share": func(d *data) [][]string {
			all := d.rows("search_aggregates",
				func(r row) bool { return r.text("country") != "??" && r.at("country") != nil && r.number("sap") > 0 })
			return grouped(all, func(r row) string { return r.text("country") + "|" + r.text("engine") }, func(rows []row) []string {
				country := where(all, func(r row) bool { return r.text("country") == rows[0].text("country") })
				return []string{round(sum(rows, "sap"), 0), round(100*sum(rows, "sap")/sum(country, "sap"), 1)}
			})
		},
		"search-kinds": func(d *data) [][]string {
			return grouped(d.rows("search_aggregates", nil), day, func(rows []row) []string {
				return []string{round(sum(rows, "sap"), 0), round(sum(rows, "tagged_sap"), 0), round(sum(rows, "tagged_follow_on"), 0)}
			})
		},
		"search-default": func(d *data) [][]string {
			all := d.rows("search_aggregates", func(r row) bool { return r.at("default_search_engine") != nil && r.number("sap") > 0 })
			return grouped(all, column("app_version"), func(rows []row) []string {
				other := sum(where(rows, func(r row) bool { return r.text("engine") != r.text("default_search_engine") }), "sap")
				return []string{round(sum(rows, "sap"), 0), round(other, 0), round(100*other/sum(rows, "sap"), 1)}
			})
		},
	})
}
