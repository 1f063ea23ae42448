// Package examples has the queries that show what the tables are for.
package examples

import (
	"fmt"
	"strings"
	"text/template"
	"time"
)

// Example is a query that shows what a table is for.
type Example struct {
	Name  string // a word for the command line
	Title string
	SQL   string // text/template over Days
}

// Days is the range of an Example: first and last day.
type Days struct{ From, To time.Time }

// Compact writes a day as most partition columns do, 20180301.
func (Days) Compact(t time.Time) string { return t.Format("20060102") }

// Dashed writes a day as 2018-03-01.
func (Days) Dashed(t time.Time) string { return t.Format(time.DateOnly) }

// All are the questions the tables are asked most often, in the dialect
// of Presto.
var All = []Example{
	{
		Name:  "churn",
		Title: "Churn of a one-day cohort: clients created on the first day, by days since",
		SQL: `
SELECT
  date_diff('day', date_parse('{{.Compact .From}}', '%Y%m%d'), date_parse(submission_date_obj, '%Y%m%d')) AS days_since,
  date_format(date_parse(submission_date_obj, '%Y%m%d'), '%Y-%m-%d') AS day,
  approx_distinct(client_id) AS active_clients
FROM clients_daily
WHERE submission_date_obj >= '{{.Compact .From}}'
  AND submission_date_obj <= '{{.Compact .To}}'
  AND profile_creation_date LIKE '{{.Dashed .From}}%'
GROUP BY 1, 2
ORDER BY 1`,
	},
	{
		Name:  "pings",
		Title: "Distribution of pings per client and day, capped at 50, by channel",
		SQL: `
SELECT
  normalized_channel,
  LEAST(pings_aggregated_by_this_row, 50) AS pings_per_day,
  approx_distinct(client_id) AS client_count
FROM clients_daily
WHERE submission_date_obj = '{{.Compact .To}}'
  AND normalized_channel <> 'Other'
GROUP BY 1, 2
ORDER BY 2, 1`,
	},
	{
		Name:  "crashes",
		Title: "Crashes of the main process by graphics compositor",
		SQL: `
SELECT
  gfx_compositor,
  count(*) AS crashes
FROM crash_summary
WHERE submission_date BETWEEN '{{.Dashed .From}}' AND '{{.Dashed .To}}'
  AND application = 'Firefox'
  AND (payload.processType IS NULL OR payload.processType = 'main')
GROUP BY gfx_compositor
ORDER BY crashes DESC, gfx_compositor`,
	},
	{
		Name:  "searches",
		Title: "Search volume per source",
		SQL: `
SELECT
  source,
  sum(count) AS searches
FROM main_summary
CROSS JOIN UNNEST(search_counts) AS t(engine, source, count)
WHERE submission_date_obj BETWEEN '{{.Compact .From}}' AND '{{.Compact .To}}'
GROUP BY source
ORDER BY searches DESC, source`,
	},
}

// Query writes the example for a range of days.
func (e Example) Query(days Days) (string, error) {
	t, err := template.New(e.Name).Parse(strings.TrimSpace(e.SQL))
	if err != nil {
		return "", fmt.Errorf("read example %s: %w", e.Name, err)
	}
	var b strings.Builder
	if err := t.Execute(&b, days); err != nil {
		return "", fmt.Errorf("write example %s: %w", e.Name, err)
	}
	return b.String(), nil
}
