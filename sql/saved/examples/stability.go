package examples

import (
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// stability are questions about crashes.
var stability = []Example{
	{"crash-rate", saved.Doc{
		Title:       "Crashes for 1,000 hours of use, by version",
		Description: "Crashes of the main process are counted from crash pings, those of content processes as clients report them.",
		Tags:        []string{"stability"},
		Parameters:  []params.Parameter{week, channel},
		Chart:       &saved.Chart{Kind: "bar", X: "version", Y: []string{"main_rate", "content_rate"}},
		SQL: `WITH usage AS (
  SELECT
    app_version AS version,
    sum(CAST(subsession_hours_sum AS double)) AS hours,
    coalesce(sum(aborts_content_sum), 0) AS content_crashes
  FROM clients_daily
  WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
    AND normalized_channel = {{channel}}
  GROUP BY app_version
), crashes AS (
  SELECT build_version AS version, count(*) AS main_crashes
  FROM crash_summary
  WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
    AND normalized_channel = {{channel}}
    AND (payload.processType IS NULL OR payload.processType = 'main')
  GROUP BY build_version
)
SELECT
  usage.version,
  round(hours, 1) AS hours,
  coalesce(main_crashes, 0) AS main_crashes,
  content_crashes,
  round(1000 * coalesce(main_crashes, 0) / nullif(hours, 0), 2) AS main_rate,
  round(1000 * content_crashes / nullif(hours, 0), 2) AS content_rate
FROM usage
LEFT JOIN crashes ON crashes.version = usage.version
ORDER BY hours DESC, usage.version`,
	}},
	{"crashes-by-day", saved.Doc{
		Title:       "Crash pings by day and kind of process",
		Description: "Older versions send no kind for the main process.",
		Tags:        []string{"stability"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "area", X: "day", Y: []string{"crashes"}, Series: "process", Stacked: true},
		SQL: `SELECT
  date(submission_date) AS day,
  coalesce(payload.processType, 'main') AS process,
  count(*) AS crashes,
  count(DISTINCT client_id) AS clients
FROM crash_summary
WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
}
