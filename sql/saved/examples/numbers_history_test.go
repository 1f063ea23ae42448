package examples

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// newest returns the rows of the newest snapshot.
func newest(d *data) []row {
	return where(d.rows("longitudinal", nil), func(r row) bool { return r.day == last8 })
}

func list(r row, column string) []any {
	all, _ := r.at(column).([]any)
	return all
}

// version of the newest ping of a client.
func version(r row) string {
	all := list(r, "build")
	if len(all) == 0 || all[0] == nil {
		return ""
	}
	return row{all[0].(map[string]any), r.day}.text("version")
}

func init() {
	maps.Copy(numbers, map[string]func(d *data) [][]string{
		"history-reasons": func(d *data) [][]string {
			var pings []row
			for _, r := range newest(d) {
				for _, why := range list(r, "reason") {
					if why != nil {
						pings = append(pings, row{map[string]any{"client_id": r.at("client_id"), "reason": why}, r.day})
					}
				}
			}
			return best(grouped(pings, column("reason"), func(rows []row) []string {
				return []string{count(rows), fmt.Sprint(clientsOf(rows))}
			}), 1, 0, len(pings))
		},
		"history-pings": func(d *data) [][]string {
			lines := grouped(newest(d), func(r row) string { return fmt.Sprint(min(len(list(r, "submission_date")), 50)) },
				func(rows []row) []string {
					return []string{count(rows)}
				})
			slices.SortFunc(lines, func(a, b []string) int {
				x, _ := strconv.Atoi(a[0])
				y, _ := strconv.Atoi(b[0])
				return x - y
			})
			return lines
		},
		"history-versions": func(d *data) [][]string {
			rows := where(newest(d), func(r row) bool { return version(r) != "" })
			return best(grouped(rows, version, func(rows []row) []string {
				pings := 0
				for _, r := range rows {
					pings += len(list(r, "submission_date"))
				}
				return []string{count(rows), strconv.Itoa(pings)}
			}), 1, 0, len(rows))
		},
	})
}
