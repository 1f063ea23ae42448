-- EXPLAIN ANALYZE
explain analyze select 1
-- 2 statements
select 1; select 2
-- 0 statements
;
-- not a query
copy (select 1) to '/tmp/x'
copy t to '/tmp/x'
copy t from '/tmp/x'
attach '/tmp/x.db'
detach memory
insert into t values (1)
update t set a = 1
delete from t
merge into t using u on t.a = u.a when matched then delete
create table x as select 1
create or replace temp view t as select 1
create macro m() as 1
create secret s (type s3)
create type e as enum ('x')
create schema s
drop view t
alter table t rename to x
truncate t
set memory_limit = '100GB'
set variable x = 1
reset memory_limit
pragma enable_profiling
pragma database_size
call enable_logging()
install httpfs
load httpfs
force install x
export database '/tmp/x'
import database '/tmp/x'
checkpoint
vacuum
analyze
begin
commit
use memory
prepare p as select 1
execute p
deallocate p
explain copy (select 1) to '/tmp/x'
explain explain select 1
comment on table t is 'x'
update extensions
pivot t on a using sum(b)
pivot t on a in (select 1) using sum(b)
from (pivot t on a using sum(b))
-- read_text
select read_text('/etc/passwd')
-- reads files
select * from read_text('/etc/passwd')
from read_blob('x')
from read_csv('/etc/passwd', header = false)
from read_csv_auto('x')
from read_parquet(['a', 'b'], filename = true)
from parquet_scan('x')
from parquet_metadata('x')
from parquet_schema('x')
from read_json('x')
from read_json_objects('x')
from read_ndjson_auto('x')
from glob('/**')
from sniff_csv('x')
with x as (select * from (select * from glob('/*'))) from x
select * from t where exists (from read_text('x'))
select (select content from read_text('x'))
select [x for x in (select list(file) from glob('*'))]
-- runs or shows other SQL
from query('select 1')
from query_table('t')
from query_table(['t', 'u'])
from json_execute_serialized_sql('{}')
select json_serialize_plan('from read_text(''x'')')
select json_deserialize_sql('{}')
select current_query()
-- writes, or changes
from enable_logging(storage = 'file', storage_path = '/x')
from checkpoint()
from disable_logging()
from enable_profiling()
select write_log('x')
select nextval('s')
select setseed(0.5)
select sleep_ms(1000)
select pg_sleep(1)
-- tells of the installation
from duckdb_settings()
from duckdb_views()
from duckdb_secrets()
from duckdb_extensions()
from duckdb_temporary_files()
from pragma_database_size()
from pragma_version()
select current_setting('temp_directory')
select getvariable('x')
select version()
select current_database()
select stats(a) from t
-- not among those
select getenv('HOME')
select no_such_function(1)
select pingmill_hidden('x')
select list_transform([1], x -> getenv('HOME'))
select sum(a) filter (where getenv('X')) from t
select rank() over (order by getenv('X')) from t
select count(*) from t group by getenv('X')
select * replace (getenv('X') as a) from t
select columns(c -> getenv(c) is null) from t
select * from t order by getenv('X')
select * from t limit getenv('X')::int
select * from t join u on getenv('X') = 'x'
select * from unnest([getenv('X')])
select distinct on (getenv('X')) a from t
select case when true then 1 else getenv('X') end
select 1 union select getenv('X')
select a between 1 and getenv('X') from t
select getenv('X')::int
select getenv('X') collate nocase
values (1), (getenv('X'))
select lag(1, getenv('X')) over ()
select sum(1) over (order by a rows between getenv('X') preceding and current row) from t
from t pivot (sum(getenv('X')) for a in (1))
with recursive r as (select 1 union all select getenv('X') from r) from r
select ('HOME').getenv()
describe select getenv('X')
summarize select getenv('X')
-- makes a table
select json_each('{}')
-- reading
from '/etc/passwd'
from 'x.parquet'
from "x.csv"
from 't.json'
from "s3://bucket/x"
from "a.b"
from "t "".parquet"
describe 'x.parquet'
summarize 'x.parquet'
describe from 'x.parquet'
pivot 'x.parquet' on a in (1) using sum(b)
unpivot 'x.csv' on a, b into name n value v
with recursive r as (from 'x.csv' union all from r) from r
from t semi join 'x.csv' using (a)
from t, lateral (from 'x.csv')
select a in (from 'x.csv') from t
table 'x.csv'
-- catalog or schema
from main.t
from memory.main.t
from hive.t
from information_schema.tables
from pg_catalog.pg_class
from system.information_schema.columns
from temp.pingmill_result
from recurring.t
-- SHOW TABLES and DESCRIBE
from duckdb_tables
from sqlite_master
from pg_class
from pragma_database_list
show databases
show all tables
show variables
show tables from main
-- there is no table
from x
from pingmill_result
from t where a in (from x)
with a as (from b), b as (select 1) from a
with x as (from x) from x
select (with x as (select 1) from x), (from x)
select * from (with x as (select 1) from x) y, x
-- a table of WITH
with "/etc/passwd" as (select 1) from "/etc/passwd"
with "x.parquet" as (select 1) select 1
with duckdb_settings as (select 1) from duckdb_settings
-- the type
select a::secret from t
select a::foo.bar from t
select a::aggregate_state from t
-- schema of the function
select temp.main.sum(a) from t
select foo.sum(a) from t
select pg_catalog.sum(a) from t
-- the collation
select a collate icu_noaccent from t
-- a parameter
select ?
select $x
-- DEFAULT
select default
-- AT
from t at (version => 1)
-- EXPORT_STATE
select sum(a) export_state from t
-- a series
select range(10000001)
select generate_series(1, 1000000000000)
from range(0, 2000000000, 1)
from generate_series(1, 2000000000)
