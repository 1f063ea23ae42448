package glean

import (
	"slices"

	"github.com/pingmill/pingmill/schema"
)

// usagePing is the ping that counts profiles without a client id.
const usagePing = "usage-reporting"

// usageColumns returns the columns of the profiles of a day.
func usageColumns() []schema.Column {
	id := ruled("usage_profile_id", "string", schema.RuleKey, "metrics/uuid/usage_profile_id",
		"Id of the profile, which is in usage-reporting pings only")
	id.NotNull = true
	return []schema.Column{
		dayColumn(), id,
		ruled("first_run_date", "date", schema.RuleFunc, "metrics/datetime/raw_usage_first_run_date", "Earliest day of a first run"),
		mode("app_channel", "metrics/string/usage_app_channel", "channel as it was sent"),
		mode("normalized_country_code", "normalized_country_code", "ISO country"),
		mode("os", "metrics/string/usage_os", "operating system"),
		mode("os_version", "metrics/string/usage_os_version", "version of the operating system"),
		mode("app_build", "metrics/string/usage_app_build", "build"),
		mode("app_display_version", "metrics/string/usage_app_display_version", "version"),
		mode("distribution_id", "metrics/string/usage_distribution_id", "distribution"),
		ruled("is_default_browser", "boolean", schema.RuleFunc, "metrics/boolean/usage_is_default_browser",
			"Most frequent of the day: is it the default browser? A missing value counts as no"),
		mode("reason", "metrics/string/usage_reason, ping_info/reason", "reason"),
		ruled("windows_build_number", "long", RuleMode, "metrics/quantity/usage_windows_build_number",
			"Most frequent of the day: build of Windows"),
		ruled(activeName, "boolean", schema.RuleFunc, uriCount+", "+activeTicks, "Were pages loaded and was there activity?"),
	}
}

// activeName is the column with whether a profile was used.
const activeName = "is_active"

// usagePatterns are the patterns of profiles.
var usagePatterns = []string{"days_seen_bits", "days_active_bits", "days_created_profile_bits"}

// usageTables returns the tables of the profiles of usage-reporting pings: those first seen, those of each day, and those of
// 28 days.
func (a *Application) usageTables(pings *schema.Table) []*schema.Table {
	daily := a.daysTable(usageName, MadeUsage, "Profiles of "+a.ID+" by day, counted without a client id.", usageColumns(), usagePing)

	columns := slices.DeleteFunc(usageColumns(), func(c schema.Column) bool { return c.Name == activeName })
	columns = slices.Insert(columns, 1,
		ruled("first_seen_date", "date", schema.RuleFunc, "day", "First day with a usage-reporting ping of the profile"))
	first := a.daysTable(usageFirst, MadeUsageNew, "The day on which each profile of "+a.ID+" was first seen.", columns, usagePing)

	columns = []schema.Column{dayColumn()}
	for _, name := range usagePatterns {
		columns = append(columns, patternColumn(name, usageName))
	}
	for _, c := range usageColumns()[1:] {
		c.Rule, c.Source = schema.RuleCopy, c.Name
		columns = append(columns, c)
	}
	columns = append(columns, sinceColumns(usagePatterns)...)
	last := a.daysTable(usageLast, MadeUsageSeen, "Profiles of "+a.ID+" that were seen in the 28 days that end with the day.", columns,
		usageName)

	daily.Hashed, first.Hashed = true, true
	return []*schema.Table{asFirstSeen(first), daily, asLastSeen(last)}
}
