package glean

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// Transforms of the tables of clients.
const (
	MadeDaily     = "glean clients daily"
	MadeFirstSeen = "glean clients first seen"
	MadeLastSeen  = "glean clients last seen"
	MadeUsage     = "glean usage daily"
	MadeUsageNew  = "glean usage first seen"
	MadeUsageSeen = "glean usage last seen"
)

// Names of the tables of clients, behind the application's name.
const (
	dailyName     = "baseline_clients_daily"
	firstSeenName = "baseline_clients_first_seen"
	lastSeenName  = "baseline_clients_last_seen"
	usageName     = "usage_reporting_clients_daily"
	usageFirst    = "usage_reporting_clients_first_seen"
	usageLast     = "usage_reporting_clients_last_seen"
	eventsName    = "events_stream"
	crashesName   = "crashes"
)

// Ids of the metrics that columns of clients are made from, as columns of the table of the ping.
const (
	uriCount    = "metrics/counter/browser_engagement_uri_count"
	activeTicks = "metrics/counter/browser_engagement_active_ticks"
	attribution = "struct<campaign:string,content:string,medium:string,source:string,term:string>"
	extObject   = "metrics/object/glean_attribution_ext"
	distObject  = "metrics/object/glean_distribution_ext"
)

func ruled(name, typ string, rule schema.Rule, source, doc string) schema.Column {
	return schema.Column{Name: name, Type: schema.MustType(typ), Rule: rule, Source: source, Doc: doc}
}

// mode returns a text column with the client's most frequent value of the day.
func mode(name, source, doc string) schema.Column {
	return ruled(name, "string", RuleMode, source, "Most frequent of the day: "+doc)
}

// ofObject returns a text column from a member of an object metric.
func ofObject(name, source, member string) schema.Column {
	c := mode(name, source, "member "+member+" of the object")
	c.Arg = member
	return c
}

// The metrics with the id of the distribution and the source of the installation. Applications use names of their own.
const (
	distributionSource = "metrics/string/usage_distribution_id, metrics/string/metrics_distribution_id"
	installSource      = "metrics/string/first_session_install_source"
)

// dailyColumns returns the columns of baseline_clients_daily.
func dailyColumns() []schema.Column {
	id := ruled("client_id", "string", schema.RuleKey, "client_info/client_id", "Id of the client, in lower case")
	id.NotNull = true
	return []schema.Column{
		dayColumn(), id,
		ruled("sample_id", "long", schema.RuleKey, "client_info/client_id", "Sample of the client: crc32 of the client id modulo 100"),
		ruled("first_run_date", "date", schema.RuleFunc, "client_info/first_run_date", "Earliest day of a first run"),
		ruled("durations", "long", schema.RuleFunc, "metrics/timespan/glean_baseline_duration", "Seconds in use, of pings with at most 100,000"),
		ruled("days_seen_session_start_bits", "long", schema.RuleFunc, "ping_info/end_time",
			"Days before this one on which sessions began, as bits"),
		ruled("days_seen_session_end_bits", "long", schema.RuleFunc, "ping_info/end_time",
			"Days before this one on which sessions ended, as bits"),
		mode("normalized_channel", "normalized_channel", "release channel"),
		mode("normalized_os", "normalized_os", "operating system"),
		mode("normalized_os_version", "normalized_os_version", "version of the operating system"),
		mode("android_sdk_version", "client_info/android_sdk_version", "API level of Android"),
		mode("locale", "client_info/locale, metrics/string/glean_baseline_locale", "locale"),
		mode("city", "metadata/geo/city", "city"),
		mode("country", "metadata/geo/country", "ISO country"),
		mode("isp", "metadata/isp/name", "provider: always null"),
		mode("app_build", "client_info/app_build", "build"),
		mode("app_channel", "client_info/app_channel", "channel as it was sent"),
		mode("app_display_version", "client_info/app_display_version", "version"),
		mode("architecture", "client_info/architecture", "architecture of the processor"),
		mode("device_manufacturer", "client_info/device_manufacturer", "manufacturer of the device"),
		mode("device_model", "client_info/device_model", "model of the device"),
		mode("telemetry_sdk_build", "client_info/telemetry_sdk_build", "version of the SDK"),
		mode("distribution_id", distributionSource, "distribution"),
		mode("install_source", installSource, "source of the installation"),
		mode("geo_subdivision", "metadata/geo/subdivision1", "first subdivision of the country"),
		mode("profile_group_id", "metrics/uuid/legacy_telemetry_profile_group_id", "id of the group of profiles"),
		ruled("windows_build_number", "long", RuleMode, "client_info/windows_build_number", "Most frequent of the day: build of Windows"),
		ruled("browser_engagement_uri_count", "long", RuleSumOfDay, uriCount, "Pages loaded"),
		ruled("browser_engagement_active_ticks", "long", RuleSumOfDay, activeTicks, "Ticks of 5 seconds with activity"),
		mode("legacy_telemetry_client_id", "metrics/uuid/legacy_telemetry_client_id", "client id of legacy telemetry"),
		ruled("is_default_browser", "boolean", RuleMode, "metrics/boolean/usage_is_default_browser",
			"Most frequent of the day: is it the default browser?"),
		ruled("attribution", attribution, RuleMode, "client_info/attribution", "Most frequent of the day: where the installation came from"),
		ruled("distribution", "struct<name:string>", RuleMode, "client_info/distribution",
			"Most frequent of the day: distribution of the application"),
		ofObject("attribution_dltoken", extObject, "dltoken"),
		ofObject("attribution_dlsource", extObject, "dlsource"),
		ofObject("attribution_experiment", extObject, "experiment"),
		ofObject("attribution_variation", extObject, "variation"),
		ofObject("attribution_ua", extObject, "ua"),
		ruled("experiments", experiments, RuleLastKnown, "ping_info/experiments", "Experiments of the last ping that has any"),
		ruled("startup_profile_selection_reason_first", "string", RuleFirstPing, "metrics/string/startup_profile_selection_reason",
			"Why the profile was chosen, by the first ping"),
		ofObject("distribution_version", distObject, "distributionVersion"),
		ofObject("distributor", distObject, "distributor"),
		ofObject("distributor_channel", distObject, "distributorChannel"),
		ofObject("distribution_partner_id", distObject, "partnerId"),
		ofObject("attribution_msclkid", extObject, "msclkid"),
		ruled("policies_is_enterprise", "boolean", RuleMode, "metrics/boolean/policies_is_enterprise",
			"Most frequent of the day: is it managed by a company?"),
		ruled("first_seen_date", "date", schema.RuleFunc, firstSeenName, "First day with a baseline ping of the client; null if it is not known"),
		ruled("is_new_profile", "boolean", schema.RuleFunc, firstSeenName, "Is this the first day?"),
		ruled("active_hours_sum", "double", schema.RuleFunc, activeTicks, "Hours with activity"),
	}
}

// firstSeenColumns returns the columns of baseline_clients_first_seen.
func firstSeenColumns() []schema.Column {
	id := ruled("client_id", "string", schema.RuleKey, "client_info/client_id", "Id of the client, in lower case")
	id.NotNull = true
	first := func(name, source, doc string) schema.Column {
		return ruled(name, "string", RuleFirstPing, source, "Of the first ping: "+doc)
	}
	back := func(name, source, doc string) schema.Column {
		return ruled(name, "string", RuleModeFirst, source, "Most frequent of the day: "+doc)
	}
	return []schema.Column{
		dayColumn(),
		ruled("first_seen_date", "date", schema.RuleFunc, "day", "First day with a baseline ping of the client"),
		ruled("sample_id", "long", schema.RuleKey, "client_info/client_id", "Sample of the client: crc32 of the client id modulo 100"),
		id,
		ruled("attribution", attribution, RuleLastPing, "client_info/attribution", "Of the last ping: where the installation came from"),
		ruled("distribution", "struct<name:string>", RuleLastPing, "client_info/distribution",
			"Of the last ping: distribution of the application"),
		ruled("attribution_ext", "string", RuleLastPing, extObject, "Of the last ping: more about the attribution, as JSON"),
		ruled("distribution_ext", "string", RuleLastPing, distObject, "Of the last ping: more about the distribution, as JSON"),
		mode("legacy_telemetry_client_id", "metrics/uuid/legacy_telemetry_client_id", "client id of legacy telemetry"),
		mode("legacy_telemetry_profile_group_id", "metrics/uuid/legacy_telemetry_profile_group_id", "id of the group of profiles"),
		back("country", "metadata/geo/country", "ISO country"),
		back("distribution_id", distributionSource, "distribution"),
		ruled("windows_build_number", "long", RuleModeFirst, "client_info/windows_build_number", "Most frequent of the day: build of Windows"),
		back("locale", "client_info/locale, metrics/string/glean_baseline_locale", "locale"),
		back("normalized_os", "normalized_os", "operating system"),
		first("app_display_version", "client_info/app_display_version", "version"),
		first("normalized_channel", "normalized_channel", "release channel"),
		first("normalized_os_version", "normalized_os_version", "version of the operating system"),
		first("isp", "metadata/isp/name", "provider: always null"),
		first("startup_profile_selection_reason_first", "metrics/string/startup_profile_selection_reason", "why the profile was chosen"),
		first("architecture", "client_info/architecture", "architecture of the processor"),
		ruled("app_build_id", "string", RuleFirstKnown, "client_info/app_build", "First known of the day: build"),
		ruled("policies_is_enterprise", "boolean", RuleFirstKnown, "metrics/boolean/policies_is_enterprise",
			"First known of the day: is it managed by a company?"),
	}
}

// Patterns of last_seen: 28 bits; bit k stands for the day k days before.
var patterns = []string{
	"days_seen_bits", "days_active_bits", "days_desktop_active_bits", "days_created_profile_bits", "days_visited_1_uri_bits",
	"days_interacted_bits",
}

// since are the columns with the lowest bit of a pattern, by the pattern.
var since = []string{
	"days_seen_bits", "days_active_bits", "days_desktop_active_bits", "days_created_profile_bits", "days_visited_1_uri_bits",
	"days_seen_session_start_bits", "days_seen_session_end_bits",
}

// lastSeenColumns returns the columns of baseline_clients_last_seen: patterns, the columns of the daily table, and days since.
func (a *Application) lastSeenColumns() []schema.Column {
	daily := dailyColumns()
	out := []schema.Column{daily[0]}
	active := a.ID == desktop || a.defines("baseline", "counter", "browser_engagement_active_ticks")
	for _, name := range patterns {
		source := dailyName
		if !active && (name == "days_desktop_active_bits" || name == "days_interacted_bits") {
			source = "" // always null
		}
		out = append(out, patternColumn(name, source))
	}
	for _, c := range daily[1:] {
		c.Rule, c.Source = schema.RuleCopy, c.Name
		out = append(out, c)
	}
	return append(out, sinceColumns(since)...)
}

// sinceColumns returns the columns with the lowest bits of patterns.
func sinceColumns(patterns []string) (columns []schema.Column) {
	for _, pattern := range patterns {
		name := "days_since_" + strings.TrimSuffix(strings.TrimPrefix(pattern, "days_"), "_bits")
		columns = append(columns, ruled(name, "long", schema.RuleFunc, pattern, "Days since the lowest bit of "+pattern+"; null without one"))
	}
	return columns
}

// patternColumn returns the column of a pattern, which is always null without a source.
func patternColumn(name, source string) schema.Column {
	return ruled(name, "long", schema.RuleFunc, source,
		"Days of the last 28 as bits, this one being 1: "+strings.TrimSuffix(strings.TrimPrefix(name, "days_"), "_bits"))
}

// defines reports whether a metric of any ping has the column.
func (a *Application) defines(ping, typ, column string) bool {
	return slices.ContainsFunc(a.Metrics, func(m *Metric) bool { return m.Type == typ && m.column() == column && m.in(ping) })
}

// clientTables returns the tables of clients.
func (a *Application) clientTables() []*schema.Table {
	if p := a.Ping("baseline"); p == nil || p.Generic {
		return nil
	}
	first := a.daysTable(firstSeenName, MadeFirstSeen, "The day on which each client of "+a.ID+" was first seen.", firstSeenColumns(),
		"baseline")
	daily := a.daysTable(dailyName, MadeDaily, "Clients of "+a.ID+" by day.", dailyColumns(), "baseline", firstSeenName)
	last := a.daysTable(lastSeenName, MadeLastSeen, "Clients of "+a.ID+" that were seen in the 28 days that end with the day.",
		a.lastSeenColumns(), dailyName)
	first.Checks = append(first.Checks, schema.Check{
		Name: "cover", Kind: schema.SomeKeys, Key: []string{"client_id"}, Rule: "every row is of a client with a baseline ping on the day",
	})
	daily.Requires = []string{"client_id"}
	daily.Checks = append(daily.Checks, schema.Check{
		Name: "cover", Kind: schema.EveryKey, Key: []string{"client_id"}, Most: MaxPings,
		Rule: "every client with a baseline ping on the day has a row, and every row is of such a client; clients with more than 150,000 " +
			"pings have none",
	})
	last.Views = []*schema.Table{a.activeUsers(last)}
	return []*schema.Table{asFirstSeen(first), daily, asLastSeen(last)}
}

// MaxPings is the largest number of pings of a client on a day: one with more is no client, and left out.
const MaxPings = 150_000

// daysTable returns a table with a row for each client and day.
func (a *Application) daysTable(name, made, doc string, columns []schema.Column, needs ...string) *schema.Table {
	t := &schema.Table{
		Name: TableName(a.ID, name), Dir: TableName(a.ID) + "/" + name, Version: version, Made: made, Doc: doc, Namespace: a.ID,
		Refresh:       "daily, shortly after midnight UTC",
		PartitionKeys: []string{"submission_date"}, DashedDays: true, Columns: atEnd(columns), Reach: schema.Reach{Sparse: true},
	}
	for _, n := range needs {
		t.Needs = append(t.Needs, TableName(a.ID, n))
	}
	t.Grain = "(" + t.Key() + ", submission_date) pair"
	t.Checks = []schema.Check{{
		Name: "grain", Kind: schema.Unique, Key: []string{t.Key()}, Rule: "no two rows have the same " + t.Key(),
	}}
	return t
}

// asFirstSeen makes a table have only the clients that it has on no earlier day.
func asFirstSeen(t *schema.Table) *schema.Table {
	t.Grain, t.Earlier = t.Key(), t.Name
	t.Notes = []string{
		"Each client is in one partition only: that of the first day with a ping of it.",
		"A retention of all tables leaves this one alone, because clients would count as new again. Name it to limit it.",
	}
	return t
}

// asLastSeen makes a table contain the clients of the day and of the day before.
func asLastSeen(t *schema.Table) *schema.Table {
	t.Previous = true
	t.Notes = []string{
		"Bit k of a pattern is about the day k days before: bit 0 is the day itself.",
		"Columns that are no patterns have the values of the last day on which the client was seen.",
		"Days without pings in the archive have no partition; the day after goes on from the newest one.",
	}
	t.Checks = append(t.Checks, schema.Check{
		Name: "cover", Kind: schema.SeenKeys, Key: []string{t.Key()}, Columns: []string{"days_seen_bits"},
		Rule: "the clients of " + t.Needs[0] + " have a row with bit 0 of days_seen_bits, and no other rows have that bit",
	})
	return t
}

// atEnd moves the partition key, which the files do not have, behind the other columns.
func atEnd(columns []schema.Column) []schema.Column {
	return append(slices.Clone(columns[1:]), columns[0])
}
