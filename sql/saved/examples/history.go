package examples

import "github.com/pingmill/pingmill/sql/saved"

// history are questions about clients over time.
var history = []Example{
	{"history-reasons", saved.Doc{
		Title:       "Why clients of the sample sent their pings",
		Description: "Each client of the newest snapshot has an array for each field; UNNEST makes a row of each ping.",
		Tags:        []string{"usage", "history"},
		Chart:       &saved.Chart{Kind: "bar", X: "reason", Y: []string{"pings", "clients"}},
		SQL: `SELECT
  why AS reason,
  count(*) AS pings,
  count(DISTINCT client_id) AS clients
FROM longitudinal
CROSS JOIN UNNEST(reason) AS t(why)
WHERE why IS NOT NULL
GROUP BY why
ORDER BY pings DESC, reason`,
	}},
	{"history-pings", saved.Doc{
		Title:       "Pings of a client in six months, capped at 50",
		Description: "How many clients of the newest snapshot sent how many main pings.",
		Tags:        []string{"usage", "history"},
		Chart:       &saved.Chart{Kind: "bar", X: "pings", Y: []string{"clients"}},
		SQL: `SELECT
  least(cardinality(submission_date), 50) AS pings,
  count(*) AS clients
FROM longitudinal
GROUP BY 1
ORDER BY 1`,
	}},
	{"history-versions", saved.Doc{
		Title:       "Version of a client's newest ping",
		Description: "The first element of an array is of the newest ping: which version clients of the newest snapshot had last.",
		Tags:        []string{"history"},
		Chart:       &saved.Chart{Kind: "bar", X: "version", Y: []string{"clients"}},
		SQL: `SELECT
  build[1].version AS version,
  count(*) AS clients,
  sum(cardinality(submission_date)) AS pings
FROM longitudinal
WHERE build[1].version IS NOT NULL
GROUP BY 1
ORDER BY clients DESC, version`,
	}},
}
