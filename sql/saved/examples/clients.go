package examples

import (
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// clients are questions about what clients are and have.
var clients = []Example{
	{"e10s-share", saved.Doc{
		Title:       "Share of clients with several processes",
		Description: "Clients with e10s on, of those of which it is known.",
		Tags:        []string{"e10s"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"percent"}, Series: "normalized_channel"},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  normalized_channel,
  count(DISTINCT client_id) AS clients,
  round(100e0 * count(DISTINCT IF(e10s_enabled, client_id)) / count(DISTINCT client_id), 1) AS percent
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND e10s_enabled IS NOT NULL
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"versions", saved.Doc{
		Title:       "Uptake of versions: share of a channel's clients by day",
		Description: "Which versions the clients of a channel have, as an update reaches them.",
		Tags:        []string{"updates"},
		Parameters:  []params.Parameter{fourWeeks, channel},
		Chart:       &saved.Chart{Kind: "area", X: "day", Y: []string{"percent"}, Series: "app_version", Stacked: true},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  app_version,
  count(DISTINCT client_id) AS clients,
  round(100e0 * count(DISTINCT client_id) / sum(count(DISTINCT client_id)) OVER (PARTITION BY submission_date_obj), 1) AS percent
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND normalized_channel = {{channel}}
GROUP BY submission_date_obj, app_version
ORDER BY 1, 2`,
	}},
	{"updates", saved.Doc{
		Title:       "Updates that were ready, and those that were applied, by version",
		Description: "A client sends a ping when an update is ready and another one when it was applied.",
		Tags:        []string{"updates"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "bar", X: "version", Y: []string{"ready", "applied"}},
		SQL: `SELECT
  IF(payload.reason = 'ready', payload.target_display_version, application.displayVersion) AS version,
  count(DISTINCT IF(payload.reason = 'ready', client_id)) AS ready,
  count(DISTINCT IF(payload.reason = 'success', client_id)) AS applied
FROM telemetry_update_parquet
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY 1
ORDER BY ready DESC, version`,
	}},
	{"new-profiles", saved.Doc{
		Title:       "New profiles by where they come from",
		Description: "The source of the download as the installer kept it; most profiles have none.",
		Tags:        []string{"growth"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "bar", X: "source", Y: []string{"profiles"}},
		SQL: `SELECT
  coalesce(environment.settings.attribution.source, '(none)') AS source,
  coalesce(environment.settings.attribution.medium, '(none)') AS medium,
  count(DISTINCT client_id) AS profiles
FROM telemetry_new_profile_parquet
WHERE submission BETWEEN {{days.from}} AND {{days.to}}
GROUP BY 1, 2
ORDER BY profiles DESC, source, medium`,
	}},
	{"systems", saved.Doc{
		Title:       "Clients by operating system and its version",
		Description: "The clients of one day.",
		Tags:        []string{"hardware"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "bar", X: "normalized_os_version", Y: []string{"clients"}, Series: "os", Stacked: true},
		SQL: `SELECT
  os,
  normalized_os_version,
  count(DISTINCT client_id) AS clients,
  round(100e0 * count(DISTINCT client_id) / sum(count(DISTINCT client_id)) OVER (), 1) AS percent
FROM clients_daily
WHERE submission_date_obj = {{day}}
GROUP BY os, normalized_os_version
ORDER BY clients DESC, os, normalized_os_version`,
	}},
	{"memory", saved.Doc{
		Title:       "Clients by memory and processors",
		Description: "Memory in GB, rounded, and logical processors, of the clients of one day.",
		Tags:        []string{"hardware"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "bar", X: "memory_gb", Y: []string{"clients"}, Series: "cpu_count", Stacked: true},
		SQL: `SELECT
  CAST(round(memory_mb / 1024e0) AS bigint) AS memory_gb,
  cpu_count,
  count(DISTINCT client_id) AS clients
FROM clients_daily
WHERE submission_date_obj = {{day}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"default-browser", saved.Doc{
		Title:       "Share of clients that are the default browser, by system",
		Description: "Of the clients of which it is known.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"percent"}, Series: "os"},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  os,
  count(DISTINCT client_id) AS clients,
  round(100e0 * count(DISTINCT IF(is_default_browser, client_id)) / count(DISTINCT client_id), 1) AS percent
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND is_default_browser IS NOT NULL
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"countries", saved.Doc{
		Title:       "Countries with the most clients",
		Description: "And the hours that somebody used the browser there.",
		Tags:        []string{"usage"},
		Parameters:  []params.Parameter{week, top},
		Chart:       &saved.Chart{Kind: "bar", X: "country", Y: []string{"clients"}, Horizontal: true},
		Charts:      []saved.Chart{{Kind: "map", X: "country", Y: []string{"clients"}}},
		SQL: `SELECT
  country,
  count(DISTINCT client_id) AS clients,
  round(sum(active_hours_sum), 1) AS active_hours
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY country
ORDER BY clients DESC, country
LIMIT {{top}}`,
	}},
	{"addons", saved.Doc{
		Title:       "Add-ons that most clients have",
		Description: "Without those that come with the browser. The share is of all clients with add-ons in these days.",
		Tags:        []string{"add-ons"},
		Parameters:  []params.Parameter{week, top},
		Chart:       &saved.Chart{Kind: "bar", X: "name", Y: []string{"clients"}},
		SQL: `SELECT
  addon_id,
  max(name) AS name,
  count(DISTINCT client_id) AS clients,
  round(100e0 * count(DISTINCT client_id) / (
    SELECT count(DISTINCT client_id)
    FROM addons
    WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  ), 1) AS percent
FROM addons
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND NOT coalesce(is_system, false)
  AND addon_id IS NOT NULL
GROUP BY addon_id
ORDER BY clients DESC, addon_id
LIMIT {{top}}`,
	}},
	{"experiments", saved.Doc{
		Title:       "Clients in experiments, by branch",
		Description: "An experiment whose branches are not of the size that they should have is worth a look.",
		Tags:        []string{"experiments"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "experiment", Y: []string{"clients"}, Series: "branch", Stacked: true},
		SQL: `SELECT
  experiment,
  branch,
  count(DISTINCT client_id) AS clients,
  round(sum(active_hours_sum) / count(DISTINCT client_id), 2) AS active_hours
FROM clients_daily
CROSS JOIN UNNEST(experiments) AS t(experiment, branch)
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY experiment, branch
ORDER BY experiment, branch`,
	}},
}
