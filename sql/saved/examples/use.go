package examples

import (
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// use are questions about how many use the browser, and how.
var use = []Example{
	{"daily-actives", saved.Doc{
		Title:       "Daily active clients by channel",
		Description: "Clients that sent a main ping on a day. Pings arrive some hours after they were made: the last day is often low.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"clients"}, Series: "normalized_channel"},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  normalized_channel,
  count(DISTINCT client_id) AS clients
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"weekly-actives", saved.Doc{
		Title:       "Daily and weekly active clients, and how many of a week come on a day",
		Description: "A week ends on the day and has seven days. The first days of the data have shorter ones.",
		Tags:        []string{"usage", "retention"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"daily", "weekly"}},
		SQL: `WITH days AS (
  SELECT DISTINCT date(date_parse(submission_date_obj, '%Y%m%d')) AS day
  FROM clients_daily
  WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
), clients AS (
  SELECT DISTINCT client_id, date(date_parse(submission_date_obj, '%Y%m%d')) AS day
  FROM clients_daily
  WHERE submission_date_obj BETWEEN date_format(date_parse({{days.from}}, '%Y%m%d') - INTERVAL '6' DAY, '%Y%m%d') AND {{days.to}}
)
SELECT
  days.day,
  count(DISTINCT IF(clients.day = days.day, client_id)) AS daily,
  count(DISTINCT client_id) AS weekly,
  round(100e0 * count(DISTINCT IF(clients.day = days.day, client_id)) / count(DISTINCT client_id), 1) AS percent
FROM days
JOIN clients ON clients.day BETWEEN days.day - INTERVAL '6' DAY AND days.day
GROUP BY days.day
ORDER BY days.day`,
	}},
	{"retention", saved.Doc{
		Title: "Retention of new profiles",
		Description: "How many percent of the profiles that were created in these days are active that many days later: of those whose day " +
			"that was is in the data.",
		Tags:       []string{"retention"},
		Parameters: []params.Parameter{fourWeeks},
		Chart:      &saved.Chart{Kind: "line", X: "days_since", Y: []string{"percent"}},
		SQL: `WITH active AS (
  SELECT DISTINCT
    client_id,
    date(substr(profile_creation_date, 1, 10)) AS created,
    date(date_parse(submission_date_obj, '%Y%m%d')) AS day
  FROM clients_daily
  WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
    AND substr(profile_creation_date, 1, 10) BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
), profiles AS (
  SELECT DISTINCT client_id, created
  FROM active
), days AS (
  SELECT DISTINCT date(date_parse(submission_date_obj, '%Y%m%d')) AS day
  FROM clients_daily
  WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
)
SELECT
  date_diff('day', profiles.created, days.day) AS days_since,
  count(*) AS profiles,
  count(active.client_id) AS active,
  round(100e0 * count(active.client_id) / count(*), 1) AS percent
FROM profiles
JOIN days ON days.day >= profiles.created
LEFT JOIN active ON active.client_id = profiles.client_id AND active.created = profiles.created AND active.day = days.day
GROUP BY 1
ORDER BY 1`,
	}},
	{"active-hours", saved.Doc{
		Title:       "Hours of use of a client on a day, by channel",
		Description: "Hours that the browser was open, and hours in which somebody used it: means over the clients of the day.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"active_hours"}, Series: "normalized_channel"},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  normalized_channel,
  count(DISTINCT client_id) AS clients,
  round(sum(CAST(subsession_hours_sum AS double)) / count(DISTINCT client_id), 2) AS open_hours,
  round(sum(active_hours_sum) / count(DISTINCT client_id), 2) AS active_hours
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"session-length", saved.Doc{
		Title:       "How long sessions last, by channel",
		Description: "Percentiles of the minutes of sessions that ended with the browser being closed.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "normalized_channel", Y: []string{"median", "p90"}},
		SQL: `SELECT
  normalized_channel,
  count(*) AS sessions,
  round(approx_percentile(session_length, 0.5) / 60e0, 1) AS median,
  round(approx_percentile(session_length, 0.9) / 60e0, 1) AS p90,
  round(approx_percentile(session_length, 0.99) / 60e0, 1) AS p99
FROM main_summary
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND reason = 'shutdown'
  AND session_length >= 0
GROUP BY normalized_channel
ORDER BY sessions DESC, normalized_channel`,
	}},
	{"pages", saved.Doc{
		Title:       "Pages opened and tabs of a client on a day",
		Description: "How many clients opened how many pages, by powers of two, and the tabs that they had open at most.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "bar", X: "pages_from", Y: []string{"clients"}},
		SQL: `SELECT
  IF(pages = 0, 0, CAST(pow(2, floor(log2(pages))) AS bigint)) AS pages_from,
  count(*) AS clients,
  round(avg(tabs), 1) AS tabs
FROM (
  SELECT
    client_id,
    sum(scalar_parent_browser_engagement_total_uri_count_sum) AS pages,
    max(scalar_parent_browser_engagement_max_concurrent_tab_count_max) AS tabs
  FROM clients_daily
  WHERE submission_date_obj = {{day}}
  GROUP BY client_id
)
WHERE pages IS NOT NULL
GROUP BY 1
ORDER BY 1`,
	}},
	{"ping-reasons", saved.Doc{
		Title:       "Main pings by the reason for which they were sent",
		Description: "A day that begins, a change of the environment, the end of the browser: a change of the shares is a change of clients.",
		Tags:        []string{"usage", "data quality"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "area", X: "day", Y: []string{"pings"}, Series: "reason", Stacked: true},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  coalesce(reason, '(none)') AS reason,
  count(*) AS pings
FROM main_summary
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"events-by-day", saved.Doc{
		Title:       "Events of event pings by day and category",
		Description: "What browsers since the middle of 2018 record about uses of single features, with how many clients did so.",
		Tags:        []string{"usage", "events"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"clients"}, Series: "event_category"},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  event_category,
  count(DISTINCT client_id) AS clients,
  count(*) AS events
FROM event_events
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"ping-latency", saved.Doc{
		Title:       "How long main pings take to arrive, by channel",
		Description: "Percentiles of the hours from the end of a subsession until the client sent its ping.",
		Tags:        []string{"data quality"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "normalized_channel", Y: []string{"median_hours", "p95_hours"}},
		SQL: `SELECT
  normalized_channel,
  count(client_submission_latency) AS pings,
  round(approx_percentile(client_submission_latency, 0.5) / 3600e0, 2) AS median_hours,
  round(approx_percentile(client_submission_latency, 0.95) / 3600e0, 2) AS p95_hours
FROM main_summary
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY normalized_channel
ORDER BY pings DESC, normalized_channel`,
	}},
}
