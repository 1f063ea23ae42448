package examples

import (
	"fmt"
	"maps"
	"time"
)

func init() {
	monday := func(day time.Time) string { return day.AddDate(0, 0, -(int(day.Weekday())+6)%7).Format(time.DateOnly) }
	clients := func(rows []row) []string { return []string{fmt.Sprint(clientsOf(rows))} }
	maps.Copy(numbers, map[string]func(d *data) [][]string{
		"cohorts": func(d *data) [][]string {
			rows := d.rows("clients_daily", func(r row) bool {
				created := r.text("profile_creation_date")
				return created >= "2018-03-02" && created < "2018-03-09"
			})
			return grouped(rows, func(r row) string {
				created, _ := time.Parse(time.DateOnly, r.text("profile_creation_date")[:10])
				return monday(created) + "|" + monday(r.date())
			}, clients)
		},
		"channels": func(d *data) [][]string {
			rows := d.rows("clients_daily", func(r row) bool { return r.day == last8 })
			return grouped(rows, func(r row) string { return r.text("os") + "|" + r.text("normalized_channel") }, clients)
		},
	})
}
