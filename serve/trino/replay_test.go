package trino

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// replayed has statements of tools that are not run here, with a part of the rows that they expect.
var replayed = map[string][][2]string{
	// The driver of Metabase for Trino, in the order of a sync and a question of the query builder.
	"Metabase": {
		{`SELECT current_timezone() as "time-zone"`, `["UTC"]`},
		{`SHOW SCHEMAS FROM "hive"`, `["default"]`},
		{`SHOW TABLES FROM "hive"."default"`, `["addons"]`},
		{`SHOW TABLES FROM "default" LIKE 'addons'`, `["addons"]`},
		{`DESCRIBE "hive"."default"."addons"`, `["scope","integer","","Where it is installed (a bit mask)"]`},
		{`SHOW CREATE TABLE "hive"."default"."addons"`, `"scope\" integer`},
		{`EXECUTE IMMEDIATE 'SELECT "default"."addons"."scope" AS "scope", COUNT(*) AS "count" FROM "default"."addons" ` +
			`WHERE "default"."addons"."submission_date_obj" = ? GROUP BY "default"."addons"."scope" ORDER BY "default"."addons"."scope" ASC' ` +
			`USING '20180301'`, "["},
		{`SELECT "source"."day" AS "day", COUNT(*) AS "count" FROM (SELECT date_trunc('month', date_parse("submission_date_obj", '%Y%m%d')) ` +
			`AS "day" FROM "hive"."default"."addons") AS "source" GROUP BY "source"."day" ORDER BY "source"."day" ASC LIMIT 2000`,
			`["2018-03-01 00:00:00.000"`},
		{`SELECT "default"."addons"."addon_id" AS "addon_id" FROM "default"."addons" LIMIT 10000`, "["},
	},
	// Redash's query runner: its test of a connection, its list of columns, and a query with its note of who asks.
	"Redash": {
		{"SELECT 1", "[1]"}, {"SHOW CATALOGS", `["hive"]`},
		{"SELECT table_schema, table_name, column_name FROM information_schema.columns " +
			"WHERE table_schema NOT IN ('pg_catalog', 'information_schema')", `["default","addons","scope"]`},
		{"SELECT table_catalog, table_schema, table_name, column_name, data_type FROM hive.information_schema.columns " +
			"WHERE table_schema NOT IN ('information_schema')", `["hive","default","addons","scope","integer"]`},
		{"/* Username: a@example.org, Query ID: 1, Queue: queries, Job ID: x, Query Hash: y, Scheduled: False */ " +
			"SELECT count(*) > 0 FROM addons", "[true]"},
	},
	// Tableau's first questions over JDBC.
	"Tableau": {
		{"SELECT TABLE_CAT FROM system.jdbc.catalogs ORDER BY TABLE_CAT", `["hive"]`},
		{"SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS FROM system.jdbc.tables WHERE TABLE_CAT = 'hive' " +
			`AND TABLE_SCHEM = 'default' AND TABLE_TYPE IN ('TABLE', 'VIEW') ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME`,
			`["hive","default","addons","TABLE"`},
		{`SELECT "addons"."scope" AS "scope", SUM(1) AS "sum_Number of Records_ok" FROM "hive"."default"."addons" "addons" GROUP BY 1`, "["},
	},
}

// TestReplayed: what those tools ask is answered.
func TestReplayed(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	for tool, list := range replayed {
		for _, s := range list {
			got := a.run(s[0])
			if assert.Nil(t, got.Error, "%s: %s: %+v", tool, s[0], got.Error) {
				assert.True(t, strings.Contains(got.rows(), s[1]), "%s: %s: %s", tool, s[0], got.rows())
			}
		}
	}
}
