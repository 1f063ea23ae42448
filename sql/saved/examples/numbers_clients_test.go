package examples

import (
	"fmt"
	"maps"
	"math"
)

func init() {
	maps.Copy(numbers, map[string]func(d *data) [][]string{
		"e10s-share": func(d *data) [][]string {
			return grouped(d.rows("clients_daily", known("e10s_enabled")), dayAnd("normalized_channel"), share(is("e10s_enabled")))
		},
		"versions": func(d *data) [][]string {
			all := d.rows("clients_daily", release)
			return grouped(all, dayAnd("app_version"), func(rows []row) []string {
				total := 0 // a client may have several versions on a day
				_, versions := group(where(all, func(r row) bool { return r.day == rows[0].day }), column("app_version"))
				for _, version := range versions {
					total += clientsOf(version)
				}
				return []string{fmt.Sprint(clientsOf(rows)), percent(clientsOf(rows), total)}
			})
		},
		"updates": func(d *data) [][]string {
			ready := func(r row) bool { return r.text("payload", "reason") == "ready" }
			return grouped(d.rows("telemetry_update_parquet", nil), func(r row) string {
				if ready(r) {
					return r.text("payload", "target_display_version")
				}
				return r.text("application", "displayVersion")
			}, func(rows []row) []string {
				return []string{fmt.Sprint(clientsOf(where(rows, ready))),
					fmt.Sprint(clientsOf(where(rows, func(r row) bool { return r.text("payload", "reason") == "success" })))}
			})
		},
		"new-profiles": func(d *data) [][]string {
			from := []string{"environment", "settings", "attribution"}
			return grouped(d.rows("telemetry_new_profile_parquet", nil), func(r row) string {
				return r.or("(none)", append(from, "source")...) + "|" + r.or("(none)", append(from, "medium")...)
			}, func(rows []row) []string { return []string{fmt.Sprint(clientsOf(rows))} })
		},
		"systems": func(d *data) [][]string {
			all := d.rows("clients_daily", func(r row) bool { return r.day == last8 })
			return grouped(all, func(r row) string { return r.text("os") + "|" + r.text("normalized_os_version") }, func(rows []row) []string {
				return []string{fmt.Sprint(clientsOf(rows)), percent(clientsOf(rows), clientsOf(all))}
			})
		},
		"memory": func(d *data) [][]string {
			return grouped(d.rows("clients_daily", func(r row) bool { return r.day == last8 }), func(r row) string {
				gb := ""
				if r.at("memory_mb") != nil {
					gb = fmt.Sprint(math.Round(r.number("memory_mb") / 1024))
				}
				return gb + "|" + r.text("cpu_count")
			}, func(rows []row) []string { return []string{fmt.Sprint(clientsOf(rows))} })
		},
		"default-browser": func(d *data) [][]string {
			return grouped(d.rows("clients_daily", known("is_default_browser")), dayAnd("os"), share(is("is_default_browser")))
		},
		"countries": func(d *data) [][]string {
			return best(grouped(d.rows("clients_daily", nil), column("country"), func(rows []row) []string {
				return []string{fmt.Sprint(clientsOf(rows)), round(sum(rows, "active_hours_sum"), 1)}
			}), 1, 0, 20)
		},
		"addons": func(d *data) [][]string {
			all := d.rows("addons", nil)
			lines := grouped(where(all, func(r row) bool { return r.at("is_system") != true && r.at("addon_id") != nil }), column("addon_id"),
				func(rows []row) []string {
					name := ""
					for _, r := range rows {
						name = max(name, r.text("name"))
					}
					return []string{name, fmt.Sprint(clientsOf(rows)), percent(clientsOf(rows), clientsOf(all))}
				})
			return best(lines, 2, 0, 20)
		},
		"experiments": func(d *data) [][]string {
			var all []row
			for _, r := range d.rows("clients_daily", known("experiments")) {
				for experiment, branch := range r.at("experiments").(map[string]any) {
					all = append(all, row{map[string]any{"client_id": r.at("client_id"), "active_hours_sum": r.at("active_hours_sum"),
						"experiment": experiment, "branch": branch}, r.day})
				}
			}
			return grouped(all, func(r row) string { return r.text("experiment") + "|" + r.text("branch") }, func(rows []row) []string {
				return []string{fmt.Sprint(clientsOf(rows)), round(sum(rows, "active_hours_sum")/float64(clientsOf(rows)), 2)}
			})
		},
	})
}
