package examples

import (
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/saved"
)

// matrices are questions whose results are two columns against each other.
var matrices = []Example{
	{"cohorts", saved.Doc{
		Title: "Retention of new profiles by the week of their creation",
		Description: "Profiles that were created in these days, by the week of their creation and of their activity. Shares are of the " +
			"profiles that were active in the first week.",
		Tags:       []string{"retention"},
		Parameters: []params.Parameter{{Name: "days", Title: "Days", Kind: params.Days, Default: "newest 84 days"}},
		Chart:      &saved.Chart{Kind: "cohort", X: "created", Y: []string{"profiles"}, Series: "active", Share: true},
		SQL: `SELECT
  date_trunc('week', date(substr(profile_creation_date, 1, 10))) AS created,
  date_trunc('week', date(date_parse(submission_date_obj, '%Y%m%d'))) AS active,
  count(DISTINCT client_id) AS profiles
FROM clients_daily
WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}}
  AND substr(profile_creation_date, 1, 10) BETWEEN {{days.from.dashed}} AND {{days.to.dashed}}
GROUP BY 1, 2
ORDER BY 1, 2`,
	}},
	{"channels", saved.Doc{
		Title:       "Clients of a day by operating system and channel",
		Description: "With their sums, and as shares of each system.",
		Tags:        []string{"usage", "hardware"},
		Parameters:  []params.Parameter{lastDay},
		Chart:       &saved.Chart{Kind: "pivot", X: "os", Y: []string{"clients"}, Series: "channel"},
		Charts: []saved.Chart{
			{Kind: "bar", X: "os", Y: []string{"clients"}, Series: "channel", Stacked: true, Share: true, Horizontal: true, Title: "Shares"},
			{Kind: "heatmap", X: "channel", Y: []string{"clients"}, Series: "os", Log: true, Title: "Heatmap"},
		},
		SQL: `SELECT
  os,
  normalized_channel AS channel,
  count(DISTINCT client_id) AS clients
FROM clients_daily
WHERE submission_date_obj = {{day}}
GROUP BY 1, 2
ORDER BY 3 DESC, 1, 2`,
	}},
}
