package worker

import (
	"testing"

	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/query"
)

// TestGuard: a query that would read too many days is refused before it reads, with what to add.
func TestGuard(t *testing.T) {
	v := days(t)
	v.Large, v.Sample = true, "client_id"
	views := []query.View{v}
	one := guard.Set{Large: guard.Days{All: 1, Sampled: 2}}
	for sql, want := range map[string]string{
		"SELECT count(*) FROM days WHERE client_id IN ('client-1')": "",
		"SELECT count(*) FROM days": "Too large: the " +
			"query would read 2 days of days, 20180301 to 20180302; at most 1 day, or 2 with a condition on client_id\nhint: add to WHERE: day " +
			">= '20180302' AND day <= '20180302' (the newest 1 day), or: client_id = '42' (a hundredth of the clients)",
		"WITH d AS (SELECT * FROM days WHERE day = '20180302') SELECT count(*) FROM d a JOIN d b USING (n)": "",
		"SELECT (SELECT count(*) FROM days WHERE day = '20180301') + (SELECT count(*) FROM days WHERE day <> '20180301')": "Too large: the " +
			"query would read 2 days of days, 20180301 to 20180302; at most 1 day, or 2 with a condition on client_id\nhint: add to WHERE: day " +
			">= '20180302' AND day <= '20180302' (the newest 1 day), or: client_id = '42' (a hundredth of the clients)",
		"SELECT count(*) FROM days JOIN (VALUES ('20180301')) AS x(day) ON x.day = days.day WHERE days.day < '20180302'": "",
	} {
		out, s, err := runRequest(t, Request{SQL: sql, Dialect: query.DuckDB, Views: views, Allow: Guard(one, views)})
		switch {
		case want == "" && err != nil, want != "" && (err == nil || err.Error() != want):
			t.Errorf("%s: %v", sql, err)
		case want != "" && (out != "" || s.Rows != 0):
			t.Errorf("%s: %s", sql, out)
		}
	}
}
