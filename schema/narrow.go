package schema

// mainSummaryNarrow are the columns of most questions about main_summary: who, when, which program, where, how
// long, searches and crashes. Each one more makes all queries of the others slower, most of all nested ones.
var mainSummaryNarrow = []string{
	"document_id", "client_id", "timestamp", "reason",
	"subsession_start_date", "subsession_length", "subsession_counter", "profile_subsession_counter", "session_id", "subsession_id",
	"profile_creation_date", "active_ticks",
	"app_name", "app_version", "app_display_version", "app_build_id", "channel", "normalized_channel", "vendor", "distribution_id",
	"os", "os_version", "country", "city", "locale", "timezone_offset", "memory_mb", "cpu_count",
	"is_default_browser", "default_search_engine", "sync_configured", "e10s_enabled", "telemetry_enabled", "quantum_ready",
	"active_addons_count", "active_experiment_id", "active_experiment_branch", "experiments", "search_counts",
	"crashes_detected_content", "crashes_detected_plugin", "crashes_detected_gmplugin",
	"crash_submit_attempt_main", "crash_submit_attempt_content", "crash_submit_success_main", "crash_submit_success_content",
	"aborts_content", "shutdown_kill", "places_bookmarks_count", "places_pages_count", "first_paint", "session_restored",
	"scalar_parent_browser_engagement_total_uri_count", "scalar_parent_browser_engagement_unique_domains_count",
	"scalar_parent_browser_engagement_max_concurrent_tab_count", "scalar_parent_browser_engagement_tab_open_event_count",
}

// clientsDailyNarrow lists the narrow columns of clients_daily.
var clientsDailyNarrow = []string{
	"client_id", "sample_id", "profile_creation_date", "profile_age_in_days",
	"app_name", "app_version", "app_display_version", "app_build_id", "channel", "normalized_channel", "distribution_id",
	"os", "os_version", "country", "city", "locale", "is_default_browser", "default_search_engine", "sync_configured",
	"experiments", "active_experiment_id", "active_experiment_branch", "pings_aggregated_by_this_row", "sessions_started_on_this_day",
	"active_hours_sum", "subsession_hours_sum", "total_hours_sum", "active_addons_count_mean", "search_count_all",
	"crashes_detected_content_sum", "crashes_detected_plugin_sum", "crash_submit_attempt_main_sum", "crash_submit_attempt_content_sum",
	"scalar_parent_browser_engagement_total_uri_count_sum", "scalar_parent_browser_engagement_unique_domains_count_mean",
	"scalar_parent_browser_engagement_max_concurrent_tab_count_max", "scalar_parent_browser_engagement_tab_open_event_count_sum",
}
