select t.*, * exclude (a), * replace (b+1 as b), * rename (c as d) from t
select columns(*), columns('a.*'), columns(c -> c like 'a%'), columns(lambda c: c like 'a%') from t
select *columns('a'), columns([x for x in (*) if x like 'a']) from t
select distinct on (a) b from t order by a desc nulls last limit 10% offset 3
select a from t limit (select 3)
select cast(a as varchar), try_cast(a as integer[]), a::struct(x int, y varchar), a::map(varchar,int), a::decimal(10,2), a::int[3], a::enum('x','y') from t
select a::timestamptz, a::timestamp_ns, a::json, a::uuid, a::hugeint, a::interval, a::time with time zone, a::double precision, a::varchar(3)[] from t
select date '2018-01-01', timestamp '2018-01-01 00:00:00', interval '1' day, interval 3 month, interval (a) day from t
select a collate nocase, a collate noaccent.nocase from t order by a collate nfc
select a between 1 and 2, a in (1,2), a not in (select 1), a = any (select 1), exists(select 1), a is distinct from 3, a and b or not c from t
select case when a then b else c end, case a when 1 then 2 end, coalesce(a,b), ifnull(a,b), nullif(a,b), try(a), if(a,b,c) from t
select a[1], a[1:2], a[1:2:3], a[2:], a[:2], a.b.c, a['x'], (a).b, [1,2], {'a': 1}, map {'a': 1}, array[1,2], row(1,2), struct_pack(a := 1) from t
select list_transform(a, x -> x+1), list_transform(a, (x,i) -> x+i), list_reduce(a, lambda x, y: x+y), [x+1 for x in a if x > 3] from t
select a like 'x', a not ilike 'x', a ilike 'x' escape '\', a similar to 'x', a ~ 'x', a glob 'x', a ^@ 'b' from t
select a || b, -a, a ** b, a // b, a & b, ~a, a @> b, a && b, @a, a!, a <-> b, a -> 'x', a ->> 'x' from t
select sum(a) filter (where b), count(distinct a), string_agg(a, ',' order by b desc), quantile_cont(a, 0.5), mode() within group (order by a) from t
select rank() over (partition by a order by b rows between 3 preceding and current row exclude ties), lag(a, 1, 0 ignore nulls) over w, sum(a) over (order by c range between interval 1 day preceding and unbounded following) from t window w as (order by b)
select a from t qualify row_number() over (partition by a) = 1
select a, grouping(a) from t group by grouping sets (rollup(a,b), cube(a), ()) having count(*) > 1
select a from t group by all order by all
select 1 union select 2 union all select 3 except select 4 intersect select 5
select 1 union by name select 2 as x order by 1 limit 3
from t, u select t.a
from t join u using (a) left join t x on x.a = u.a natural join u y cross join t z
select * from t asof join u on t.a >= u.a positional join t x semi join u y using (a) anti join u z using (b)
select * from t, lateral (select t.a) l(x) left join lateral (select 1) on true
select * from t tablesample reservoir(50 rows) repeatable (3)
select * from unnest([1,2]) with ordinality as x(v, i), generate_series(1,10,2) g(n), range(t.a), json_each('{}')
select unnest(a), unnest(a, recursive := true), generate_series(1, 10) from t
pivot t on a in ('x','y') using sum(b) group by c
select * from t pivot (sum(a) for b in (1,2) c in ('x') group by d)
unpivot t on a, b into name n value v
unpivot t on columns(* exclude x) into name n value v1, v2
select * from t unpivot include nulls (v for n in (a,b as 'x'))
with c as (select 1), d(x) as materialized (from c), e as not materialized (from d) select * from c, d, e
with recursive r(n) as (select 1 union all select n+1 from r where n < 10) select * from r
with t as (select 1) from t
with t as (from t) from t
with u as (from t), t as (from u) select (with x as (from t) select count(*) from x) from u
(with x as (select 1) select * from x) union all select * from t
describe t
summarize select a from t
show tables
select #1, current_date, now(), random() from t
values (1, 'a'), (2, null)
table t
select a: 1, b: 2
select system.main.list_value(1), main.sum(a) from T
explain select * from t
select "quoted name", "with ""quotes""" from t -- done
/* a */ explain /* b */ select 1; -- c; d
select range(10000000), generate_series(1, 20, 2)
