-- Statements that a query must not get anything by, in DuckDB's dialect, one a line. A section begins with == and says what its
-- statements would do. {dir} is the installation by another name, {secret} a file in it that is not granted, {part} a file of the
-- granted table t, {other} one of the table that is not granted, {old} one of the table's earlier files, {link} a link to the
-- secret, {url} a server.
== writes a file
COPY (SELECT 1) TO '{dir}/written.csv'
COPY (SELECT 1) TO '{part}'
COPY (SELECT * FROM t) TO '{part}' (FORMAT parquet)
COPY t TO '{dir}/written.parquet' (FORMAT parquet)
COPY (SELECT 1 AS p, 2 AS x) TO '{dir}/written' (FORMAT parquet, PARTITION_BY (p))
COPY (SELECT 1) TO 'written.csv'
COPY (SELECT 1) TO '../../../../written.csv'
COPY (SELECT 1) TO '/proc/self/fd/3'
COPY (SELECT 1) TO '/dev/stdout'
COPY (SELECT 1) TO '/dev/stderr'
COPY (SELECT 1) TO '{secret}' (FORMAT csv)
COPY t FROM '{secret}'
COPY t FROM '{other}' (FORMAT parquet)
EXPORT DATABASE '{dir}/exported'
EXPORT DATABASE '{dir}/exported' (FORMAT parquet)
IMPORT DATABASE '{dir}'
EXPLAIN ANALYZE COPY (SELECT 1) TO '{dir}/written.csv'
EXPLAIN COPY (SELECT 1) TO '{dir}/written.csv'
EXPLAIN ANALYZE SELECT 1
PREPARE w AS COPY (SELECT 1) TO '{dir}/written.csv'
SELECT * FROM enable_logging(storage = 'file', storage_path = '{dir}/log')
CALL enable_logging('QueryLog', storage = 'file', storage_path = '{dir}/log')
CALL enable_logging(storage = 'file', storage_config = {'path': '{dir}/log'})
PRAGMA enable_profiling = 'json'
PRAGMA profiling_output = '{dir}/profile'
SET profiling_output = '{dir}/profile'
SET log_query_path = '{dir}/queries'
PRAGMA log_query_path = '{dir}/queries'
SELECT * FROM checkpoint()
FORCE CHECKPOINT
CHECKPOINT memory
VACUUM ANALYZE
INSERT INTO t SELECT * FROM t
UPDATE t SET n = 0
DELETE FROM t
TRUNCATE t
== opens another database
ATTACH '{dir}/new.db'
ATTACH '{dir}/new.db' AS x (READ_ONLY)
ATTACH '{secret}' AS s
ATTACH '{secret}' AS s (TYPE sqlite)
ATTACH ':memory:' AS m
ATTACH 'dbname=postgres' AS p (TYPE postgres)
ATTACH '{url}/x.db' AS h
ATTACH IF NOT EXISTS 'new.db'
DETACH memory
USE memory
SELECT * FROM sqlite_scan('{dir}/ledger.db', 'runs')
SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 'x')
SELECT * FROM mysql_scan('', '', 'x')
SELECT * FROM iceberg_scan('{dir}')
SELECT * FROM delta_scan('{dir}')
SELECT * FROM sqlite_attach('{dir}/ledger.db')
== loads a program
INSTALL httpfs
INSTALL httpfs FROM community
FORCE INSTALL json FROM '{dir}'
LOAD httpfs
LOAD '{secret}'
LOAD 'x.duckdb_extension'
UPDATE EXTENSIONS
SET allow_unsigned_extensions = true
SET custom_extension_repository = '{url}'
SET extension_directory = '{dir}'
SET autoload_known_extensions = true
SELECT * FROM duckdb_extensions()
== changes a setting
SET memory_limit = '100GB'
SET GLOBAL memory_limit = '100GB'
SET threads = 64
SET temp_directory = '{dir}/t'
SET enable_external_access = true
SET lock_configuration = false
SET allowed_directories = ['/']
SET allowed_paths = ['{secret}']
SET disabled_filesystems = ''
SET search_path = 'temp'
SET schema = 'temp'
SET VARIABLE x = (SELECT content FROM read_text('{secret}'))
SET file_search_path = '{dir}'
SET home_directory = '{dir}'
SET errors_as_json = false
SET enable_progress_bar_print = true
SET s3_endpoint = '{url}'
RESET memory_limit
RESET GLOBAL lock_configuration
RESET enable_external_access
PRAGMA memory_limit = '100GB'
PRAGMA enable_external_access = true
PRAGMA threads = 64
PRAGMA enable_object_cache
PRAGMA disable_optimizer
PRAGMA debug_checkpoint_abort = 'before_header'
SELECT set_config('memory_limit', '100GB', false)
SELECT setseed(0.5)
CALL disable_logging()
CALL pragma_version()
PRAGMA force_checkpoint
PRAGMA verify_external
PRAGMA enable_verification
== makes something that stays
CREATE TABLE x AS SELECT 1
CREATE OR REPLACE VIEW t AS SELECT * FROM read_parquet('{other}')
CREATE TEMP VIEW t AS SELECT 1
CREATE TEMP TABLE t AS SELECT 1
CREATE MACRO m() AS (SELECT content FROM read_text('{secret}'))
CREATE MACRO m() AS TABLE SELECT * FROM read_text('{secret}')
CREATE OR REPLACE MACRO sum(x) AS 1
CREATE SECRET s (TYPE s3, KEY_ID 'x', SECRET 'y')
CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')
DROP SECRET s
CREATE SEQUENCE q
CREATE SCHEMA s
CREATE TYPE mood AS ENUM (SELECT content FROM read_text('{secret}'))
CREATE INDEX i ON t (n)
DROP VIEW t
DROP MACRO TABLE pingmill_hidden
ALTER VIEW t RENAME TO u
COMMENT ON VIEW t IS 'x'
BEGIN TRANSACTION
COMMIT
ROLLBACK
== is more than one statement
SELECT 1; COPY (SELECT 1) TO '{dir}/written.csv'
SELECT 1;SELECT content FROM read_text('{secret}')
; ; SELECT content FROM read_text('{secret}')
SELECT 1; /* ; */ ATTACH '{dir}/new.db'
SELECT ';'; DROP VIEW t
SELECT $$ ; $$; SET threads = 1
BEGIN; COPY (SELECT 1) TO '{dir}/written.csv'; COMMIT
PREPARE p AS SELECT content FROM read_text('{secret}'); EXECUTE p
SELECT 1) TO '{dir}/written.csv'; --
SELECT 1 FROM t) AS x; COPY (SELECT 1
SELECT 1) AS result(c0); COPY (SELECT 2) TO '{dir}/written.csv' --
EXECUTE p
DEALLOCATE p
== reads a file
SELECT content FROM read_text('{secret}')
SELECT content FROM read_blob('{secret}')
SELECT * FROM read_csv('{secret}')
SELECT * FROM read_csv_auto('{secret}')
SELECT * FROM read_csv('{secret}', columns = {'a': 'VARCHAR'}, header = false, delim = '|')
SELECT * FROM read_json('{secret}')
SELECT * FROM read_json_auto('{secret}')
SELECT * FROM read_json_objects('{secret}')
SELECT * FROM read_ndjson('{secret}')
SELECT * FROM read_ndjson_auto('{secret}')
SELECT * FROM read_ndjson_objects('{secret}')
SELECT * FROM read_json_objects_auto('{secret}')
SELECT * FROM read_parquet('{other}')
SELECT * FROM read_parquet(['{part}', '{other}'])
SELECT * FROM read_parquet('{old}')
SELECT * FROM parquet_scan('{other}')
SELECT * FROM read_parquet('{dir}/lake/**/*.parquet', union_by_name = true)
SELECT * FROM read_parquet('{dir}/lake/*/*.parquet', hive_partitioning = true, filename = true)
SELECT * FROM parquet_metadata('{other}')
SELECT * FROM parquet_schema('{other}')
SELECT * FROM parquet_file_metadata('{other}')
SELECT * FROM parquet_kv_metadata('{other}')
SELECT * FROM parquet_bloom_probe('{other}', 'word', 'canary')
SELECT * FROM parquet_full_metadata('{other}')
SELECT * FROM sniff_csv('{secret}')
SELECT * FROM read_xlsx('{secret}')
SELECT * FROM st_read('{secret}')
SELECT * FROM read_avro('{secret}')
SELECT * FROM read_duckdb('{secret}')
SELECT * FROM seq_scan('t')
SELECT * FROM arrow_scan(1, 2, 3)
SELECT * FROM pandas_scan(1)
SELECT * FROM python_map_function(1)
SELECT * FROM read_text('{link}')
SELECT * FROM read_text('{dir}/*')
SELECT * FROM read_text('{dir}/lake/../secret.txt')
SELECT * FROM read_text('../../../../../../../..{secret}')
SELECT * FROM read_text('file://{secret}')
SELECT * FROM read_text('file:{secret}')
SELECT * FROM read_text('/proc/self/environ')
SELECT * FROM read_text('/proc/self/root{secret}')
SELECT * FROM read_text('/proc/1/environ')
SELECT * FROM read_text('/proc/self/maps')
SELECT * FROM read_text('/proc/self/cmdline')
SELECT * FROM read_blob('/proc/self/mem')
SELECT * FROM read_text('/proc/self/fd/0')
SELECT * FROM read_text('/dev/stdin')
SELECT * FROM read_text('/sys/kernel/vmcoreinfo')
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM read_text('~/.ssh/id_rsa')
SELECT * FROM read_text('{url}/x')
SELECT * FROM read_csv('{url}/x.csv')
SELECT * FROM read_parquet('s3://bucket/x.parquet')
SELECT * FROM read_parquet('https://127.0.0.1/x.parquet')
SELECT * FROM read_parquet('hf://datasets/x/y.parquet')
SELECT * FROM read_csv('gcs://bucket/x.csv')
SELECT * FROM glob('{dir}/**')
SELECT * FROM glob('/*')
SELECT * FROM glob('/proc/*/exe')
SELECT * FROM '{secret}'
SELECT * FROM '{other}'
SELECT * FROM "{other}"
SELECT * FROM '{dir}/lake/other/*.parquet'
SELECT * FROM '{url}/x.parquet'
SELECT * FROM 's3://bucket/x.csv'
FROM '{other}'
DESCRIBE '{other}'
SUMMARIZE '{other}'
DESCRIBE SELECT * FROM '{other}'
TABLE '{other}'
SELECT * FROM '/proc/self/environ.csv'
SELECT * FROM main."{other}"
SELECT * FROM system.main.read_text('{secret}')
SELECT * FROM "read_text"('{secret}')
SELECT * FROM READ_TEXT('{secret}')
SELECT count(*) FROM read_parquet('{other}')
SELECT * FROM COLUMNS('{secret}')
== reads a granted file without its view
SELECT * FROM read_parquet('{part}')
SELECT * FROM parquet_scan('{part}')
FROM '{part}'
SELECT * FROM "{part}"
SELECT * FROM parquet_metadata('{part}')
== runs SQL from a text
SELECT * FROM query('SELECT content FROM read_text(''{secret}'')')
SELECT * FROM query('FROM ' || chr(39) || '{other}' || chr(39))
SELECT * FROM query_table('{other}')
SELECT * FROM query_table(['t', '{other}'])
SELECT * FROM query_table('other')
SELECT json_execute_serialized_sql(json_serialize_sql('SELECT content FROM read_text(''{secret}'')'))
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''{secret}'')'))
PRAGMA json_execute_serialized_sql('{"statements":[]}')
SELECT json_deserialize_sql(json_serialize_sql('SELECT 1'))
SELECT json_serialize_plan('SELECT * FROM read_text(''{secret}'')')
SELECT * FROM sql_auto_complete('SELECT * FROM ''{dir}/')
SELECT * FROM from_substrait('x'::BLOB)
SELECT * FROM from_substrait_json('{}')
SELECT getvariable('x')
SELECT * FROM test_all_types()
SELECT * FROM repeat_row(1, 2, num_rows = 3)
SELECT * FROM summary((SELECT 1))
SELECT write_log('x')
SELECT parse_duckdb_log_message('x', 'y')
EXECUTE IMMEDIATE 'SELECT 1'
== tells of the machine or the installation
SELECT getenv('CANARY')
SELECT getenv('PATH')
SELECT current_setting('temp_directory')
SELECT current_setting('allowed_paths')
SELECT * FROM duckdb_settings()
SELECT * FROM duckdb_views()
SELECT sql FROM duckdb_views
SELECT * FROM duckdb_databases()
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_temporary_files()
SELECT * FROM duckdb_memory()
SELECT * FROM duckdb_logs()
SELECT * FROM duckdb_log_contexts()
SELECT * FROM duckdb_functions()
SELECT * FROM duckdb_variables()
SELECT * FROM duckdb_prepared_statements()
SELECT * FROM duckdb_external_file_cache()
SELECT * FROM duckdb_optimizers()
SELECT * FROM which_secret('s3://x', 's3')
SELECT * FROM pragma_database_size()
SELECT * FROM pragma_storage_info('t')
SELECT * FROM pragma_platform()
SELECT * FROM pragma_user_agent()
SELECT * FROM pragma_show('t')
SELECT * FROM pragma_table_info('other')
PRAGMA database_list
PRAGMA show_tables_expanded
SHOW DATABASES
SHOW ALL TABLES
SELECT * FROM information_schema.views
SELECT view_definition FROM information_schema.views
SELECT * FROM pg_catalog.pg_views
SELECT * FROM pg_views
SELECT definition FROM pg_catalog.pg_views
SELECT * FROM sqlite_master
SELECT sql FROM sqlite_schema
SELECT pg_get_viewdef(0)
SELECT current_query()
SELECT txid_current()
SELECT filename FROM t
SELECT t.filename FROM t
SELECT filename, * FROM t
SELECT file_row_number FROM t
SELECT file_index FROM t
SELECT rowid FROM t
SELECT * FROM t WHERE error(filename)
SELECT error(CAST(t AS varchar)) FROM other AS t
SELECT pingmill_hidden('client-forgotten')
SELECT client_id FROM t WHERE system.main.pingmill_hidden(client_id)
SELECT * FROM pingmill_result
SELECT * FROM temp.pingmill_result
== reads a table that is not granted
SELECT * FROM other
SELECT * FROM lake.other
SELECT * FROM memory.main.other
SELECT * FROM t, other
SELECT * FROM t NATURAL JOIN other
SELECT * FROM t WHERE n IN (SELECT n FROM other)
WITH t AS (SELECT * FROM other) SELECT * FROM t
WITH other AS (SELECT * FROM other) SELECT * FROM other
DESCRIBE other
SUMMARIZE other
SHOW other
SELECT (SELECT max(word) FROM other)
PIVOT other ON word
FROM other SELECT word
== hides the same elsewhere
WITH x AS (SELECT content FROM read_text('{secret}')) SELECT * FROM x
WITH RECURSIVE x AS (SELECT content FROM read_text('{secret}') UNION SELECT * FROM x) SELECT * FROM x
SELECT (SELECT content FROM read_text('{secret}'))
SELECT * FROM t WHERE EXISTS (FROM read_text('{secret}') WHERE content LIKE 'canary%')
SELECT CASE WHEN (SELECT content FROM read_text('{secret}')) LIKE 'c%' THEN 1 ELSE 2 END
SELECT list_transform([1], x -> (SELECT content FROM read_text('{secret}')))
SELECT list_reduce(['{secret}'], (a, b) -> (SELECT content FROM read_text(a)))
SELECT [f FOR f IN (SELECT list(file) FROM glob('{dir}/*'))]
SELECT * FROM t JOIN read_text('{secret}') r ON true
SELECT * FROM t, LATERAL (SELECT content FROM read_text('{secret}')) x
SELECT * FROM (VALUES ((SELECT content FROM read_text('{secret}'))))
VALUES ((SELECT content FROM read_text('{secret}')))
SELECT count(*) FILTER (WHERE (SELECT content FROM read_text('{secret}')) LIKE 'c%') FROM t
SELECT sum(n) OVER (ORDER BY (SELECT content FROM read_text('{secret}'))) FROM t
SELECT n FROM t ORDER BY (SELECT content FROM read_text('{secret}'))
SELECT n FROM t LIMIT (SELECT length(content) FROM read_text('{secret}'))
SELECT n FROM t GROUP BY n HAVING (SELECT content FROM read_text('{secret}')) LIKE 'c%'
SELECT n FROM t QUALIFY (SELECT content FROM read_text('{secret}')) LIKE 'c%'
SELECT 1 UNION ALL SELECT content FROM read_text('{secret}')
SELECT 1 EXCEPT SELECT content FROM read_text('{secret}')
(SELECT content FROM read_text('{secret}'))
SELECT * FROM t TABLESAMPLE (SELECT 1)
SELECT * EXCLUDE (n) REPLACE ((SELECT content FROM read_text('{secret}')) AS client_id) FROM t
SELECT COLUMNS(c -> c IN (SELECT file FROM glob('{dir}/*'))) FROM t
SELECT struct_pack(a := (SELECT content FROM read_text('{secret}')))
SELECT {'a': (SELECT content FROM read_text('{secret}'))}
SELECT MAP {'a': (SELECT content FROM read_text('{secret}'))}
SELECT unnest((SELECT list(content) FROM read_text('{secret}')))
SELECT max((SELECT content FROM read_text('{secret}')))
SELECT array_agg(content ORDER BY size) FROM read_text('{secret}')
SELECT * FROM unnest((SELECT list(content) FROM read_text('{secret}')))
SELECT * FROM range((SELECT length(content) FROM read_text('{secret}')))
SELECT * FROM generate_series(1, (SELECT size FROM read_text('{secret}')))
FROM t PIVOT (max((SELECT content FROM read_text('{secret}'))) FOR n IN (1))
FROM (SELECT * FROM read_text('{secret}')) UNPIVOT (v FOR k IN (content))
SELECT * FROM t ASOF JOIN (FROM read_text('{secret}')) r ON t.n > r.size
SELECT * FROM t POSITIONAL JOIN read_text('{secret}')
EXPLAIN SELECT content FROM read_text('{secret}')
EXPLAIN (FORMAT json) SELECT * FROM read_text('{secret}')
EXPLAIN ANALYZE SELECT content FROM read_text('{secret}')
DESCRIBE SELECT * FROM read_csv('{secret}')
SUMMARIZE SELECT * FROM read_text('{secret}')
SELECT/**/content/**/FROM/**/read_text/**/('{secret}')
SELECT content FROM read_text(E'{secret}')
SELECT content FROM read_text($${secret}$$)
SELECT content FROM read_text($x${secret}$x$)
SELECT content FROM read_text('{secret}'::VARCHAR)
SELECT content FROM read_text(concat('{dir}', '/secret.txt'))
SELECT content FROM read_text(['{secret}'])
SELECT content FROM rEaD_tExT ('{secret}')
SELECT content FROM "main"."read_text"('{secret}')
SELECT content FROM read_text (files := '{secret}')
SELECT content FROM /* x -- */ read_text('{secret}') -- '
SELECT content FROM read_text('{secret}')
SELECT content FROM read_text('{secret}')
SELECT content FROM read_​text('{secret}')
SELECT content FROM ｒead_text('{secret}')
SELECT content FROM read_text(＇{secret}＇)
SELECT ('{secret}').read_text()
SELECT t.* FROM t, query('FROM ''{other}''') t
SELECT x'00'; SELECT content FROM read_text('{secret}')
SELECT * FROM t WHERE n = ?
SELECT * FROM t WHERE n = $1
SELECT * FROM t AT (VERSION => 1)
SELECT finalize(sum(n) EXPORT_STATE) FROM t
SELECT n::other.x FROM t
SELECT CAST('{secret}' AS pointer)
SELECT 1 INTO other
MERGE INTO t USING other ON t.n = other.n WHEN MATCHED THEN DELETE
SELECT * FROM t FOR UPDATE
LOCK TABLE t
GRANT ALL ON t TO x
LISTEN x
DO $$ BEGIN END $$
== is a query like any other
SELECT 1 -- ; {n}; COPY (SELECT 1) TO '{dir}/written.csv'
SELECT * FROM t WHERE client_id = '' OR 1 = 1; --
SELECT 1; -- ; COPY (SELECT 1) TO '{dir}/written.csv'
SELECT '{secret}', 'COPY (SELECT 1) TO x', $$; ATTACH 'y'$$
WITH read_text AS (SELECT 1 AS a) SELECT a FROM read_text
SELECT client_id AS "SELECT * FROM other" FROM t AS other
EXPLAIN SELECT * FROM t WHERE day = '1'
DESCRIBE t
SUMMARIZE t
SHOW TABLES
