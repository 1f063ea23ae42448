package query

import (
	"strings"
	"testing"
	"time"
)

func TestExamples(t *testing.T) {
	db := open(t, sharedDays(t)...)
	day := func(d int) time.Time { return time.Date(2018, 3, d, 0, 0, 0, 0, time.UTC) }
	want := map[string]string{
		"churn":    "0,\"2018-03-01\",3\n1,\"2018-03-02\",2\n2,\"2018-03-03\",2",
		"pings":    "\"release\",50,2\n\"beta\",null,1",
		"crashes":  "\"d3d11\",2\n\"basic\",1\nnull,1",
		"searches": "\"urlbar\",12\n\"searchbar\",6",
	}
	if len(want) != len(Examples) {
		t.Errorf("%d examples, want %d", len(Examples), len(want))
	}
	for _, e := range Examples {
		sql, err := e.Query(Days{day(1), day(3)})
		if err != nil {
			t.Error(err)
			continue
		}
		if got := values(t, db, sql); got != want[e.Name] {
			t.Errorf("%s\n%s\n got %s\nwant %s", e.Title, sql, got, want[e.Name])
		}
	}
	for _, bad := range []string{"{{", "{{.Nothing}}"} {
		if _, err := (Example{Name: "x", SQL: bad}).Query(Days{}); err == nil || !strings.Contains(err.Error(), "example x") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestQueriesOfTheTime runs queries of the forms that were in use when the
// tables were, names of the partition columns aside.
func TestQueriesOfTheTime(t *testing.T) {
	db := open(t, sharedDays(t)...)
	for _, c := range []struct{ sql, want string }{
		{`WITH counts AS (
		    SELECT s.source AS search_source, s.count AS search_count
		    FROM main_summary CROSS JOIN UNNEST(search_counts) AS t(s)
		    WHERE submission_date_obj = '20180301' AND sample_id = '42' AND search_counts IS NOT NULL)
		  SELECT search_source, sum(search_count) AS total FROM counts GROUP BY search_source ORDER BY sum(search_count) DESC`,
			"\"urlbar\",2\n\"searchbar\",1"},
		{`SELECT date_parse(submission_date_obj, '%Y%m%d') AS submission_date_obj, approx_distinct(client_id) AS dau
		  FROM clients_daily
		  WHERE submission_date_obj > '20180228' AND submission_date_obj < '20180303' AND profile_creation_date LIKE '2018-03-01%'
		  GROUP BY 1 ORDER BY 1`,
			"\"2018-03-01T00:00:00\",3\n\"2018-03-02T00:00:00\",2"},
		{`SELECT normalized_channel,
		         CASE WHEN pings_aggregated_by_this_row > 50 THEN 50 ELSE pings_aggregated_by_this_row END AS pings_per_day,
		         approx_distinct(client_id) AS client_count
		  FROM clients_daily WHERE submission_date_obj = '20180301' AND normalized_channel <> 'Other'
		  GROUP BY 1, 2 ORDER BY 2, 1`,
			"\"release\",3,1\n\"beta\",50,1\n\"release\",50,1\n\"beta\",null,1"},
		{`select gfx_compositor, count(*) from crash_summary where application = 'Firefox'
		  and (payload.processType IS NULL OR payload.processType = 'main') group by gfx_compositor order by 2 desc, 1`,
			"\"d3d11\",2\n\"basic\",1\nnull,1"},
		{`SELECT submission_date_obj, count(*) AS clients FROM clients_daily_v6
		  WHERE scalar_parent_browser_engagement_total_uri_count_sum >= 50 GROUP BY 1 ORDER BY 1 ASC`,
			"\"20180301\",2\n\"20180302\",1\n\"20180303\",2"},
		{`SELECT submission_date_obj, count(DISTINCT client_id) * 100 AS adau
		  FROM (SELECT submission_date_obj, client_id, sum(coalesce(scalar_parent_browser_engagement_total_uri_count, 0)) AS total_daily_uri
		        FROM main_summary WHERE sample_id = '42' AND submission_date_obj >= '20180301' AND submission_date_obj < '20180401' GROUP BY 1, 2) AS daily
		  WHERE total_daily_uri >= 5 GROUP BY 1 ORDER BY 1 ASC`,
			"\"20180301\",100\n\"20180302\",100"},
		{`SELECT from_unixtime(timestamp/1e9), date_parse(submission_date, '%Y%m%d'),
		         date_parse(substr(client_submission_date, 1, 25), '%a, %d %b %Y %H:%i:%s'),
		         from_iso8601_timestamp(creation_date) AT TIME ZONE 'GMT', from_iso8601_timestamp(subsession_start_date) AT TIME ZONE 'GMT',
		         date_add('second', subsession_length, subsession_start_date), from_unixtime(profile_creation_date * 86400)
		  FROM main_summary WHERE submission_date_obj = '20180301' AND sample_id = '4' AND client_id IS NOT NULL`,
			`"2017-09-06T09:12:45.972862","2018-03-01T00:00:00","2016-09-27T16:28:23","2017-09-06T08:21:36.002","2017-09-05T22:00:00","2017-09-05T22:09:59","2017-11-30T00:00:00"`},
		{`SELECT k, sum(v.offered), count(*) FROM main_summary CROSS JOIN UNNEST(popup_notification_stats) AS t (k, v)
		  WHERE submission_date_obj = '20180301' GROUP BY 1 ORDER BY 1`,
			"\"addon\",3,3\n\"web\",6,3"},
		{`SELECT a.addon_id, a.name, count(*) FROM main_summary CROSS JOIN UNNEST(active_addons) AS t(a) GROUP BY 1, 2`, `"x@y","X",6`},
		{`SELECT element_at(keyed_string_addon_scalars, 'test_x'), element_at(keyed_string_addon_scalars, 'test_y'),
		         keyed_string_addon_scalars['test_x']['k'], cardinality(experiments), cardinality(search_counts)
		  FROM main_summary WHERE submission_date_obj = '20180301' AND sample_id = '4' AND client_id IS NOT NULL`,
			`{"k":"v"},null,"v",2,2`},
		{`SELECT SUBSTR(submission_date, 1, 6) AS month FROM main_summary LIMIT 1`, `"201803"`},
		{`SELECT count(*) FROM clients_daily WHERE submission_date_obj >= date_format(DATE '2018-03-10' - INTERVAL '7' DAY, '%Y%m%d')`, "5"},
		{`SELECT DATE_ADD('day', profile_created, DATE '1970-01-01') FROM crash_summary WHERE profile_created IS NOT NULL LIMIT 1`, `"2016-07-18"`},
		{`SELECT least(31, greatest(-1, subsession_length / (24*60*60))) AS days, count(*) FROM main_summary GROUP BY 1 ORDER BY 1`, "0,6\nnull,6"},
		{`SELECT experiments['e1'] IS NOT NULL AS enrolled, count(*) FROM main_summary GROUP BY 1 ORDER BY 2 DESC, 1`, "false,6\ntrue,6"},
		{`SELECT count(*) FROM addons`, "0"},
	} {
		if got := values(t, db, c.sql); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}
