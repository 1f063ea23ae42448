package glean

import (
	"github.com/pingmill/pingmill/schema"
)

// usagePing is the ping that counts profiles without a client id.
const usagePing = "usage-reporting"

// usageTable returns the profiles of usage-reporting pings by day.
func (a *Application) usageTable(of *schema.Table) *schema.Table {
	id := ruled("usage_profile_id", "string", schema.RuleKey, "metrics/uuid/usage_profile_id", "Id of the profile, which is in usage-reporting pings only")
	id.NotNull = true
	columns := []schema.Column{
		id,
		ruled("first_run_date", "date", schema.RuleFunc, "metrics/datetime/raw_usage_first_run_date", "Earliest day of a first run"),
		mode("app_channel", "metrics/string/usage_app_channel", "channel as it was sent"),
		mode("normalized_country_code", "normalized_country_code", "ISO country"),
		mode("os", "metrics/string/usage_os", "operating system"),
		mode("os_version", "metrics/string/usage_os_version", "version of the operating system"),
		mode("app_build", "metrics/string/usage_app_build", "build"),
		mode("app_display_version", "metrics/string/usage_app_display_version", "version"),
		mode("distribution_id", "metrics/string/usage_distribution_id", "distribution"),
		ruled("is_default_browser", "boolean", schema.RuleFunc, "metrics/boolean/usage_is_default_browser", "Most frequent of the day: is it the default browser? A missing value counts as no"),
		mode("reason", "metrics/string/usage_reason, ping_info/reason", "reason"),
		ruled("windows_build_number", "long", RuleMode, "metrics/quantity/usage_windows_build_number", "Most frequent of the day: build of Windows"),
		ruled("is_active", "boolean", schema.RuleFunc, uriCount+", "+activeTicks, "Were pages loaded and was there activity?"),
		dayColumn(),
	}
	return &schema.Table{
		Name: TableName(a.ID, usageName), Dir: TableName(a.ID) + "/" + usageName, Version: version, Made: MadeUsage, Namespace: a.ID,
		Doc: "Profiles of " + a.ID + " by day, counted without a client id.", Grain: "(usage_profile_id, submission_date) pair",
		Refresh: "daily, shortly after midnight UTC", Needs: []string{of.Name},
		PartitionKeys: []string{"submission_date"}, DashedDays: true, Columns: columns,
	}
}
