package check

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// All are the checks of the tables, in the order of the tables.
func All() []Check {
	return append(append(rowChecks(), searchChecks()...), tableChecks()...)
}

func rowChecks() []Check {
	three := []string{"document_id", "submission_date", "timestamp"}
	return []Check{
		{
			Name: "main_summary_one_per_ping", Table: "main_summary", Severity: Error, Source: true,
			Rule:    "every main ping of the day that the table takes has one row, and every row is of such a ping",
			Columns: []string{"document_id"}, ByRange: true, Func: onePerPing,
		},
		{
			Name: "main_summary_required", Table: "main_summary", Severity: Error,
			Rule:    "document_id, submission_date and timestamp are never null",
			Columns: three, ByRange: true, Func: neverNull(three...),
		},
		{
			Name: "addons_cover", Table: "addons", Severity: Error, Source: true,
			Rule:    "every main_summary record with a client id has at least one row, and every row is of such a record",
			Columns: []string{"document_id", "client_id"}, ByRange: true, Func: addonsCover,
		},
		{
			Name: "clients_daily_grain", Table: "clients_daily", Severity: Error,
			Rule:    "no two rows have the same client_id",
			Columns: []string{"client_id"}, ByRange: true, Func: unique("client_id"),
		},
		{
			Name: "clients_daily_cover", Table: "clients_daily", Severity: Error, Source: true,
			Rule:    "every client with a main ping on the day has a row, and every row is of such a client",
			Columns: []string{"client_id"}, ByRange: true, Func: clientsCover("client_id"),
		},
		{
			Name: "crash_summary_one_per_ping", Table: "crash_summary", Severity: Error, Source: true,
			Rule:    "there are as many rows as crash pings of the day that the table takes",
			Columns: []string{"client_id"}, ByRange: true, Func: asManyAsPings(ping.ClientID, "client_id"),
		},
		{
			Name: "telemetry_new_profile_parquet_one_per_ping", Table: "telemetry_new_profile_parquet", Severity: Error, Source: true,
			Rule:    "there are as many rows as new-profile pings of the day",
			Columns: []string{"id"}, ByRange: true, Func: asManyAsPings(ping.DocumentID, "id"),
		},
		{
			Name: "telemetry_update_parquet_one_per_ping", Table: "telemetry_update_parquet", Severity: Error, Source: true,
			Rule:    "there are as many rows as update pings of the day",
			Columns: []string{"id"}, ByRange: true, Func: asManyAsPings(ping.DocumentID, "id"),
		},
	}
}

func searchChecks() []Check {
	grain := []string{"client_id", "submission_date", "engine", "source"}
	client := grain[:2:2]
	counts := searchCounts()
	return []Check{
		{
			Name: "search_clients_daily_grain", Table: "search_clients_daily", Severity: Error,
			Rule:    "no two rows have the same client_id, submission_date, engine and source",
			Columns: grain, ByRange: true, Func: unique(grain...),
		},
		{
			Name: "search_clients_daily_cover", Table: "search_clients_daily", Severity: Error, Source: true,
			Rule:    "every client with a main ping on the day has a row, and every row is of a client and a day with one",
			Columns: client, ByRange: true, Func: clientsCover(client...),
		},
		{
			Name: "search_clients_daily_no_search", Table: "search_clients_daily", Severity: Error, Source: true,
			Rule:    "a client with a ping without usable search counts has a row with a null engine and a null source",
			Columns: grain, ByRange: true, Func: noSearchRows,
		},
		{
			Name: "search_clients_daily_null_counts", Table: "search_clients_daily", Severity: Error,
			Rule:    "a count of searches is null rather than 0",
			Columns: append(append([]string(nil), grain...), counts...), ByRange: true, Func: neverZero(grain, counts...),
		},
	}
}

// searchCounts are the columns of search_clients_daily that count searches.
func searchCounts() (names []string) {
	for _, c := range schema.SearchClientsDaily().Columns {
		if c.Rule == schema.RuleSearches {
			names = append(names, c.Name)
		}
	}
	return names
}

// tableChecks are the ones that every table has.
func tableChecks() (list []Check) {
	for _, t := range schema.Tables(&schema.Probes{}) {
		from := "main_summary records"
		if t.DocType != "" {
			from = t.DocType + " pings that the table takes"
		}
		list = append(list,
			Check{
				Name: t.Name + "_not_empty", Table: t.Name, Severity: Error, Source: true,
				Rule: "the partition has rows when the day has " + from, Func: notEmpty,
			},
			Check{
				Name: t.Name + "_usual_rows", Table: t.Name, Severity: Warning,
				Rule: "the number of rows is within half and twice that of the last weeks, by weekday", Func: usualRows,
			})
	}
	return list
}
