package schema

// searchClientsDaily returns the restricted table of searches.
func searchClientsDaily() *Table {
	grain := []string{"client_id", "submission_date", "engine", "source"}
	client, search := grain[:2], grain[2:]
	return &Table{
		Name: "search_clients_daily", Dir: "search_clients_daily", Version: "v2", Root: RestrictedRoot,
		Doc:     "Searches of each client and day by engine and part of the browser; clients without searches have a row too.",
		Grain:   "unique (client_id, submission_date, engine, source)",
		Refresh: "daily, as part of the main_summary job group",
		Use:     "Searches of clients by engine and by the part of the browser they began in.",
		Notes: []string{
			"It is very large: limit queries to a few days with submission_date_obj.",
			"Clients that did not search have a row too, with a null engine and a null source.",
			"The three kinds of counts (sap, tagged-sap, tagged-follow-on) are null instead of 0; the last two are there with underscores as well.",
			"A client that sent nothing on a day has no row of it; what describes the client is the first known value of the day.",
		},
		Needs:      []string{"main_summary"},
		Choice:     Choice{Changed: map[int][]string{3: {"profile_age_in_days"}}},
		Restricted: true, Large: true,
		PartitionKeys: []string{"submission_date_obj"},
		Columns: []Column{
			identity(key("client_id", "string")),
			key("submission_date", "string"),
			ruled("engine", "string", "search_counts", RuleKey, "Search engine; null without searches or when the key is malformed"),
			ruled("source", "string", "search_counts", RuleKey, "Part of the browser, or type and code of a follow-on search"),
			first("country", "string"),
			first("app_version", "string"),
			first("distribution_id", "string"),
			first("locale", "string"),
			first("search_cohort", "string"),
			derived("addon_version", "string", "active_addons", "Version of the add-on followonsearch@mozilla.com, if it is active"),
			first("os", "string"),
			first("channel", "string"),
			first("profile_creation_date", "long"),
			first("default_search_engine", "string"),
			first("default_search_engine_data_load_path", "string"),
			first("default_search_engine_data_submission_url", "string"),
			first("sample_id", "string"),
			derived("sessions_started_on_this_day", "long", "subsession_counter", "Subsessions that began a session"),
			derived("profile_age_in_days", "int", "subsession_start_date, profile_creation_date",
				"Days from the profile's creation to the first subsession of which both are known"),
			derived("subsession_hours_sum", "double", "subsession_length", "Sum of the subsessions in hours"),
			derived("active_addons_count_mean", "double", "active_addons", "Mean number of active add-ons"),
			largest("max_concurrent_tab_count_max", "scalar_parent_browser_engagement_max_concurrent_tab_count"),
			total("tab_open_event_count_sum", "scalar_parent_browser_engagement_tab_open_event_count"),
			derived("active_hours_sum", "double", "active_ticks", "Hours with user activity"),
			counts("tagged-sap", "tagged-sap"),
			counts("tagged-follow-on", "tagged-follow-on"),
			counts("sap", "sap"),
			counts("tagged_sap", "tagged-sap"),
			counts("tagged_follow_on", "tagged-follow-on"),
			partition("submission_date_obj", "day of the run", "UTC day the pings arrived, YYYYMMDD"),
		},
		Checks: []Check{{
			Name: "grain", Kind: Unique, Key: grain,
			Rule: "no two rows have the same client_id, submission_date, engine and source",
		}, {
			Name: "cover", Kind: EveryKey, Key: client,
			Rule: "every client with a main ping on the day has a row, and every row is of a client and a day with one",
		}, {
			Name: "no_search", Kind: NoSearch, Key: client, Columns: search,
			Rule: "a client with a ping without usable search counts has a row with a null engine and a null source",
		}, {
			Name: "null_counts", Kind: NeverZero, Key: grain,
			Columns: []string{"tagged-sap", "tagged-follow-on", "sap", "tagged_sap", "tagged_follow_on"},
			Rule:    "a count of searches is null rather than 0",
		}, {
			Name: "same_searches", Kind: SameSums, Key: searchKey, Columns: []string{"tagged-sap", "tagged-follow-on", "sap"},
			With: "search_aggregates",
			Rule: "the sums by engine, source, day and kind equal those of search_aggregates, as far as both are made from the same main_summary",
		}},
	}
}

// counts returns the number of searches of one kind; null instead of 0.
func counts(name, kind string) Column {
	c := ruled(name, "long", "search_counts", RuleSearches, "Searches of the kind "+kind+"; null instead of 0")
	c.Arg = kind
	return c
}
