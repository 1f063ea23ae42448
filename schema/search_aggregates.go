package schema

// searchAggregates returns the restricted table of searches without clients.
func searchAggregates() *Table {
	grain := []string{
		"addon_version", "app_version", "country", "distribution_id", "engine", "locale", "search_cohort", "source", "submission_date",
		"default_search_engine",
	}
	kinds := []string{"tagged-sap", "tagged-follow-on", "sap"}
	return &Table{
		Name: "search_aggregates", Dir: "search_aggregates", Version: "v3", Root: RestrictedRoot,
		Doc:     "Searches of each day by engine, part of the browser and a few properties of the market.",
		Grain:   "combination of engine, source and eight columns of the market that had searches",
		Refresh: "daily, as part of the main_summary job group",
		Use:     "Quick numbers of searches by engine, country or version; for anything by client use search_clients_daily.",
		Notes: []string{
			"It has no clients: it can answer neither how many there were nor what one did.",
			"Only entries with an engine count; clients without searches have no row.",
			"Exactly one of the three kinds of counts (sap, tagged-sap, tagged-follow-on) is there, by the source; none if the sum is 0. The " +
				"last two are there with underscores as well.",
			"A null distribution_id means the standard build, and the country ?? an unknown one.",
			"After a removal of a client the days with its searches are made again from main_summary. A day whose main_summary is gone stays " +
				"as it is.",
		},
		Needs:      []string{"main_summary"},
		Restricted: true, Reach: Reach{Whole: true},
		PartitionKeys: []string{"submission_date_obj"},
		Columns: []Column{
			ruled("addon_version", "string", "active_addons", RuleKey, "Version of the first add-on followonsearch@mozilla.com, if it is active"),
			key("app_version", "string"),
			key("country", "string"),
			key("distribution_id", "string"),
			ruled("engine", "string", "search_counts", RuleKey, "Search engine"),
			key("locale", "string"),
			key("search_cohort", "string"),
			ruled("source", "string", "search_counts", RuleKey, "Part of the browser, or type and code of a follow-on search"),
			key("submission_date", "string"),
			key("default_search_engine", "string"),
			counts("tagged-sap", "tagged-sap"),
			counts("tagged-follow-on", "tagged-follow-on"),
			counts("sap", "sap"),
			counts("tagged_sap", "tagged-sap"),
			counts("tagged_follow_on", "tagged-follow-on"),
			partition("submission_date_obj", "day of the run", "UTC day the pings arrived, YYYYMMDD"),
		},
		Checks: []Check{{
			Name: "grain", Kind: Unique, Key: grain,
			Rule: "no two rows have the same values in the ten columns of the grain",
		}, {
			Name: "null_counts", Kind: NeverZero, Key: grain,
			Columns: []string{"tagged-sap", "tagged-follow-on", "sap", "tagged_sap", "tagged_follow_on"},
			Rule:    "a count of searches is null rather than 0",
		}, {
			Name: "one_kind", Kind: AtMostOne, Key: grain, Columns: kinds,
			Rule: "a row has searches of one kind, or none if their sum is 0",
		}, {
			Name: "same_searches", Kind: SameSums, Key: searchKey, Columns: kinds, With: "search_clients_daily",
			Rule: "the sums by engine, source, day and kind equal those of search_clients_daily, as far as both are made from the same main_summary",
		}},
	}
}

// searchKey names the searches whose sums are equal in both tables of searches.
var searchKey = []string{"engine", "source", "submission_date"}
