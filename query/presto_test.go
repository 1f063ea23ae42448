package query

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// open gives a database over views that ends with the test.
func open(t testing.TB, views ...View) *DB {
	t.Helper()
	db, err := Open(context.Background(), views, Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// answer gives the rows of a query as JSON arrays, a line each.
func answer(t testing.TB, db *DB, sql string) string {
	t.Helper()
	got, err := try(db, sql)
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	return got
}

func try(db *DB, sql string) (string, error) {
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b bytes.Buffer
	if _, err := rows.Write(&b, FormatNDJSON, WriteOptions{}); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// values gives the values of one row as JSON, without the names.
func values(t testing.TB, db *DB, sql string) string {
	t.Helper()
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Errorf("%s\n%v", sql, err)
		return ""
	}
	defer rows.Close()
	var lines []string
	for {
		row, err := rows.Next()
		if err != nil {
			if err.Error() != "EOF" {
				t.Errorf("%s\n%v", sql, err)
			}
			return strings.Join(lines, "\n")
		}
		text := string(appendJSON(nil, row))
		lines = append(lines, text[1:len(text)-1])
	}
}

// TestPresto compares the pack and the rewritten functions with what Presto
// 0.1xx documents for them.
func TestPresto(t *testing.T) {
	db := open(t)
	for _, c := range []struct{ sql, want string }{
		// operators
		{`7 / 2, -7 / 2, 7 / 2.0, 7 % 3, -7 % 3`, `3,-3,3.5,1,-1`},
		{`1504689165972861952 / 1e9`, `1504689165.972862`},
		{`'a' || 'b', 'a' || CAST(NULL AS varchar)`, `"ab",null`},
		{`ARRAY[1, 2] || ARRAY[3]`, `[1,2,3]`},
		// null rules
		{`greatest(1, 3, 2), greatest(1, NULL), least(1, NULL), least(2, 1)`, `3,null,null,1`},
		{`concat('a', 'b', 'c'), concat('a', CAST(NULL AS varchar)), concat(ARRAY[1], ARRAY[2])`, `"abc",null,[1,2]`},
		{`if(1 < 2, 'yes', 'no'), if(1 > 2, 'yes'), if(1 < 2, 'yes')`, `"yes",null,"yes"`},
		{`coalesce(NULL, 2), nullif(1, 1), try(CAST('x' AS bigint)), try_cast('x' AS bigint)`, `2,null,null,null`},
		// times
		{`date_parse('20180301', '%Y%m%d')`, `"2018-03-01T00:00:00"`},
		{`date_parse('2018-03-01 04:05:06', '%Y-%m-%d %H:%i:%s'), date_parse('2018-03-01 04:05', '%Y-%m-%d %H:%i')`, `"2018-03-01T04:05:06","2018-03-01T04:05:00"`},
		{`date_parse('Tue, 27 Sep 2016 16:28:23', '%a, %d %b %Y %H:%i:%s')`, `"2016-09-27T16:28:23"`},
		{`date_parse('2017-09-06T00:00:00.000Z', '%Y-%m-%dT%H:%i:%s.%fZ'), date_parse('nonsense', '%Y%m%d')`, `"2017-09-06T00:00:00",null`},
		{`date_parse('3/1/2018 4:05:06 PM', '%c/%e/%Y %r')`, `"2018-03-01T16:05:06"`},
		{`date_format(TIMESTAMP '2018-03-01 14:05:06.123', '%Y-%m-%d %H:%i:%s.%f')`, `"2018-03-01 14:05:06.123000"`},
		{`date_format(DATE '2018-03-01', '%a %b %c %d %e %j %M %W %y %%')`, `"Thu Mar 3 01 1 060 March Thursday 18 %"`},
		{`date_format(TIMESTAMP '2018-03-01 14:05:06', '%h %I %k %l %p %r %T %v %x %q')`, `"02 02 14 2 PM 02:05:06 PM 14:05:06 09 2018 q"`},
		{`date_format(DATE '2018-03-01' - INTERVAL '7' DAY, '%Y%m%d')`, `"20180222"`},
		{`parse_datetime('20180301', 'yyyyMMdd'), CAST(parse_datetime('20180301040506', 'yyyyMMddHHmmss') AS date)`, `"2018-03-01T00:00:00","2018-03-01"`},
		{`format_datetime(TIMESTAMP '2018-03-01 04:05:06.789', 'yyyy-MM-dd''T''HH:mm:ss.SSS EEE EEEE MMM MMMM a h H D')`, `"2018-03-01T04:05:06.789 Thu Thursday Mar March AM 4 4 060"`},
		{`format_datetime(DATE '2018-03-01', 'yy''%''M''''d')`, `"18%3'1"`},
		{`from_unixtime(1504689165.5), from_unixtime(17500 * 86400), to_unixtime(TIMESTAMP '1970-01-02 00:00:00')`, `"2017-09-06T09:12:45.5","2017-11-30T00:00:00",86400`},
		{`from_unixtime(0, 'America/New_York')`, `"1969-12-31T19:00:00"`},
		{`from_iso8601_timestamp('2017-09-06T00:00:00.0+02:00'), from_iso8601_date('2018-03-01')`, `"2017-09-05T22:00:00Z","2018-03-01"`},
		{`from_iso8601_timestamp('2017-09-06T08:21:36.002Z') AT TIME ZONE 'GMT'`, `"2017-09-06T08:21:36.002"`},
		{`to_iso8601(DATE '2018-03-01'), to_iso8601(TIMESTAMP '2018-03-01 04:05:06.5'), to_iso8601(from_iso8601_timestamp('2018-03-01T04:05:06Z'))`, `"2018-03-01","2018-03-01T04:05:06.500","2018-03-01T04:05:06.000Z"`},
		{`at_timezone(TIMESTAMP WITH TIME ZONE '2018-03-01 12:00:00+00', 'America/New_York'), with_timezone(TIMESTAMP '2018-03-01 12:00:00', 'America/New_York')`, `"2018-03-01T07:00:00","2018-03-01T17:00:00Z"`},
		{`date_add('day', 3, DATE '2018-02-27'), date_add('month', -1, DATE '2018-03-31'), date_add('quarter', 1, DATE '2018-01-01'), date_add('week', 1, DATE '2018-01-01')`, `"2018-03-02","2018-02-28","2018-04-01","2018-01-08"`},
		{`date_add('second', 599, TIMESTAMP '2018-03-01 00:00:00'), date_add('hour', 1, TIMESTAMP '2018-03-01 00:00:00'), date_add('minute', 1, TIMESTAMP '2018-03-01 00:00:00'), date_add('millisecond', 86399999, TIMESTAMP '2018-03-01 00:00:00')`, `"2018-03-01T00:09:59","2018-03-01T01:00:00","2018-03-01T00:01:00","2018-03-01T23:59:59.999"`},
		{`date_add('year', 1, from_iso8601_timestamp('2018-03-01T00:00:00Z')), date_add('second', 599, '2017-09-06T00:00:00.0+02:00')`, `"2019-03-01T00:00:00Z","2017-09-05T22:09:59"`},
		{`date_diff('day', DATE '2018-02-27', DATE '2018-03-01'), date_diff('day', TIMESTAMP '2018-03-01 23:00:00', TIMESTAMP '2018-03-02 01:00:00'), date_diff('hour', TIMESTAMP '2018-03-01 00:59:00', TIMESTAMP '2018-03-01 02:00:00'), date_diff('month', DATE '2018-01-15', DATE '2018-03-14'), date_diff('day', DATE '2018-03-01', DATE '2018-02-27')`, `2,0,1,1,-2`},
		{`date_trunc('month', DATE '2018-03-17'), date_trunc('week', DATE '2018-03-01'), date_trunc('hour', TIMESTAMP '2018-03-01 14:05:06'), date_trunc('day', from_iso8601_timestamp('2018-03-01T14:05:06Z'))`, `"2018-03-01","2018-02-26","2018-03-01T14:00:00","2018-03-01T00:00:00Z"`},
		{`day_of_week(DATE '2018-03-04'), dow(DATE '2018-03-05'), day_of_month(DATE '2018-03-04'), day_of_year(DATE '2018-03-01'), doy(DATE '2018-03-01'), week_of_year(DATE '2018-01-01'), week(DATE '2018-12-31'), year_of_week(DATE '2018-12-31'), yow(DATE '2018-12-31')`, `7,1,4,60,60,1,1,2019,2019`},
		{`year(DATE '2018-03-01'), quarter(DATE '2018-05-01'), month(DATE '2018-03-01'), day(DATE '2018-03-01'), hour(TIMESTAMP '2018-03-01 14:05:06'), extract(minute FROM TIMESTAMP '2018-03-01 14:05:06'), last_day_of_month(DATE '2018-02-01')`, `2018,2,3,1,14,5,"2018-02-28"`},
		{`date('2018-03-01'), CAST('2018-03-01' AS date) + INTERVAL '1' MONTH, DATE '2018-03-01' < DATE '2018-03-02', TIMESTAMP '2018-03-01 00:00:00' + INTERVAL '3' HOUR`, `"2018-03-01","2018-04-01T00:00:00",true,"2018-03-01T03:00:00"`},
		// text
		{`regexp_like('20180301', '^\d{8}$'), regexp_extract('ab12', '\d+'), regexp_extract('ab', '\d+'), regexp_extract('ab12', '(\d)(\d)', 2), regexp_extract_all('a1b2', '\d')`, `true,"12",null,"2",["1","2"]`},
		{`regexp_replace('aXbX', 'X', '-'), regexp_replace('aXbX', 'X'), regexp_replace('ab12', '(\d)(\d)', '$2$1\'), regexp_replace('aXbX', 'x', '-', 'i'), regexp_split('a1b22c', '\d+')`, `"a-b-","ab","ab21\\","a-bX",["a","b","c"]`},
		{`split('a.b.c', '.'), split('a.b.c', '.', 2), split_part('a.b', '.', 2), split_part('a.b', '.', 3)`, `["a","b","c"],["a","b.c"],"b",null`},
		{`split_to_map('a=1,b=2', ',', '='), replace('abab', 'a'), replace('abab', 'a', 'c'), strpos('abc', 'c'), position('b' IN 'abc'), substr('20180301', 1, 6), length('añb')`, `{"a":"1","b":"2"},"bb","cbcb",3,2,"201803",3`},
		{`codepoint('a'), chr(97), levenshtein_distance('kitten', 'sitting'), hamming_distance('abc', 'abd'), normalize('é') = 'é', lpad('7', 3, '0'), reverse('abc')`, `97,"a",3,1,true,"007","cba"`},
		{`to_hex(md5(to_utf8('a'))), md5('a'), from_utf8(to_utf8('ü')), to_hex(sha256(to_utf8(''))) = upper(sha256('')), to_hex(sha1(to_utf8(''))) = upper(sha1('')), to_base64(to_utf8('a'))`, `"0CC175B9C0F1B6A831C399E269772661","0cc175b9c0f1b6a831c399e269772661","ü",true,true,"YQ=="`},
		{`url_extract_host('https://u@www.example.com:8080/p/a?q=x+y%21&b&c=#f'), url_extract_port('http://h:8080/'), url_extract_path('http://h/p/a?q'), url_extract_query('http://h/?a=1#f'), url_extract_fragment('http://h/#f'), url_extract_protocol('https://h')`, `"www.example.com",8080,"/p/a","a=1","f","https"`},
		{`url_extract_parameter('http://h/?q=x+y%21&b&c=', 'q'), url_extract_parameter('http://h/?q=1&b', 'b'), url_extract_parameter('http://h/?q=1', 'z'), url_extract_host('nothing'), url_extract_host(NULL), url_decode('a%20b')`, `"x y!","",null,"",null,"a b"`},
		// arrays and maps
		{`element_at(ARRAY[1, 2], 2), element_at(ARRAY[1, 2], -1), element_at(ARRAY[1], 5), element_at(MAP(ARRAY['a'], ARRAY[1]), 'a'), element_at(MAP(ARRAY['a'], ARRAY[1]), 'b'), ARRAY[7, 8][1]`, `2,2,null,1,null,7`},
		{`cardinality(ARRAY[1, 2]), cardinality(MAP(ARRAY['a'], ARRAY[1])), cardinality(CAST(NULL AS array(bigint))), cardinality(map_keys(MAP(ARRAY['a'], ARRAY[1])))`, `2,1,null,1`},
		{`array_join(ARRAY['a', NULL, 'b'], ','), array_join(ARRAY['a', NULL], ',', '?'), array_join(ARRAY[1, 2], '-'), contains(ARRAY[1, 2], 2)`, `"a,b","a,?","1-2",true`},
		{`array_max(ARRAY[1, 3, 2]), array_max(ARRAY[1, NULL]), array_min(ARRAY[2, 1]), array_min(ARRAY[]), array_position(ARRAY['a', 'b'], 'b'), array_position(ARRAY['a'], 'z')`, `3,null,1,null,2,0`},
		{`array_distinct(ARRAY[1, 1]), array_sort(ARRAY[3, 1, 2]), array_sort(array_union(ARRAY[1, 2], ARRAY[2, 3])), array_except(ARRAY[1, 2], ARRAY[2]), array_intersect(ARRAY[1, 2], ARRAY[2]), array_remove(ARRAY[1, 2, 1], 1), arrays_overlap(ARRAY[1], ARRAY[2])`, `[1],[1,2,3],[1,2,3],[1],[2],[2],false`},
		{`sequence(1, 3), sequence(1, 5, 2), slice(ARRAY[1, 2, 3, 4], 2, 2), slice(ARRAY[1, 2, 3, 4], -2, 2), flatten(ARRAY[ARRAY[1], ARRAY[2]])`, `[1,2,3],[1,3,5],[2,3],[3,4],[1,2]`},
		{`sequence(DATE '2018-02-28', DATE '2018-03-01', INTERVAL '1' DAY), zip(ARRAY[1], ARRAY['a'])`, `["2018-02-28T00:00:00","2018-03-01T00:00:00"],"[(1, a)]"`},
		{`map_keys(MAP(ARRAY['a'], ARRAY[1])), map_values(MAP(ARRAY['a'], ARRAY[1])), map_concat(MAP(ARRAY['a'], ARRAY[1]), MAP(ARRAY['b'], ARRAY[2])), MAP(ARRAY[1], ARRAY['x'])`, `["a"],[1],{"a":1,"b":2},{"1":"x"}`},
		// lambdas
		{`transform(ARRAY[1, 2], x -> x * 2), filter(ARRAY[1, 2, 3], x -> x % 2 = 1), transform(ARRAY[ARRAY[1], ARRAY[2, 3]], a -> transform(a, x -> x + cardinality(a)))`, `[2,4],[1,3],[[2],[4,5]]`},
		{`reduce(ARRAY[1, 2, 3], 0, (s, x) -> s + x, s -> s), reduce(ARRAY[1, 2], 10, (s, x) -> s + x, s -> -s), reduce(ARRAY[1, 2], (s, x) -> s + x)`, `6,-13,3`},
		{`zip_with(ARRAY[1, 2], ARRAY[3, 4], (x, y) -> x * y), map_filter(MAP(ARRAY['a', 'b'], ARRAY[1, 2]), (k, v) -> v > 1 AND k <> 'z')`, `[3,8],{"b":2}`},
		{`transform_values(MAP(ARRAY['a'], ARRAY[1]), (k, v) -> v + length(k)), transform_keys(MAP(ARRAY['a'], ARRAY[1]), (k, v) -> k || '!'), transform_values(MAP(ARRAY['a'], ARRAY[MAP(ARRAY['b'], ARRAY[1])]), (k, v) -> transform_values(v, (k2, v2) -> k || k2 || v2))`, `{"a":2},{"a!":1},{"a":{"b":"ab1"}}`},
		{`transform(ARRAY[1], "X" -> "x"), list_transform([1], lambda x: x + 1), list_filter([1, 2], x -> x > 1)`, `[1],[2],[2]`},
		// types
		{`CAST(ARRAY['1'] AS array(bigint)), CAST(ARRAY['1'] AS array<bigint>), CAST(MAP(ARRAY['1'], ARRAY[ARRAY['2']]) AS map<bigint, array<integer>>), CAST(ARRAY[ARRAY['1']] AS array(array(integer)))`, `[1],[1],{"1":[2]},[[1]]`},
		{`CAST(ROW(1, 'x') AS row(a bigint, b varchar)), CAST(ROW(1, ARRAY['2']) AS row<a bigint, b array<bigint>>).b, CAST('7' AS integer), CAST(1.5 AS decimal(10, 2)), CAST(1 AS varchar(3))`, `{"a":1,"b":"x"},[2],7,"1.50","1"`},
		{`CAST(JSON '{"a":[1,2]}' AS map<varchar, array<bigint>>), CAST('2018-03-01' AS timestamp with time zone)`, `{"a":[1,2]},"2018-03-01T00:00:00Z"`},
		// JSON
		{`json_extract_scalar('{"a":{"b":"x"},"n":1}', '$.a.b'), json_extract_scalar('{"a":{"b":"x"}}', '$.a'), json_extract_scalar('{"n":1}', '$.n'), json_extract('{"a":[1, 12345678901234567890]}', '$.a')`, `"x",null,"1",[1,12345678901234567890]`},
		{`json_format(json_parse('{"a":1}')), json_array_length('[1,2]'), json_size('{"a":{"x":1,"y":2}}', '$.a'), json_size('{"a":[1,2,3]}', '$.a'), json_size('{"a":1}', '$.a'), json_array_contains('[1,2]', 2), json_array_get('[1,2]', 0), json_array_get('[1,2]', -1), is_json_scalar('1'), is_json_scalar('[]')`, `"{\"a\":1}",2,2,3,0,true,1,2,true,false`},
		// numbers
		{`truncate(-1.7e0), is_nan(nan()), is_finite(1e0), is_infinite(infinity()), nan(), infinity(), -infinity(), round(e(), 5), random() < 1, random(1), rand(1), random(3, 4)`, `-1,true,true,true,"NaN","Infinity","-Infinity",2.71828,true,0,0,3`},
		{`bitwise_and(6, 3), bitwise_or(6, 3), bitwise_xor(6, 3), bitwise_not(0), width_bucket(3.14, 0, 4, 3), width_bucket(-1, 0, 4, 3), width_bucket(4, 0, 4, 3), to_base(255, 16), mod(7, 3), power(2, 3), log2(8), cbrt(8)`, `2,7,5,-1,3,0,4,"FF",1,8,3,2`},
	} {
		if got := values(t, db, "SELECT "+c.sql); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}

// TestPrestoQueries are constructs that need rows.
func TestPrestoQueries(t *testing.T) {
	db := open(t)
	const people = `(VALUES ('a', 1), ('b', 2), ('a', 3), (NULL, 4), ('z', 0)) AS p(k, v)`
	const nested = `(VALUES (1, ARRAY[10, 20], ARRAY['x'], MAP(ARRAY['p', 'q'], ARRAY[5, 6]), ARRAY[CAST(ROW('g', 7) AS row(engine varchar, n bigint))]), (2, ARRAY[], NULL, NULL, NULL)) AS m(id, a, b, c, s)`
	for _, c := range []struct{ sql, want string }{
		{`SELECT approx_distinct(k), approx_distinct(v, 0.01), approx_distinct(DISTINCT k), approx_distinct(k) FILTER (WHERE v > 2) FROM ` + people, "3,5,3,1"},
		{`SELECT approx_distinct(v) OVER (PARTITION BY k) FROM ` + people + ` WHERE k = 'a'`, "2\n2"},
		{`SELECT approx_percentile(v, 0.5), approx_percentile(v, ARRAY[0.5, 1.0]), approx_percentile(v, 0.5) FILTER (WHERE v > 2) FROM ` + people, "2,[2,4],3"},
		{`SELECT map_agg(k, v), map_agg(k, v) FILTER (WHERE v > 2), map_agg(k, v) FILTER (WHERE v > 9) FROM ` + people, `{"a":1,"b":2,"z":0},{"a":3},null`},
		{`SELECT k, map_agg(k, v) OVER (PARTITION BY k) FROM ` + people + ` WHERE k = 'b'`, `"b",{"b":2}`},
		{`SELECT map_union(m) FROM (VALUES (MAP(ARRAY['a'], ARRAY[1])), (MAP(ARRAY['a', 'b'], ARRAY[2, 3])), (NULL)) AS t(m)`, `{"a":1,"b":3}`},
		{`SELECT every(v > 0), bool_or(v > 3), count_if(v > 1), arbitrary(v), histogram(k), bitwise_or_agg(v), bitwise_and_agg(v) FROM ` + people, `false,true,3,1,{"a":2,"b":1,"z":1},7,0`},
		{`SELECT max_by(k, v), min_by(k, v), max(v, 2), array_agg(v ORDER BY v DESC) FROM ` + people + ` WHERE k IS NOT NULL`, `"a","z",[3,2],[3,2,1,0]`},
		{`SELECT k, sum(v) OVER (ORDER BY v ROWS 1 PRECEDING), lag(v) OVER (ORDER BY v) FROM ` + people + ` ORDER BY v`, "\"z\",0,null\n\"a\",1,0\n\"b\",3,1\n\"a\",5,2\nnull,7,3"},
		{`SELECT k FROM ` + people + ` GROUP BY 1 ORDER BY 1`, "\"a\"\n\"b\"\n\"z\"\nnull"},
		{`SELECT k FROM ` + people + ` GROUP BY 1 ORDER BY 1 DESC`, "\"z\"\n\"b\"\n\"a\"\nnull"},
		{`SELECT id, x FROM ` + nested + ` CROSS JOIN UNNEST(a) AS t(x) ORDER BY x`, "1,10\n1,20"},
		{`SELECT id, x, y FROM ` + nested + ` CROSS JOIN UNNEST(a, b) AS t (x, y) ORDER BY x`, "1,10,\"x\"\n1,20,null"},
		{`SELECT id, x, y, n FROM ` + nested + ` CROSS JOIN UNNEST(a, b) WITH ORDINALITY AS t(x, y, n) ORDER BY n`, "1,10,\"x\",1\n1,20,null,2"},
		{`SELECT x, n FROM ` + nested + ` CROSS JOIN UNNEST(a) WITH ORDINALITY AS t(x, n) ORDER BY n`, "10,1\n20,2"},
		{`SELECT id, k, v FROM ` + nested + ` CROSS JOIN UNNEST(c) AS t(k, v) ORDER BY k`, "1,\"p\",5\n1,\"q\",6"},
		{`SELECT id, k, v, n FROM ` + nested + ` CROSS JOIN UNNEST(c) WITH ORDINALITY AS t(k, v, n) ORDER BY k`, "1,\"p\",5,1\n1,\"q\",6,2"},
		{`SELECT id, k, v FROM ` + nested + `, UNNEST(c) AS t(k, v) WHERE v > 5`, `1,"q",6`},
		{`SELECT id, k FROM ` + nested + ` LEFT JOIN UNNEST(c) AS t(k, v) ON true ORDER BY id, k`, "1,\"p\"\n1,\"q\"\n2,null"},
		{`SELECT id, k, v, k2, v2 FROM ` + nested + ` CROSS JOIN UNNEST(c, c) AS t(k, v, k2, v2) ORDER BY k`, "1,\"p\",5,\"p\",5\n1,\"q\",6,\"q\",6"},
		{`SELECT x.engine, x.n FROM ` + nested + ` CROSS JOIN UNNEST(s) AS t(x)`, `"g",7`},
		{`SELECT e, n FROM ` + nested + ` CROSS JOIN UNNEST(s) AS t(e, n)`, `"g",7`},
		{`SELECT e, n, o FROM ` + nested + ` CROSS JOIN UNNEST(s) WITH ORDINALITY AS t(e, n, o)`, `"g",7,1`},
		{`SELECT k, v FROM ` + nested + ` CROSS JOIN UNNEST(transform_values(c, (k, v) -> v * 2)) AS t(k, v) ORDER BY 1`, "\"p\",10\n\"q\",12"},
		{`SELECT id, unnest(a) FROM ` + nested + ` ORDER BY 2`, "1,10\n1,20"},
		{`SELECT x FROM UNNEST(ARRAY[1, 2]) AS t(x)`, "1\n2"},
		{`SELECT unnest FROM UNNEST(sequence(1, 2))`, "1\n2"},
		{`SELECT cardinality(c), cardinality(a), transform(a, x -> x + cardinality(c)) FROM ` + nested + ` WHERE id = 1`, "2,2,[12,22]"},
		{`WITH filter(x) AS (SELECT 1), transform AS (SELECT 2 AS y) SELECT x, y FROM filter, transform`, "1,2"},
		{`SELECT count(*) BETWEEN 0 AND 1000 FROM range(1000) TABLESAMPLE BERNOULLI (10)`, "true"},
		{`SELECT count(*) FROM range(1000) TABLESAMPLE SYSTEM (100)`, "1000"},
		{`SELECT count(*) FROM (SELECT * FROM range(1000) TABLESAMPLE BERNOULLI (100 PERCENT))`, "1000"},
		{`EXPLAIN (TYPE DISTRIBUTED) SELECT approx_distinct(1)`, ""},
		{`SHOW SCHEMAS`, `"main"`},
		{`SHOW CATALOGS`, `"memory"`},
		{`CREATE TABLE numbers AS SELECT 1 AS n; INSERT INTO numbers VALUES (2); SELECT sum(n) FROM numbers;`, "3"},
		{`CREATE VIEW counted AS SELECT cardinality(MAP(ARRAY[1], ARRAY[2])) AS c; SELECT c, cardinality(MAP(ARRAY[1], ARRAY[2])) FROM counted`, "1,1"},
		{`SHOW TABLES LIKE 'num%'`, `"numbers"`},
		{`SHOW COLUMNS FROM numbers`, `"n","INTEGER","YES",null,null,null`},
		{`DESCRIBE numbers`, `"n","INTEGER","YES",null,null,null`},
		// DuckDB's own
		{`FROM range(2) SELECT range + 1 AS x`, "1\n2"},
		{`SELECT * EXCLUDE (b) FROM (SELECT 1 AS a, 2 AS b)`, "1"},
		{`SELECT x::VARCHAR, {'a': x}.a, [x, x][1], x // 2 FROM range(3, 4) t(x)`, `"3",3,3,1`},
		{`SELECT list_reduce([1, 2], lambda a, b: a + b), date_add(DATE '2018-03-01', INTERVAL 1 DAY), date_trunc('day', INTERVAL '26 hours 3 days')`, `3,"2018-03-02T00:00:00","3 days"`},
		{`VALUES (1, 'a'), (2, 'b')`, "1,\"a\"\n2,\"b\""},
		{`SELECT DISTINCT ON (k) k FROM ` + people + ` WHERE k = 'a'`, `"a"`},
		{`-- a comment` + "\n" + `SELECT /* two /* nested */ */ 'it''s', "x" FROM (SELECT 1 AS "x") -- the end`, `"it's",1`},
		{`SELECT e'a\'b', $$it's$$, $t$a$$b$t$, 1e3, .5, 1_000`, `"a'b","it's","a$$b",1000,"0.5",1000`},
		{`(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1`, "1\n2"},
	} {
		got := values(t, db, c.sql)
		if strings.HasPrefix(c.sql, "EXPLAIN") {
			if !strings.Contains(got, "physical_plan") {
				t.Errorf("%s\n got %s", c.sql, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}
