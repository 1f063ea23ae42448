package schema

import "strings"

// ClientsDaily returns the table of a client's day.
func ClientsDaily() *Table {
	return &Table{
		Name: "clients_daily", Dir: "clients_daily", Version: "v6",
		Doc:     "What each client did on each day, from its main pings: the first table to ask.",
		Grain:   "(client_id, submission_date) pair, holding aggregates of that day's activity",
		Refresh: "daily, as part of the main_summary job group",
		Use:     "What clients of some kind did in a range of days: most questions are answered here, and quickest.",
		Notes: []string{
			"The end of a name says how the day's pings were combined: _sum adds, _mean averages, _max takes the largest; others have the " +
				"first known value.",
			"normalized_channel has the value Other for channels that are none of the known ones.",
			"A client that sent nothing on a day has no row of it.",
		},
		Needs: []string{"main_summary"},
		Choice: Choice{Narrow: clientsDailyNarrow,
			Changed: map[int][]string{3: {"client_submission_latency_mean", "flash_version", "profile_age_in_days"}}},
		PartitionKeys: []string{"submission_date_obj"},
		Columns: append(append([]Column(nil), clientsDailyColumns...),
			partition("submission_date_obj", "day of the run", "UTC day the pings arrived, YYYYMMDD")),
		Checks: []Check{{
			Name: "grain", Kind: Unique, Key: []string{"client_id"},
			Rule: "no two rows have the same client_id",
		}, {
			Name: "cover", Kind: EveryKey, Key: []string{"client_id"},
			Rule: "every client with a main ping on the day has a row, and every row is of such a client",
		}},
	}
}

// The columns of searches beside those of 2018, where probe definitions list parts of the browser.
const (
	searchOther = "search_count_other"
	searchAll   = "search_count_sap_all"
)

// withSearches adds columns for the parts of the browser that the probe definitions list. They come after all others
// but the partition key, and are no reason to make earlier partitions again, as new scalars are not.
func withSearches(t *Table, p *Probes) *Table {
	if len(p.Searches) == 0 {
		return t
	}
	t.Made = FromProbes
	last := len(t.Columns) - 1
	more := t.Columns[:last:last]
	for _, part := range p.Searches {
		more = append(more, searches(searchColumn(part), part))
	}
	more = append(more,
		derived(searchOther, "long", "search_counts",
			"Searches of the day from parts of the browser that have no column, or of which none is known"),
		derived(searchAll, "long", "search_counts",
			"Searches of the day from all parts of the browser; search_count_all has the six of 2018 alone"))
	for i := last; i < len(more); i++ {
		more[i].Probe = true
	}
	t.Columns = append(more, t.Columns[last])
	return t
}

// searchColumn names the column of the searches from a part of the browser.
func searchColumn(part string) string { return "search_count_" + strings.ReplaceAll(part, "-", "_") }

// The columns of clients_daily in the order of the reference, section 2.2.
var clientsDailyColumns = []Column{
	identity(key("client_id", "string")),
	total("aborts_content_sum", "aborts_content"),
	total("aborts_gmplugin_sum", "aborts_gmplugin"),
	total("aborts_plugin_sum", "aborts_plugin"),
	mean("active_addons_count_mean", "active_addons_count"),
	first("active_experiment_branch", "string"),
	first("active_experiment_id", "string"),
	derived("active_hours_sum", "double", "active_ticks", "Hours with user activity"),
	first("addon_compatibility_check_enabled", "boolean"),
	first("app_build_id", "string"),
	first("app_display_version", "string"),
	first("app_name", "string"),
	first("app_version", "string"),
	first("blocklist_enabled", "boolean"),
	first("channel", "string"),
	place("city", "city of the sender"),
	mean("client_clock_skew_mean", "client_clock_skew"),
	mean("client_submission_latency_mean", "client_submission_latency"),
	place("country", "ISO country of the sender"),
	first("cpu_cores", "int"),
	first("cpu_count", "int"),
	first("cpu_family", "int"),
	first("cpu_l2_cache_kb", "int"),
	first("cpu_l3_cache_kb", "int"),
	first("cpu_model", "int"),
	first("cpu_speed_mhz", "int"),
	first("cpu_stepping", "int"),
	first("cpu_vendor", "string"),
	total("crashes_detected_content_sum", "crashes_detected_content"),
	total("crashes_detected_gmplugin_sum", "crashes_detected_gmplugin"),
	total("crashes_detected_plugin_sum", "crashes_detected_plugin"),
	total("crash_submit_attempt_content_sum", "crash_submit_attempt_content"),
	total("crash_submit_attempt_main_sum", "crash_submit_attempt_main"),
	total("crash_submit_attempt_plugin_sum", "crash_submit_attempt_plugin"),
	total("crash_submit_success_content_sum", "crash_submit_success_content"),
	total("crash_submit_success_main_sum", "crash_submit_success_main"),
	total("crash_submit_success_plugin_sum", "crash_submit_success_plugin"),
	first("default_search_engine", "string"),
	first("default_search_engine_data_load_path", "string"),
	first("default_search_engine_data_name", "string"),
	first("default_search_engine_data_origin", "string"),
	first("default_search_engine_data_submission_url", "string"),
	total("devtools_toolbox_opened_count_sum", "devtools_toolbox_opened_count"),
	first("distribution_id", "string"),
	first("e10s_enabled", "boolean"),
	first("env_build_arch", "string"),
	first("env_build_id", "string"),
	first("env_build_version", "string"),
	derived("experiments", "map<string,string>", "experiments", "First known branch by experiment; empty when none"),
	mean("first_paint_mean", "first_paint"),
	first("flash_version", "string"),
	place("geo_subdivision1", "first subdivision of the country"),
	place("geo_subdivision2", "second subdivision of the country"),
	first("gfx_features_advanced_layers_status", "string"),
	first("gfx_features_d2d_status", "string"),
	first("gfx_features_d3d11_status", "string"),
	first("gfx_features_gpu_process_status", "string"),
	first("install_year", "long"),
	first("is_default_browser", "boolean"),
	first("is_wow64", "boolean"),
	first("locale", "string"),
	first("memory_mb", "int"),
	first("normalized_channel", "string"),
	first("normalized_os_version", "string"),
	first("os", "string"),
	first("os_service_pack_major", "long"),
	first("os_service_pack_minor", "long"),
	first("os_version", "string"),
	derived("pings_aggregated_by_this_row", "long", "document_id", "Distinct documents of the day"),
	mean("places_bookmarks_count_mean", "places_bookmarks_count"),
	mean("places_pages_count_mean", "places_pages_count"),
	total("plugin_hangs_sum", "plugin_hangs"),
	total("plugins_infobar_allow_sum", "plugins_infobar_allow"),
	total("plugins_infobar_block_sum", "plugins_infobar_block"),
	total("plugins_infobar_shown_sum", "plugins_infobar_shown"),
	total("plugins_notification_shown_sum", "plugins_notification_shown"),
	first("previous_build_id", "string"),
	derived("profile_age_in_days", "int", "subsession_start_date, profile_creation_date",
		"Days from the profile's creation to the first subsession of which both are known"),
	derived("profile_creation_date", "string", "profile_creation_date", "First known day of the profile's creation, YYYY-MM-DD 00:00:00"),
	total("push_api_notify_sum", "push_api_notify"),
	first("sample_id", "string"),
	first("sandbox_effective_content_process_level", "int"),
	combined("webrtc_nicer_stun_retransmits"),
	combined("webrtc_nicer_turn_401s"),
	combined("webrtc_nicer_turn_403s"),
	combined("webrtc_nicer_turn_438s"),
	total("scalar_content_navigator_storage_estimate_count_sum", "scalar_content_navigator_storage_estimate_count"),
	total("scalar_content_navigator_storage_persist_count_sum", "scalar_content_navigator_storage_persist_count"),
	first("scalar_parent_aushelper_websense_reg_version", "string"),
	largest("scalar_parent_browser_engagement_max_concurrent_tab_count_max", "scalar_parent_browser_engagement_max_concurrent_tab_count"),
	largest("scalar_parent_browser_engagement_max_concurrent_window_count_max",
		"scalar_parent_browser_engagement_max_concurrent_window_count"),
	total("scalar_parent_browser_engagement_tab_open_event_count_sum", "scalar_parent_browser_engagement_tab_open_event_count"),
	total("scalar_parent_browser_engagement_total_uri_count_sum", "scalar_parent_browser_engagement_total_uri_count"),
	total("scalar_parent_browser_engagement_unfiltered_uri_count_sum", "scalar_parent_browser_engagement_unfiltered_uri_count"),
	largest("scalar_parent_browser_engagement_unique_domains_count_max", "scalar_parent_browser_engagement_unique_domains_count"),
	mean("scalar_parent_browser_engagement_unique_domains_count_mean", "scalar_parent_browser_engagement_unique_domains_count"),
	total("scalar_parent_browser_engagement_window_open_event_count_sum", "scalar_parent_browser_engagement_window_open_event_count"),
	total("scalar_parent_devtools_copy_full_css_selector_opened_sum", "scalar_parent_devtools_copy_full_css_selector_opened"),
	total("scalar_parent_devtools_copy_unique_css_selector_opened_sum", "scalar_parent_devtools_copy_unique_css_selector_opened"),
	total("scalar_parent_devtools_toolbar_eyedropper_opened_sum", "scalar_parent_devtools_toolbar_eyedropper_opened"),
	total("scalar_parent_dom_contentprocess_troubled_due_to_memory_sum", "scalar_parent_dom_contentprocess_troubled_due_to_memory"),
	total("scalar_parent_navigator_storage_estimate_count_sum", "scalar_parent_navigator_storage_estimate_count"),
	total("scalar_parent_navigator_storage_persist_count_sum", "scalar_parent_navigator_storage_persist_count"),
	total("scalar_parent_storage_sync_api_usage_extensions_using_sum", "scalar_parent_storage_sync_api_usage_extensions_using"),
	first("search_cohort", "string"),
	derived("search_count_all", "long", "search_counts", "Searches from the six parts of the browser that were known in 2018"),
	searches("search_count_abouthome", "abouthome"),
	searches("search_count_contextmenu", "contextmenu"),
	searches("search_count_newtab", "newtab"),
	searches("search_count_searchbar", "searchbar"),
	searches("search_count_system", "system"),
	searches("search_count_urlbar", "urlbar"),
	mean("session_restored_mean", "session_restored"),
	derived("sessions_started_on_this_day", "long", "subsession_counter", "Subsessions that began a session"),
	total("shutdown_kill_sum", "shutdown_kill"),
	hours("subsession_hours_sum", "decimal(37,6)", "subsession_length"),
	total("ssl_handshake_result_failure_sum", "ssl_handshake_result_failure"),
	total("ssl_handshake_result_success_sum", "ssl_handshake_result_success"),
	first("sync_configured", "boolean"),
	total("sync_count_desktop_sum", "sync_count_desktop"),
	total("sync_count_mobile_sum", "sync_count_mobile"),
	first("telemetry_enabled", "boolean"),
	first("timezone_offset", "int"),
	hours("total_hours_sum", "decimal(27,6)", "total_time"),
	first("update_auto_download", "boolean"),
	first("update_channel", "string"),
	first("update_enabled", "boolean"),
	first("vendor", "string"),
	total("web_notification_shown_sum", "web_notification_shown"),
	first("windows_build_number", "long"),
	first("windows_ubr", "long"),
}
