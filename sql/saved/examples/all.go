package examples

import (
	"slices"

	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// Parameters that several examples have. Days are relative to the newest day of the data, so that they always find some.
var (
	week      = params.Parameter{Name: "days", Title: "Days", Kind: params.Days, Default: "newest 7 days"}
	fourWeeks = params.Parameter{Name: "days", Title: "Days", Kind: params.Days, Default: "newest 28 days"}
	channel   = params.Parameter{Name: "channel", Title: "Channel", Kind: params.Choice, Default: "release",
		Choices: []string{"release", "esr", "beta", "aurora", "nightly", "Other"}}
	sources = params.Parameter{Name: "sources", Title: "Sources", Kind: params.List,
		Default: []any{"abouthome", "contextmenu", "newtab", "searchbar", "system", "urlbar"}}
	top     = params.Parameter{Name: "top", Title: "How many", Kind: params.Number, Default: "20"}
	lastDay = params.Parameter{Name: "day", Title: "Day", Kind: params.Day, Default: "newest"}
)

// All are the questions that the tables are asked most often.
var All = slices.Concat(use, clients, history, stability, search, boards, first, matrices)

// first lists the examples of the reference.
var first = []Example{
	{"churn", saved.Doc{
		Title:       "Churn of a one-day cohort: clients created on the first day, by days since",
		Description: "How many of the clients whose profile was created on the first day are active on each of the days.",
		Tags:        []string{"retention"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "line", X: "days_since", Y: []string{"active_clients"}},
		SQL: `SELECT
  date_diff('day', date_parse({{days.from}}, '%Y%m%d'), date_parse(submission_date_obj, '%Y%m%d')) AS days_since,
  date_format(date_parse(submission_date_obj, '%Y%m%d'), '%Y-%m-%d') AS day,
  approx_distinct(client_id) AS active_clients
FROM clients_daily
WHERE submission_date_obj >= {{days.from}}
  AND submission_date_obj <= {{days.to}}
  AND profile_creation_date LIKE {{days.from.dashed}} || '%'
GROUP BY 1, 2
ORDER BY 1`,
	}},
	{"pings", saved.Doc{
		Title:       "Distribution of pings per client and day, capped at 50, by channel",
		Description: "How many clients sent how many main pings on a day.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "bar", X: "pings_per_day", Y: []string{"client_count"}, Series: "normalized_channel", Stacked: true},
		SQL: `SELECT
  normalized_channel,
  LEAST(pings_aggregated_by_this_row, 50) AS pings_per_day,
  approx_distinct(client_id) AS client_count
FROM clients_daily
WHERE submission_date_obj = {{day}}
  AND normalized_channel <> 'Other'
GROUP BY 1, 2
ORDER BY 2, 1`,
	}},
	{"crashes", saved.Doc{
		Title:       "Crashes of the main process by graphics compositor",
		Description: "Crash pings of the main process, which have no process type in older versions.",
		Tags:        []string{"stability"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "gfx_compositor", Y: []string{"crashes"}},
		SQL: `SELECT
  gfx_compositor,
  count(*) AS crashes
FROM crash_summary
WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
  AND application = 'Firefox'
  AND (payload.processType IS NULL OR payload.processType = 'main')
GROUP BY gfx_compositor
ORDER BY crashes DESC, gfx_compositor`,
	}},
	{"searches", saved.Doc{
		Title:       "Search volume per source",
		Description: "Searches by the part of the browser they were made from.",
		Tags:        []string{"search"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "source", Y: []string{"searches"}},
		SQL: `SELECT
  source,
  sum(count) AS searches
FROM main_summary
CROSS JOIN UNNEST(search_counts) AS t(engine, source, count)
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY source
ORDER BY searches DESC, source`,
	}},
}
