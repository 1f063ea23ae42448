package glean

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// activeUsers returns the view of the clients of last_seen with what they count as.
func (a *Application) activeUsers(last *schema.Table) *schema.Table {
	pattern, since := "days_active_bits", "days_since_active"
	if a.ID == desktop {
		pattern, since = "days_desktop_active_bits", "days_since_desktop_active"
	}
	instead := map[string]string{
		"country": "coalesce(country, '??')", "city": "coalesce(city, '??')", "locale": "split_part(locale, '-', 1)",
	}
	v := &schema.Table{
		Name: TableName(a.ID, activeUsersName), Dir: TableName(a.ID) + "/" + activeUsersName, Version: version, Namespace: a.ID,
		Doc:   "Clients of " + a.ID + " that were seen in the 28 days that end with the day, and whether they were active.",
		Grain: last.Grain, Refresh: "with " + last.Name + ", of which it is a view", PartitionKeys: last.PartitionKeys, DashedDays: true,
		Choice: schema.Choice{View: true}, Needs: []string{last.Name},
		Notes: []string{"It is a view: a person with all columns of " + last.Name + " can read it."},
		Use:   "DAU, WAU and MAU: the rows of a day with is_dau, is_wau or is_mau. No other day is read.",
	}
	add := func(name, typ, expression, doc string) {
		c := ruled(name, typ, schema.RuleFunc, last.Name, doc)
		c.Arg = expression
		v.Columns = append(v.Columns, c)
	}
	add("activity_segment", "string",
		fmt.Sprintf("CASE WHEN bit_count(%[1]s) >= 21 THEN 'core_user' WHEN bit_count(%[1]s) >= 14 THEN 'regular_user' "+
			"WHEN bit_count(%[1]s) >= 7 THEN 'casual_user' WHEN bit_count(%[1]s) >= 1 THEN 'infrequent_user' ELSE 'other' END", pattern),
		"How many of the 28 days the client was active: infrequent_user, casual_user, regular_user, core_user or other")
	for _, span := range []struct {
		name, since, doc string
		days             int
	}{
		{"is_dau", since, "active", 1}, {"is_wau", since, "active", 7}, {"is_mau", since, "active", 28},
		{"is_daily_user", seenSince, "seen", 1}, {"is_weekly_user", seenSince, "seen", 7}, {"is_monthly_user", seenSince, "seen", 28},
	} {
		add(span.name, "boolean", fmt.Sprintf("coalesce(%s < %d, false)", span.since, span.days),
			fmt.Sprintf("Was it %s in the last %d days?", span.doc, span.days))
	}
	add("first_seen_year", "long", "CAST(year(first_seen_date) AS BIGINT)", "Year of the first day")
	add("os", "string", "normalized_os", "Operating system")
	add("app_version", "string", "app_display_version", "Version")
	for i, part := range []string{"major", "minor", "patch"} {
		add("app_version_"+part, "long",
			fmt.Sprintf(`TRY_CAST(regexp_extract(app_display_version, '^%s([0-9]+)', 1) AS BIGINT)`, strings.Repeat(`[0-9]+\.`, i)),
			"Number "+fmt.Sprint(i+1)+" of the version")
	}
	for _, c := range last.Columns {
		if expression := instead[c.Name]; expression != "" {
			add(c.Name, "string", expression, c.Doc)
			continue
		}
		c.Source, c.Rule, c.Arg = c.Name, schema.RuleCopy, ""
		v.Columns = append(v.Columns, c)
	}
	return v
}

// activeUsersName is the name of the view behind the application's, seenSince a column that it is made from.
const (
	activeUsersName = "active_users"
	seenSince       = "days_since_seen"
)
