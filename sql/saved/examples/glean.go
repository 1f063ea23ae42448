package examples

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// gleanExample is an example for every Glean application that has its tables. In its texts $app stands for the application
// and the beginning of its tables' names, $active for the days since a client was active, and $minidumps for its crashes.
type gleanExample struct {
	Example

	tables []string // what the installation needs, without the name of the application
}

// The tables of clients, of events and of crashes.
const (
	daily     = "_baseline_clients_daily"
	firstSeen = "_baseline_clients_first_seen"
	lastSeen  = "_baseline_clients_last_seen"
	events    = "_events_stream"
	crashes   = "_crashes"
)

// ForTables lists the examples whose tables an installation has.
func ForTables(tables []*schema.Table) []Example {
	all := slices.Clone(All)
	for _, t := range tables {
		app, found := strings.CutSuffix(t.Name, lastSeen)
		if !found {
			continue
		}
		active := "days_since_active"
		if t.Namespace == "firefox-desktop" {
			active = "days_since_desktop_active"
		}
		fill := strings.NewReplacer("$minidumps", minidumps(tables, t.Namespace, app), "$app", app, "$active", active)
		for _, e := range gleanExamples {
			if slices.ContainsFunc(e.tables, func(name string) bool { return !slices.Contains(schema.Names(tables), app+name) }) {
				continue
			}
			e.Name = strings.ReplaceAll(app, "_", "-") + "-" + e.Name
			e.Title, e.SQL = fill.Replace(e.Title), fill.Replace(e.SQL)
			all = append(all, e.Example)
		}
	}
	return all
}

// crashReporter is the application that sends the crash pings of a Firefox for desktops of today.
const crashReporter = "firefox-crashreporter"

// minidumps returns the SQL of the days of an application's crashes.
func minidumps(tables []*schema.Table, namespace, app string) string {
	from := []string{app + crashes}
	for _, t := range tables {
		if namespace == "firefox-desktop" && t.Namespace == crashReporter && strings.HasSuffix(t.Name, crashes) {
			from = append(from, t.Name)
		}
	}
	for i, name := range from {
		from[i] = "\n    SELECT submission_date FROM " + name + "\n    WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}"
	}
	return strings.Join(from, "\n    UNION ALL")
}

// step returns a parameter with the name of an event.
func step(name, title, usual string) params.Parameter {
	return params.Parameter{Name: name, Title: title, Kind: params.Text, Default: usual}
}

// gleanExamples are the questions about applications with the Glean SDK.
var gleanExamples = []gleanExample{
	{Example{"active", saved.Doc{
		Title:       "DAU, WAU and MAU of $app",
		Description: "Clients that were active on a day, in the week and in the 28 days that end with it. The rows of the day know all three.",
		Tags:        []string{"glean", "usage"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"dau", "wau", "mau"}},
		SQL: `SELECT
  CAST(submission_date AS date) AS day,
  count_if($active < 1) AS dau,
  count_if($active < 7) AS wau,
  count_if($active < 28) AS mau
FROM $app_baseline_clients_last_seen
WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
GROUP BY 1
ORDER BY 1`,
	}}, []string{lastSeen}},
	{Example{"new-profiles", saved.Doc{
		Title:       "New profiles of $app by channel",
		Description: "Clients by the day of their first baseline ping.",
		Tags:        []string{"glean", "usage"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"profiles"}, Series: "normalized_channel"},
		SQL: `SELECT
  CAST(submission_date AS date) AS day,
  coalesce(normalized_channel, '(none)') AS normalized_channel,
  count(*) AS profiles
FROM $app_baseline_clients_first_seen
WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}}, []string{firstSeen}},
	{Example{"retention", saved.Doc{
		Title: "Retention of new profiles of $app",
		Description: "How many percent of the profiles that were first seen in these days send a baseline ping that many days later: of " +
			"those whose day that was is in the data.",
		Tags:       []string{"glean", "retention"},
		Parameters: []params.Parameter{fourWeeks},
		Chart:      &saved.Chart{Kind: "line", X: "days_since", Y: []string{"percent"}},
		SQL: `WITH profiles AS (
  SELECT client_id, first_seen_date
  FROM $app_baseline_clients_first_seen
  WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
), seen AS (
  SELECT client_id, CAST(submission_date AS date) AS day
  FROM $app_baseline_clients_daily
  WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
), days AS (
  SELECT DISTINCT day
  FROM seen
)
SELECT
  date_diff('day', profiles.first_seen_date, days.day) AS days_since,
  count(*) AS profiles,
  count(seen.client_id) AS active,
  round(100e0 * count(seen.client_id) / count(*), 1) AS percent
FROM profiles
JOIN days ON days.day >= profiles.first_seen_date
LEFT JOIN seen ON seen.client_id = profiles.client_id AND seen.day = days.day
GROUP BY 1
ORDER BY 1`,
	}}, []string{firstSeen, daily}},
	{Example{"crash-rate", saved.Doc{
		Title:       "Crashes of $app per 1,000 hours of activity",
		Description: "Crashes of a day, one for each minidump, by the hours in which somebody used the application on that day.",
		Tags:        []string{"glean", "stability"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"per_1000_hours"}},
		SQL: `WITH hours AS (
  SELECT submission_date, sum(active_hours_sum) AS hours
  FROM $app_baseline_clients_daily
  WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
  GROUP BY 1
), crashed AS (
  SELECT submission_date, count(*) AS crashes
  FROM ($minidumps
  ) AS minidumps
  GROUP BY 1
)
SELECT
  CAST(hours.submission_date AS date) AS day,
  round(hours.hours, 2) AS hours,
  coalesce(crashed.crashes, 0) AS crashes,
  round(1e3 * coalesce(crashed.crashes, 0) / nullif(hours.hours, 0), 2) AS per_1000_hours
FROM hours
LEFT JOIN crashed ON crashed.submission_date = hours.submission_date
ORDER BY 1`,
	}}, []string{daily, crashes}},
	{Example{"funnel", saved.Doc{
		Title:       "Funnel of three events of $app",
		Description: "Clients with the first event, those of them with the second one after it, and those with the third one after that.",
		Tags:        []string{"glean", "events"},
		Parameters: []params.Parameter{
			week, step("first", "First event", "nav.open"), step("second", "Second event", "urlbar.engagement"),
			step("third", "Third event", "urlbar.abandonment"),
		},
		Chart: &saved.Chart{Kind: "funnel", X: "event", Y: []string{"clients"}},
		SQL: `WITH happened AS (
  SELECT client_id, event, event_timestamp
  FROM $app_events_stream
  WHERE submission_date BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
    AND event IN ({{first}}, {{second}}, {{third}})
    AND client_id IS NOT NULL
), step_1 AS (
  SELECT client_id, min(event_timestamp) AS at
  FROM happened
  WHERE event = {{first}}
  GROUP BY 1
), step_2 AS (
  SELECT happened.client_id, min(happened.event_timestamp) AS at
  FROM happened
  JOIN step_1 ON step_1.client_id = happened.client_id AND happened.event_timestamp > step_1.at
  WHERE happened.event = {{second}}
  GROUP BY 1
), step_3 AS (
  SELECT happened.client_id, min(happened.event_timestamp) AS at
  FROM happened
  JOIN step_2 ON step_2.client_id = happened.client_id AND happened.event_timestamp > step_2.at
  WHERE happened.event = {{third}}
  GROUP BY 1
), steps AS (
  SELECT 1 AS step, {{first}} AS event, count(*) AS clients FROM step_1
  UNION ALL
  SELECT 2 AS step, {{second}} AS event, count(*) AS clients FROM step_2
  UNION ALL
  SELECT 3 AS step, {{third}} AS event, count(*) AS clients FROM step_3
)
SELECT step, event, clients, round(100e0 * clients / nullif(max(clients) OVER (), 0), 1) AS percent
FROM steps
ORDER BY 1`,
	}}, []string{events}},
}
