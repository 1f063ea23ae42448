package examples

import (
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// search are questions about searches.
var search = []Example{
	{"search-engines", saved.Doc{
		Title:       "Searches by engine and source",
		Description: "Which engine is asked from which part of the browser. Pings with 10,000 searches or more are left out: those are mistakes.",
		Tags:        []string{"search"},
		Parameters:  []params.Parameter{week, sources},
		Chart:       &saved.Chart{Kind: "bar", X: "engine", Y: []string{"searches"}, Series: "source", Stacked: true},
		SQL: `SELECT
  engine,
  source,
  sum(count) AS searches,
  count(DISTINCT client_id) AS clients
FROM main_summary
CROSS JOIN UNNEST(search_counts) AS t(engine, source, count)
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND source IN ({{sources}})
  AND count < 10000
GROUP BY engine, source
ORDER BY searches DESC, engine, source`,
	}},
	{"search-clients", saved.Doc{
		Title:       "Clients that search and searches of each, by engine",
		Description: "From the table of searches of single clients.",
		Tags:        []string{"search"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"searches_each"}, Series: "engine"},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  engine,
  count(DISTINCT client_id) AS clients,
  coalesce(sum(sap), 0) AS searches,
  round(coalesce(sum(sap), 0) / CAST(count(DISTINCT client_id) AS double), 2) AS searches_each
FROM search_clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND engine IS NOT NULL
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"search-share", saved.Doc{
		Title:       "Share of the engines in the searches of each country",
		Description: "How many of a country's searches went to which engine, in percent, from the sums of all clients.",
		Tags:        []string{"search"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "country", Y: []string{"percent"}, Series: "engine", Stacked: true},
		SQL: `SELECT
  country,
  engine,
  sum(sap) AS searches,
  round(100e0 * sum(sap) / sum(sum(sap)) OVER (PARTITION BY country), 1) AS percent
FROM search_aggregates
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND country <> '??'
  AND sap > 0
GROUP BY country, engine
ORDER BY country, searches DESC, engine`,
	}},
	{"search-kinds", saved.Doc{
		Title:       "Searches by kind and day",
		Description: "Searches from parts of the browser, those of them with a partner code, and follow-on searches on the page of results.",
		Tags:        []string{"search"},
		Parameters:  []params.Parameter{fourWeeks},
		Chart:       &saved.Chart{Kind: "line", X: "day", Y: []string{"sap", "tagged_sap", "tagged_follow_on"}},
		SQL: `SELECT
  date_parse(submission_date_obj, '%Y%m%d') AS day,
  coalesce(sum(sap), 0) AS sap,
  coalesce(sum("tagged-sap"), 0) AS tagged_sap,
  coalesce(sum("tagged-follow-on"), 0) AS tagged_follow_on
FROM search_aggregates
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
GROUP BY submission_date_obj
ORDER BY 1`,
	}},
	{"search-default", saved.Doc{
		Title:       "Searches with another engine than the default one, by version",
		Description: "How many searches were made, and how many of them with an engine that is not the default one of the browser.",
		Tags:        []string{"search"},
		Parameters:  []params.Parameter{week},
		Chart:       &saved.Chart{Kind: "bar", X: "app_version", Y: []string{"searches", "other_engine"}},
		SQL: `SELECT
  app_version,
  sum(sap) AS searches,
  coalesce(sum(IF(engine <> default_search_engine, sap)), 0) AS other_engine,
  round(100e0 * coalesce(sum(IF(engine <> default_search_engine, sap)), 0) / sum(sap), 1) AS percent
FROM search_aggregates
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND default_search_engine IS NOT NULL
  AND sap > 0
GROUP BY app_version
ORDER BY searches DESC, app_version`,
	}},
}
