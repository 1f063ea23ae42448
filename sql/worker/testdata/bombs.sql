-- Statements that take memory, time or depth beyond any limit, in DuckDB's dialect, one a line. They end by an error or a limit, or
-- give an answer within the limits. {0,N,x} stands for N times x.
== memory
SELECT list_sum(range(1000000000))
SELECT length(repeat('x', 2000000000))
SELECT repeat(repeat(repeat('x', 1000), 1000), 1000)
SELECT length(string_agg(repeat('x', 100000), '')) FROM range(100000)
SELECT array_agg(repeat('x', 1000)) FROM range(10000000)
SELECT list_resize([1], 2000000000)
SELECT list_transform(range(100000000), x -> repeat('y', 1000))
SELECT array_agg(i) FROM range(1000000000) t(i)
SELECT count(DISTINCT i) FROM range(1000000000) t(i)
SELECT map_from_entries(list_transform(range(10000000), x -> (x, x)))
SELECT histogram(i) FROM range(100000000) t(i)
SELECT median(i), mode(i), approx_quantile(i, 0.5), quantile_cont(i, [0.1, 0.2]) FROM range(300000000) t(i)
SELECT * FROM range(200000000) t(i) ORDER BY hash(i)
SELECT i, row_number() OVER (ORDER BY hash(i)), lag(i, 100000) OVER (ORDER BY i) FROM range(200000000) t(i)
SELECT lpad('x', 2000000000, 'y')
SELECT rpad('x', 2147483647, 'y')
SELECT list_concat(range(100000000), range(100000000))
SELECT string_split(repeat('a,', 100000000), ',')
SELECT regexp_split_to_array(repeat('ab', 50000000), 'b')
SELECT str_split(repeat('a', 200000000), '')
SELECT list_sort(range(300000000))
SELECT list_distinct(range(100000000))
SELECT flatten(list_transform(range(10000), x -> range(100000)))
SELECT unnest(range(1000000000))
SELECT generate_series(1, 1000000000)
SELECT generate_series(TIMESTAMP '0001-01-01', TIMESTAMP '9999-01-01', INTERVAL 1 SECOND)
SELECT bitstring('1', 2000000000)
SELECT to_json(range(300000000))
SELECT json_group_array(i) FROM range(100000000) t(i)
SELECT format('{:>2000000000}', 1)
SELECT printf('%2000000000d', 1)
SELECT strftime(DATE '2020-01-01', repeat('%A', 100000000))
SELECT cast(repeat('1', 100000000) AS varchar)::bignum
SELECT list_aggregate(range(500000000), 'string_agg', ',')
SELECT a.i FROM range(100000000) a(i) JOIN range(100000000) b(i) ON a.i = b.i
SELECT * FROM (SELECT i % 10 AS k FROM range(10000000) t(i)) a JOIN (SELECT i % 10 AS k FROM range(10000000) t(i)) b USING (k)
SELECT bit_length(repeat('x', 1000000000)::blob)
SELECT list_zip(range(100000000), range(100000000))
SELECT array_to_string(range(300000000), ',')
SELECT hex(repeat('x', 1000000000))
SELECT replace(repeat('x', 10000000), 'x', repeat('y', 10000))
SELECT translate(repeat('x', 1000000000), 'x', 'y')
== time
SELECT count(*) FROM range(1000000000) a, range(1000000000) b
SELECT count(*) FROM range(100000) a(i), range(100000) b(j) WHERE sqrt(a.i * b.j) < 0
WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r
WITH RECURSIVE r(i) AS (SELECT 1 UNION SELECT i + 1 FROM r WHERE i < 1000000000) SELECT count(*) FROM r
WITH RECURSIVE r(i, s) AS (SELECT 1, 'x' UNION ALL SELECT i + 1, s || s FROM r) SELECT length(s) FROM r
WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT 1 FROM r, r AS q) SELECT count(*) FROM r
WITH RECURSIVE r(i) USING KEY (i) AS (SELECT 1 UNION SELECT i + 1 FROM r) SELECT count(*) FROM r
SELECT regexp_matches(repeat('a', 1000000) || 'b', '(a*)*(a*)*(a*)*c')
SELECT regexp_replace(repeat('a', 10000000), '(a|aa|aaa)*', 'b', 'g')
SELECT regexp_extract_all(repeat('x', 10000000), '.*?')
SELECT regexp_matches(repeat('a', 100000), 'a{1000}{1000}')
SELECT repeat('a', 100000) LIKE repeat('%a', 10000) || 'b'
SELECT levenshtein(repeat('a', 100000), repeat('b', 100000))
SELECT damerau_levenshtein(repeat('a', 20000), repeat('b', 20000))
SELECT jaro_winkler_similarity(repeat('a', 1000000), repeat('b', 1000000))
SELECT list_transform(range(10000000), x -> list_sum(list_transform(range(10000), y -> x * y)))
SELECT list_reduce(range(100000000), (a, b) -> a + b)
SELECT count(*) FROM range(100000000) t(i) WHERE md5(i::varchar) = sha256(i::varchar)
SELECT sum(sin(i) * cos(i)) FROM range(10000000000) t(i)
SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l, t m, t n WHERE a.n + b.n + c.n + d.n = 7.5
SELECT factorial(20) * (SELECT count(*) FROM range(100000000000))
SELECT json_extract(repeat('[', 100000), '$[0]')
SELECT json_valid(repeat('[', 10000000))
SELECT * FROM unnest(range(100000000)) a(i), unnest(range(100000000)) b(j) ORDER BY i * j LIMIT 1
SELECT glob(repeat('a', 10000), repeat('*a', 1000) || 'b')
SELECT array_cosine_similarity(list_transform(range(1000), x -> x::float)::float[1000], list_transform(range(1000), x -> x::float)::float[1000]) FROM range(100000000)
SELECT sum(1) OVER (ORDER BY i ROWS BETWEEN 100000 PRECEDING AND 100000 FOLLOWING) FROM range(100000000) t(i)
SELECT list(i) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM range(100000) t(i)
SELECT approx_top_k(i, 100000) FROM range(100000000) t(i)
SELECT DISTINCT ON (i % 7) i FROM range(1000000000) t(i) ORDER BY i % 7, hash(i)
== depth
SELECT {0,100000,(}1{0,100000,)}
SELECT {0,20000,[}1{0,20000,]}
SELECT {0,100000,-}1
SELECT {0,50000,NOT }true
SELECT 1{0,100000, + 1}
SELECT 1{0,20000, UNION ALL SELECT 1}
SELECT * FROM {0,5000,(SELECT * FROM }t{0,5000,)}
SELECT {0,3000,abs(}1{0,3000,)}
SELECT {0,3000,CASE WHEN true THEN }1{0,3000, END}
SELECT 1 IN ({0,3000,SELECT 1 WHERE 1 IN (}1{0,3000,)})
SELECT {0,2000,list_transform([1], x -> }x{0,2000,)}
SELECT 'x'{0,20000,::varchar}
SELECT '{0,1000000,x}'
SELECT {0,20000,1 AS a, }1
SELECT * FROM t {0,2000,JOIN t USING (n) }
SELECT /* {0,100000,/*} */ 1
WITH a AS (SELECT 1) {0,2000,, a AS (SELECT 1)} SELECT 1
SELECT CASE {0,20000,WHEN n = 1 THEN 2 }END FROM t
SELECT * FROM t WHERE {0,20000,n = 1 OR }false
SELECT {{0,2000,'a': {}'b': 1{0,2000,}}}
SELECT [{0,100000,1,}1]
SELECT n{0,5000,.n} FROM t
SELECT '{0,50000,\}{0,50000,''}'
EXPLAIN {0,1000,EXPLAIN }SELECT 1
SELECT * FROM t {0,200,, t AS a}
SELECT NULL{0,5000,[1]}
SELECT 1 ORDER BY {0,20000,1, }1
SELECT 1 GROUP BY CUBE ({0,60,1, }1)
SELECT 1 FROM t GROUP BY CUBE (n, client_id, day, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12)
SELECT 1 FROM t GROUP BY GROUPING SETS ({0,70000,(n), }())
== strange
SELECT CAST('NaN' AS double)::bigint
SELECT CAST(1e308 AS float) * 1e308
SELECT 170141183460469231731687303715884105727::hugeint + 1
SELECT (-9223372036854775808)::bigint / -1, (-9223372036854775808)::bigint % -1
SELECT TIMESTAMP 'infinity' - TIMESTAMP '-infinity'
SELECT INTERVAL '99999999999 years' + DATE '9999-12-31'
SELECT make_date(2147483647, 1, 1), make_timestamp(9223372036854775807)
SELECT '\xFF\xFE'::blob::varchar
SELECT chr(-1), chr(1114112), chr(55296)
SELECT substring('ä', -9223372036854775808, 9223372036854775807)
SELECT list_slice([1, 2], -9223372036854775808, 9223372036854775807, -1)
SELECT ([1])[9223372036854775807], ([1])[-9223372036854775808]
SELECT array_extract(row(1, 2), 9999999999)
SELECT 1 << 200, -1 >> 70
SELECT round(1.5, 2147483647), round(1.5, -2147483648)
SELECT CAST('12345678901234567890123456789012345678901234567890' AS decimal(38, 37))
SELECT date_trunc('century', DATE '-5000-01-01'), age(TIMESTAMP '290000-01-01', TIMESTAMP '-290000-01-01')
SELECT strptime('99999', '%Y'), strftime(DATE '5877642-06-25 (BC)', '%c')
SELECT union_value(a := 1)::UNION(b varchar), NULL::UNION(a int)
SELECT map([NULL], [1]), map([1, 1], [1, 2])
SELECT '{"a":1e999999}'::json -> 'a', json('{"a"')
SELECT nextafter(1e308, 'infinity'::double), gamma(-1), lgamma(0), factorial(-1)
SELECT printf('%s%s%s%n', 'a'), format('{}{}{', 1)
SELECT regexp_extract('x', '(?P<a>', 'a'), regexp_matches('x', '[')
SELECT bitstring('', 0), get_bit('0'::bit, 99), set_bit('0'::bit, -1, 1)
SELECT array_value(), [] || NULL, list_extract(NULL, NULL)
SELECT * FROM range(0, 10, 0)
SELECT n FROM t LIMIT -1
SELECT n FROM t LIMIT 99999999999999999999
SELECT n FROM t OFFSET -1
SELECT n FROM t USING SAMPLE 200%
SELECT count(*) FROM t USING SAMPLE reservoir(1000000000000 ROWS)
