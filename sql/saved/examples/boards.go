package examples

import (
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// boards are questions of the dashboards that come with the program, beside those of the other lists.
var boards = []Example{
	{"clients-day", saved.Doc{
		Title:       "Clients of a day, and their hours of use",
		Description: "One row: clients that sent a main ping, and the hours in which somebody used the browser.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "number", Y: []string{"clients"}},
		SQL: `SELECT
  count(DISTINCT client_id) AS clients,
  round(sum(active_hours_sum), 1) AS active_hours
FROM clients_daily
WHERE submission_date_obj = {{day}}`,
	}},
	{"crashes-day", saved.Doc{
		Title:       "Crash pings of a day",
		Description: "One row: crash pings of all processes, and the clients that sent them.",
		Tags:        []string{"stability"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "number", Y: []string{"crashes"}},
		SQL: `SELECT
  count(*) AS crashes,
  count(DISTINCT client_id) AS clients
FROM crash_summary
WHERE submission_date = {{day.dashed}}`,
	}},
	{"addons-by-day", saved.Doc{
		Title:       "Share of clients with add-ons of their own by day",
		Description: "Add-ons that come with the browser do not count.",
		Tags:        []string{"add-ons"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"percent"}},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  count(DISTINCT client_id) AS clients,
  count(DISTINCT IF(NOT coalesce(is_system, false) AND addon_id IS NOT NULL, client_id)) AS with_addons,
  round(100e0 * count(DISTINCT IF(NOT coalesce(is_system, false) AND addon_id IS NOT NULL, client_id)) / count(DISTINCT client_id), 1) AS percent
FROM addons
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY submission_date_obj
ORDER BY 1`,
	}},
	{"addons-each", saved.Doc{
		Title:       "Number of add-ons of a client",
		Description: "How many clients of a day have how many add-ons, without those that come with the browser.",
		Tags:        []string{"add-ons"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "bar", X: "addons", Y: []string{"clients"}},
		SQL: `SELECT
  addons,
  count(*) AS clients
FROM (
  SELECT
    client_id,
    count(DISTINCT IF(NOT coalesce(is_system, false), addon_id)) AS addons
  FROM addons
  WHERE submission_date_obj = {{day}}
  GROUP BY client_id
)
GROUP BY addons
ORDER BY addons`,
	}},
	{"updates-by-day", saved.Doc{
		Title:       "Clients that got an update ready, and that applied one, by day",
		Description: "A client sends a ping when an update is ready and another one when it was applied.",
		Tags:        []string{"updates"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"ready", "applied"}},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  count(DISTINCT IF(payload.reason = 'ready', client_id)) AS ready,
  count(DISTINCT IF(payload.reason = 'success', client_id)) AS applied
FROM telemetry_update_parquet
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY submission_date_obj
ORDER BY 1`,
	}},
}
