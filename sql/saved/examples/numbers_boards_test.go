package examples

import (
	"fmt"
	"maps"
	"slices"
)

func init() {
	own := func(r row) bool { return r.at("is_system") != true && r.at("addon_id") != nil }
	reason := func(name string) func(row) bool {
		return func(r row) bool { return r.text("payload", "reason") == name }
	}
	maps.Copy(numbers, map[string]func(d *data) [][]string{
		"clients-day": func(d *data) [][]string {
			rows := d.rows("clients_daily", func(r row) bool { return r.day == last8 })
			return [][]string{{fmt.Sprint(clientsOf(rows)), round(sum(rows, "active_hours_sum"), 1)}}
		},
		"crashes-day": func(d *data) [][]string {
			rows := d.rows("crash_summary", func(r row) bool { return r.day == last8 })
			return [][]string{{count(rows), fmt.Sprint(clientsOf(rows))}}
		},
		"addons-by-day": func(d *data) [][]string {
			return grouped(d.rows("addons", nil), day, func(rows []row) []string {
				n, with := clientsOf(rows), clientsOf(where(rows, own))
				return []string{fmt.Sprint(n), fmt.Sprint(with), percent(with, n)}
			})
		},
		"addons-each": func(d *data) [][]string {
			_, clients := group(d.rows("addons", func(r row) bool { return r.day == last8 }), column("client_id"))
			var each []row
			for id, rows := range clients {
				ids := map[string]bool{}
				for _, r := range where(rows, own) {
					ids[r.text("addon_id")] = true
				}
				each = append(each, row{map[string]any{"client_id": id, "addons": count(slices.Collect(maps.Keys(ids)))}, last8})
			}
			return grouped(each, column("addons"), func(rows []row) []string { return []string{count(rows)} })
		},
		"updates-by-day": func(d *data) [][]string {
			return grouped(d.rows("telemetry_update_parquet", nil), day, func(rows []row) []string {
				return []string{fmt.Sprint(clientsOf(where(rows, reason("ready")))), fmt.Sprint(clientsOf(where(rows, reason("success"))))}
			})
		},
	})
}
