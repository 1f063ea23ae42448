-- Functions of Presto 0.1xx that DuckDB has under another name, with another
-- meaning, or not at all. A macro hides the builtin of the same name, which
-- system.main still reaches; the builtin's other arities are handed through.
-- Macros made in Go (greatest, least, concat) are in macros.go.

-- Time. Presto's date_diff counts whole units, DuckDB's counts the boundaries
-- between them, which date_sub does not.
CREATE MACRO date_diff(u, a, b) AS system.main.date_sub(u, CAST(a AS TIMESTAMP), CAST(b AS TIMESTAMP));
CREATE MACRO presto_interval(u, n) AS CASE lower(u)
  WHEN 'millisecond' THEN to_milliseconds(n) WHEN 'second' THEN to_seconds(n)
  WHEN 'minute' THEN to_minutes(n) WHEN 'hour' THEN to_hours(n)
  WHEN 'day' THEN to_days(CAST(n AS INTEGER)) WHEN 'week' THEN to_weeks(CAST(n AS INTEGER))
  WHEN 'month' THEN to_months(CAST(n AS INTEGER)) WHEN 'quarter' THEN to_quarters(CAST(n AS INTEGER))
  WHEN 'year' THEN to_years(CAST(n AS INTEGER))
  ELSE error('date_add: ' || u || ' is not a unit of time') END;
CREATE MACRO date_add(d, i) AS system.main.date_add(d, i),
  (u, n, d DATE) AS CAST(d + presto_interval(u, n) AS DATE),
  (u, n, d TIMESTAMP) AS d + presto_interval(u, n),
  (u, n, d TIMESTAMPTZ) AS d + presto_interval(u, n),
  (u, n, d VARCHAR) AS CAST(CAST(d AS TIMESTAMPTZ) AS TIMESTAMP) + presto_interval(u, n);
CREATE MACRO date_trunc(u, d DATE) AS CAST(system.main.date_trunc(u, d) AS DATE),
  (u, d TIMESTAMP) AS system.main.date_trunc(u, d),
  (u, d TIMESTAMPTZ) AS system.main.date_trunc(u, d),
  (u, d INTERVAL) AS system.main.date_trunc(u, d);
CREATE MACRO from_unixtime(x) AS make_timestamp(CAST(CAST(x AS DOUBLE) * 1000000 AS BIGINT)),
  (x, zone) AS timezone(zone, make_timestamp(CAST(CAST(x AS DOUBLE) * 1000000 AS BIGINT)) AT TIME ZONE 'UTC');
CREATE MACRO to_unixtime(t) AS epoch(t);
CREATE MACRO from_iso8601_timestamp(s) AS CAST(s AS TIMESTAMPTZ);
CREATE MACRO from_iso8601_date(s) AS CAST(s AS DATE);
CREATE MACRO to_iso8601(t DATE) AS strftime(t, '%Y-%m-%d'),
  (t TIMESTAMP) AS strftime(t, '%Y-%m-%dT%H:%M:%S.%g'),
  (t TIMESTAMPTZ) AS strftime(CAST(t AS TIMESTAMP), '%Y-%m-%dT%H:%M:%S.%gZ');
CREATE MACRO at_timezone(t, zone) AS timezone(zone, t);
CREATE MACRO with_timezone(t, zone) AS timezone(zone, CAST(t AS TIMESTAMP));
CREATE MACRO day_of_week(t) AS isodow(t);
CREATE MACRO dow(t) AS isodow(t);
CREATE MACRO day_of_month(t) AS day(t);
CREATE MACRO day_of_year(t) AS dayofyear(t);
CREATE MACRO doy(t) AS dayofyear(t);
CREATE MACRO week_of_year(t) AS week(t);
CREATE MACRO year_of_week(t) AS isoyear(t);
CREATE MACRO yow(t) AS isoyear(t);
CREATE MACRO last_day_of_month(t) AS last_day(t);

-- Text. DuckDB replaces the first match only, gives '' where Presto gives null,
-- and writes groups as \1 where Presto writes $1.
CREATE MACRO regexp_like(s, p) AS regexp_matches(s, p);
CREATE MACRO presto_regexp_replace(s, p) AS regexp_replace(s, p, '', 'g'),
  (s, p, r) AS regexp_replace(s, p, regexp_replace(replace(r, '\', '\\'), '\$(\d)', '\\\1', 'g'), 'g');
CREATE MACRO regexp_extract(s, p) AS CASE WHEN regexp_matches(s, p) THEN system.main.regexp_extract(s, p) END,
  (s, p, g) AS CASE WHEN regexp_matches(s, p) THEN system.main.regexp_extract(s, p, g) END,
  (s, p, g, o) AS system.main.regexp_extract(s, p, g, o);
CREATE MACRO regexp_split(s, p) AS string_split_regex(s, p);
CREATE MACRO split(s, d) AS string_split(s, d),
  (s, d, n) AS CASE WHEN len(string_split(s, d)) <= n THEN string_split(s, d)
    ELSE list_append(string_split(s, d)[1:n-1], array_to_string(string_split(s, d)[n:], d)) END;
CREATE MACRO split_part(s, d, n) AS string_split(s, d)[n];
CREATE MACRO split_to_map(s, e, k) AS map_from_entries(list_transform(string_split(s, e),
  lambda x: {'key': string_split(x, k)[1], 'value': string_split(x, k)[2]}));
CREATE MACRO replace(s, a) AS system.main.replace(s, a, ''), (s, a, b) AS system.main.replace(s, a, b);
CREATE MACRO codepoint(s) AS unicode(s);
CREATE MACRO levenshtein_distance(a, b) AS levenshtein(a, b);
CREATE MACRO hamming_distance(a, b) AS hamming(a, b);
CREATE MACRO normalize(s) AS nfc_normalize(s);
CREATE MACRO to_utf8(s) AS encode(s);
CREATE MACRO from_utf8(b) AS decode(b);
CREATE MACRO md5(s VARCHAR) AS system.main.md5(s), (b BLOB) AS unhex(system.main.md5(b));
CREATE MACRO sha1(s VARCHAR) AS system.main.sha1(s), (b BLOB) AS unhex(system.main.sha1(b));
CREATE MACRO sha256(s VARCHAR) AS system.main.sha256(s), (b BLOB) AS unhex(system.main.sha256(b));

-- Addresses, by the generic syntax of RFC 3986.
CREATE MACRO presto_url(s, p) AS CASE WHEN s IS NOT NULL THEN system.main.regexp_extract(s, p, 1) END;
CREATE MACRO url_extract_protocol(s) AS presto_url(s, '^([A-Za-z][A-Za-z0-9+.-]*):');
CREATE MACRO url_extract_host(s) AS presto_url(s, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)');
CREATE MACRO url_extract_port(s) AS TRY_CAST(presto_url(s, '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)') AS BIGINT);
CREATE MACRO url_extract_path(s) AS presto_url(s, '^(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)');
CREATE MACRO url_extract_query(s) AS presto_url(s, '^[^?#]*\?([^#]*)');
CREATE MACRO url_extract_fragment(s) AS presto_url(s, '#(.*)$');
CREATE MACRO url_extract_parameter(s, n) AS list_filter(list_transform(string_split(url_extract_query(s), '&'),
  lambda x: CASE WHEN x = n THEN '' WHEN starts_with(x, n || '=') THEN url_decode(replace(x[len(n)+2:], '+', ' ')) END),
  lambda x: x IS NOT NULL)[1];

-- Arrays and maps. DuckDB's element_at takes maps only and gives a list.
CREATE MACRO element_at(c, k) AS c[k];
CREATE MACRO array_join(l, d) AS array_to_string(l, d),
  (l, d, n) AS array_to_string(list_transform(l, lambda x: coalesce(CAST(x AS VARCHAR), n)), d);
CREATE MACRO array_max(l) AS CASE WHEN len(l) = list_count(l) THEN list_max(l) END;
CREATE MACRO array_min(l) AS CASE WHEN len(l) = list_count(l) THEN list_min(l) END;
CREATE MACRO array_position(l, x) AS CASE WHEN l IS NOT NULL AND x IS NOT NULL THEN coalesce(list_position(l, x), 0) END;
CREATE MACRO array_union(a, b) AS list_distinct(list_concat(a, b));
CREATE MACRO array_except(a, b) AS list_distinct(list_filter(a, lambda x: NOT coalesce(list_contains(b, x), false)));
CREATE MACRO array_remove(l, y) AS list_filter(l, lambda x: x <> y);
CREATE MACRO arrays_overlap(a, b) AS list_has_any(a, b);
CREATE MACRO sequence(a, b) AS generate_series(a, b), (a, b, c) AS generate_series(a, b, c);
CREATE MACRO slice(l, s, n) AS CASE WHEN s < 0 THEN list_slice(l, len(l) + s + 1, len(l) + s + n) ELSE list_slice(l, s, s + n - 1) END;
CREATE MACRO zip(a, b) AS list_zip(a, b), (a, b, c) AS list_zip(a, b, c), (a, b, c, d) AS list_zip(a, b, c, d);
-- map_agg keeps the first value of each key and drops null keys; a map of
-- lists fails on both. The lists are joined with [] so that they are typed
-- where the macro is defined, and no lambda captures one: that takes quadratic time.
CREATE MACRO presto_sorted(ks) AS list_select(list_concat(ks, []), list_grade_up(list_concat(ks, [])));
CREATE MACRO presto_first(ks) AS list_transform(list_filter(
  list_zip(list_grade_up(list_concat(ks, [])), presto_sorted(ks), list_concat([NULL], presto_sorted(ks))),
  lambda e: e[1] IS NOT NULL AND e[2] IS NOT NULL AND e[2] IS DISTINCT FROM e[3]), lambda e: e[1]);
CREATE MACRO presto_map(ks, vs) AS CASE WHEN ks IS NOT NULL THEN
  map(list_select(list_concat(ks, []), presto_first(ks)), list_select(list_concat(vs, []), presto_first(ks))) END;

-- JSON. json_extract_string gives the text of objects, where Presto gives null.
CREATE MACRO json_extract_scalar(j, p) AS CASE WHEN json_type(j, p) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(j, p) END;
CREATE MACRO json_parse(s) AS CAST(s AS JSON);
CREATE MACRO json_format(j) AS CAST(j AS VARCHAR);
CREATE MACRO json_size(j, p) AS CASE json_type(j, p) WHEN 'ARRAY' THEN json_array_length(j, p)
  WHEN 'OBJECT' THEN len(json_keys(j, p)) ELSE CASE WHEN json_type(j, p) IS NOT NULL THEN 0 END END;
CREATE MACRO json_array_contains(j, x) AS json_contains(j, to_json(x));
CREATE MACRO json_array_get(j, n) AS json_extract(j, '$[' || CASE WHEN n < 0 THEN '#' ELSE '' END || n || ']');
CREATE MACRO is_json_scalar(j) AS json_type(j) NOT IN ('OBJECT', 'ARRAY');

-- Numbers.
CREATE MACRO truncate(x) AS trunc(x);
CREATE MACRO is_nan(x) AS isnan(x);
CREATE MACRO is_finite(x) AS isfinite(x);
CREATE MACRO is_infinite(x) AS isinf(x);
CREATE MACRO nan() AS CAST('nan' AS DOUBLE);
CREATE MACRO infinity() AS CAST('infinity' AS DOUBLE);
CREATE MACRO e() AS exp(1.0);
CREATE MACRO random() AS system.main.random(),
  (n) AS CAST(floor(system.main.random() * n) AS BIGINT), (a, b) AS a + CAST(floor(system.main.random() * (b - a)) AS BIGINT);
CREATE MACRO rand() AS system.main.random(),
  (n) AS CAST(floor(system.main.random() * n) AS BIGINT), (a, b) AS a + CAST(floor(system.main.random() * (b - a)) AS BIGINT);
CREATE MACRO bitwise_and(a, b) AS a & b;
CREATE MACRO bitwise_or(a, b) AS a | b;
CREATE MACRO bitwise_xor(a, b) AS xor(a, b);
CREATE MACRO bitwise_not(a) AS ~a;
CREATE MACRO width_bucket(x, lo, hi, n) AS CASE WHEN x < lo THEN 0 WHEN x >= hi THEN n + 1
  ELSE CAST(floor((CAST(x AS DOUBLE) - lo) * n / (CAST(hi AS DOUBLE) - lo)) AS BIGINT) + 1 END;
