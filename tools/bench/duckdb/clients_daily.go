package duckdb

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// ClientsDaily is clients_daily of one sample as DuckDB SQL over main_summary.
func ClientsDaily(t *schema.Table, input, output string) string {
	var exprs []string
	for i := range t.Columns {
		c := &t.Columns[i]
		exprs = append(exprs, dailyExpr(c)+" AS "+quoted(c.Name))
	}
	return fmt.Sprintf("COPY (SELECT %s FROM read_parquet(%s, hive_partitioning = false) GROUP BY client_id) "+
		"TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 10000)",
		strings.Join(exprs, ", "), Text(input), Text(output))
}

func dailyExpr(c *schema.Column) string {
	source := quoted(c.Source)
	switch c.Rule {
	case schema.RuleKey:
		return source
	case schema.RuleFirst:
		return "any_value(" + source + ")"
	case schema.RulePartition:
		return "any_value(submission_date_obj)"
	case schema.RuleTotal:
		return "sum(" + source + ")::BIGINT"
	case schema.RuleMean:
		return "avg(" + source + ")"
	case schema.RuleMax:
		return "max(" + source + ")"
	case schema.RuleHours:
		return fmt.Sprintf("sum(round(%s / 3600.0, 6)::DECIMAL(27,6))::DECIMAL(%d,6)", source, c.Type.Precision)
	case schema.RuleCombined:
		a, b, _ := strings.Cut(c.Source, ", ")
		return "sum(" + a + " + " + b + ")::BIGINT"
	case schema.RulePlace:
		if c.Name == "country" {
			return "any_value(CASE WHEN country <> '??' THEN country END)"
		}
		return "any_value(CASE WHEN country <> '??' THEN coalesce(" + c.Name + ", '??') END)"
	case schema.RuleSearches:
		return "sum(coalesce(list_sum(list_transform(list_filter(search_counts, lambda x: x.source = " + Text(c.Arg) +
			" AND x.count > 0), lambda x: x.count)), 0))::BIGINT"
	}
	return map[string]string{
		"active_hours_sum":             "sum(active_ticks / 720.0)",
		"experiments":                  "any_value(experiments)",
		"pings_aggregated_by_this_row": "count(DISTINCT document_id)",
		"profile_age_in_days": "any_value(try_cast(left(subsession_start_date, 10) AS DATE) - (DATE '1970-01-01' + " +
			"profile_creation_date::INTEGER))",
		"profile_creation_date": "strftime(DATE '1970-01-01' + any_value(profile_creation_date)::INTEGER, '%Y-%m-%d 00:00:00')",
		"search_count_all": "sum(coalesce(list_sum(list_transform(list_filter(search_counts, lambda x: x.source IN " +
			"('abouthome', 'contextmenu', 'newtab', 'searchbar', 'system', 'urlbar') AND x.count > 0), lambda x: x.count)), 0))::BIGINT",
		"sessions_started_on_this_day": "count(*) FILTER (subsession_counter = 1)",
	}[c.Name]
}
