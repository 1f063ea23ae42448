package examples

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func count[T any](all []T) string { return strconv.Itoa(len(all)) }

func day(r row) string { return r.midnight() }

// dayAnd returns the key of a row by day and column.
func dayAnd(column string) func(row) string {
	return func(r row) string { return r.midnight() + "|" + r.text(column) }
}

func column(name string) func(row) string { return func(r row) string { return r.text(name) } }

func release(r row) bool { return r.text("normalized_channel") == "release" }

func mainProcess(r row) bool {
	return r.at("payload", "processType") == nil || r.text("payload", "processType") == "main"
}

// share returns the number of clients, and the percentage of them that fit.
func share(fits func(row) bool) line {
	return func(rows []row) []string {
		return []string{fmt.Sprint(clientsOf(rows)), percent(clientsOf(where(rows, fits)), clientsOf(rows))}
	}
}

// flat returns a row for each element of an array of structs, with the members as columns.
func flat(rows []row, array string) (all []row) {
	for _, r := range rows {
		list, _ := r.at(array).([]any)
		for _, e := range list {
			v := map[string]any{"client_id": r.at("client_id")}
			for name, x := range e.(map[string]any) {
				v[name] = x
			}
			all = append(all, row{v, r.day})
		}
	}
	return all
}

// numbers compute what each example answers, by loops over the rows.
var numbers = map[string]func(d *data) [][]string{
	"churn": func(d *data) [][]string {
		rows := d.rows("clients_daily", func(r row) bool {
			return len(r.text("profile_creation_date")) >= 10 && r.text("profile_creation_date")[:10] == "2018-03-02"
		})
		return grouped(rows, func(r row) string {
			return fmt.Sprint(r.date().Day()-2) + "|" + r.date().Format(time.DateOnly)
		}, func(rows []row) []string { return []string{fmt.Sprint(clientsOf(rows))} })
	},
	"pings": func(d *data) [][]string {
		rows := d.rows("clients_daily", func(r row) bool {
			return r.day == last8 && r.at("normalized_channel") != nil && r.text("normalized_channel") != "Other"
		})
		return grouped(rows, func(r row) string {
			return r.text("normalized_channel") + "|" + round(min(r.number("pings_aggregated_by_this_row"), 50), 0)
		}, func(rows []row) []string { return []string{fmt.Sprint(clientsOf(rows))} })
	},
	"crashes": func(d *data) [][]string {
		rows := d.rows("crash_summary", func(r row) bool { return r.text("application") == "Firefox" && mainProcess(r) })
		return grouped(rows, column("gfx_compositor"), func(rows []row) []string { return []string{count(rows)} })
	},
	"searches": func(d *data) [][]string {
		return grouped(flat(d.rows("main_summary", nil), "search_counts"), column("source"),
			func(rows []row) []string { return []string{round(sum(rows, "count"), 0)} })
	},
	"daily-actives": func(d *data) [][]string {
		return grouped(d.rows("clients_daily", nil), dayAnd("normalized_channel"),
			func(rows []row) []string { return []string{fmt.Sprint(clientsOf(rows))} })
	},
	"weekly-actives": func(d *data) (result [][]string) {
		d.rows("clients_daily", nil)
		for _, r := range grouped(d.rows("clients_daily", nil), day, func([]row) []string { return nil }) {
			at, _ := time.Parse(time.DateOnly, r[0][:10])
			week := where(d.all["clients_daily"], func(r row) bool { return !r.date().After(at) && r.date().After(at.AddDate(0, 0, -7)) })
			today := where(week, func(r row) bool { return r.date().Equal(at) })
			result = append(result, []string{r[0][:10], fmt.Sprint(clientsOf(today)), fmt.Sprint(clientsOf(week)),
				percent(clientsOf(today), clientsOf(week))})
		}
		return result
	},
	"retention": func(d *data) (result [][]string) {
		days, _ := group(d.rows("clients_daily", nil), func(r row) string { return r.day })
		profiles, byProfile := group(d.rows("clients_daily", func(r row) bool {
			created := r.text("profile_creation_date")
			return created >= "2018-03-02" && created < "2018-03-09"
		}), func(r row) string { return r.text("profile_creation_date")[:10] + r.text("client_id") })
		all, active := map[int]int{}, map[int]int{}
		for _, profile := range profiles {
			created, _ := time.Parse(time.DateOnly, profile[:10])
			for _, day := range days {
				if since := int(row{day: day}.date().Sub(created).Hours() / 24); since >= 0 {
					all[since]++
					if len(where(byProfile[profile], func(r row) bool { return r.day == day })) > 0 {
						active[since]++
					}
				}
			}
		}
		for since := range all {
			result = append(result, []string{fmt.Sprint(since), fmt.Sprint(all[since]), fmt.Sprint(active[since]),
				percent(active[since], all[since])})
		}
		return result
	},
	"active-hours": func(d *data) [][]string {
		return grouped(d.rows("clients_daily", nil), dayAnd("normalized_channel"), func(rows []row) []string {
			n := float64(clientsOf(rows))
			return []string{round(n, 0), round(sum(rows, "subsession_hours_sum")/n, 2), round(sum(rows, "active_hours_sum")/n, 2)}
		})
	},
	"session-length": func(d *data) [][]string {
		rows := d.rows("main_summary", func(r row) bool {
			return r.text("reason") == "shutdown" && r.at("session_length") != nil && r.number("session_length") >= 0
		})
		return grouped(rows, column("normalized_channel"), func(rows []row) []string {
			return []string{count(rows), percentile(rows, "session_length", 0.5, 60, 1), percentile(rows, "session_length", 0.9, 60, 1),
				percentile(rows, "session_length", 0.99, 60, 1)}
		})
	},
	"pages": func(d *data) [][]string {
		type client struct{ pages, tabs float64 }
		byPages := map[float64][]client{}
		_, clients := group(d.rows("clients_daily", func(r row) bool { return r.day == last8 }), column("client_id"))
		for _, rows := range clients {
			if pages := where(rows, known("scalar_parent_browser_engagement_total_uri_count_sum")); len(pages) > 0 {
				c := client{sum(pages, "scalar_parent_browser_engagement_total_uri_count_sum"), math.NaN()}
				for _, r := range where(rows, known("scalar_parent_browser_engagement_max_concurrent_tab_count_max")) {
					if tabs := r.number("scalar_parent_browser_engagement_max_concurrent_tab_count_max"); !(c.tabs > tabs) {
						c.tabs = tabs
					}
				}
				from := 0.0
				for power := 1.0; power <= c.pages; power *= 2 {
					from = power
				}
				byPages[from] = append(byPages[from], c)
			}
		}
		var result [][]string
		for from, all := range byPages {
			tabs, n := 0.0, 0.0
			for _, c := range all {
				if !math.IsNaN(c.tabs) {
					tabs, n = tabs+c.tabs, n+1
				}
			}
			result = append(result, []string{round(from, 0), count(all), round(tabs/n, 1)})
		}
		return result
	},
	"ping-reasons": func(d *data) [][]string {
		return grouped(d.rows("main_summary", nil), func(r row) string { return r.midnight() + "|" + r.or("(none)", "reason") },
			func(rows []row) []string { return []string{count(rows)} })
	},
	"events-by-day": func(d *data) [][]string {
		return grouped(d.rows("event_events", nil), func(r row) string { return r.midnight() + "|" + r.text("event_category") },
			func(rows []row) []string {
				return []string{fmt.Sprint(clientsOf(rows)), count(rows)}
			})
	},
	"ping-latency": func(d *data) [][]string {
		return grouped(d.rows("main_summary", nil), column("normalized_channel"), func(rows []row) []string {
			return []string{count(where(rows, known("client_submission_latency"))), percentile(rows, "client_submission_latency", 0.5, 3600, 2),
				percentile(rows, "client_submission_latency", 0.95, 3600, 2)}
		})
	},
	"crash-rate": func(d *data) [][]string {
		crashes := d.rows("crash_summary", func(r row) bool { return release(r) && mainProcess(r) })
		return grouped(d.rows("clients_daily", release), column("app_version"), func(rows []row) []string {
			main := len(where(crashes, func(r row) bool { return r.text("build_version") == rows[0].text("app_version") }))
			hours, content := sum(rows, "subsession_hours_sum"), sum(rows, "aborts_content_sum")
			return []string{round(hours, 1), fmt.Sprint(main), round(content, 0), round(1000*float64(main)/hours, 2), round(1000*content/hours, 2)}
		})
	},
	"crashes-by-day": func(d *data) [][]string {
		return grouped(d.rows("crash_summary", nil), func(r row) string {
			return r.date().Format(time.DateOnly) + "|" + r.or("main", "payload", "processType")
		}, func(rows []row) []string {
			return []string{count(rows), fmt.Sprint(clientsOf(rows))}
		})
	},
}

// TestNumbers: each example answers what loops over the rows of the files find, and its chart draws columns that there are.
func TestNumbers(t *testing.T) {
	s, db := generated(t)
	d := &data{t: t, site: s, all: map[string][]row{}}
	from, to := row{day: second8}.date(), row{day: last8}.date()
	for _, e := range All {
		sql, err := e.Query(Days{from, to})
		require.NoError(t, err)
		columns, got := runQuery(t, db, sql)
		for _, c := range append([]string{e.Chart.X, e.Chart.Series}, e.Chart.Y...) {
			require.Contains(t, append(columns, ""), c, e.Name)
		}
		for _, table := range s.Tables { // what anybody may ask without another condition
			require.True(t, !table.Large || !strings.Contains(e.SQL, table.Name) ||
				slices.Contains([]any{week.Default, lastDay.Default}, e.Parameters[0].Default), e.Name)
		}
		require.Contains(t, numbers, e.Name)
		want := numbers[e.Name](d)
		assert.NotEmpty(t, want, "%s: the data have nothing for it", e.Name)
		sortLines(got)
		sortLines(want)
		assert.Equal(t, want, got, e.Name)
	}
	require.Len(t, numbers, len(All))
}

func sortLines(lines [][]string) { slices.SortFunc(lines, slices.Compare) }
