-- The system tables of PostgreSQL that tools ask about, as far as there is anything to say: of the tables that a person was granted.
-- Before questions are asked, rows are added for those. What PostgreSQL has and is not here (indexes, keys, functions, …) is empty.
CREATE SCHEMA pgc;
CREATE SCHEMA pgi;
CREATE TABLE pgc.pg_namespace(oid BIGINT, nspname VARCHAR, nspowner BIGINT DEFAULT 10, nspacl VARCHAR[]);
INSERT INTO pgc.pg_namespace (oid, nspname) VALUES (11, 'pg_catalog'), (2200, 'default'), (13000, 'information_schema');
CREATE TABLE pgc.pg_class(oid BIGINT, relname VARCHAR, relnamespace BIGINT DEFAULT 2200, reltype BIGINT DEFAULT 0, reloftype BIGINT DEFAULT 0,
  relowner BIGINT DEFAULT 10, relam BIGINT DEFAULT 2, relfilenode BIGINT DEFAULT 0, reltablespace BIGINT DEFAULT 0, relpages INTEGER DEFAULT 0,
  reltuples REAL DEFAULT -1, relallvisible INTEGER DEFAULT 0, reltoastrelid BIGINT DEFAULT 0, relhasindex BOOLEAN DEFAULT false,
  relisshared BOOLEAN DEFAULT false, relpersistence VARCHAR DEFAULT 'p', relkind VARCHAR DEFAULT 'r', relnatts SMALLINT, relchecks SMALLINT DEFAULT 0,
  relhasrules BOOLEAN DEFAULT false, relhastriggers BOOLEAN DEFAULT false, relhassubclass BOOLEAN DEFAULT false, relhasoids BOOLEAN DEFAULT false,
  relrowsecurity BOOLEAN DEFAULT false, relforcerowsecurity BOOLEAN DEFAULT false, relispopulated BOOLEAN DEFAULT true, relreplident VARCHAR DEFAULT 'n',
  relispartition BOOLEAN DEFAULT false, relrewrite BIGINT DEFAULT 0, relfrozenxid BIGINT DEFAULT 0, relminmxid BIGINT DEFAULT 0, relacl VARCHAR[],
  reloptions VARCHAR[], relpartbound VARCHAR);
CREATE TABLE pgc.pg_attribute(attrelid BIGINT, attname VARCHAR, atttypid BIGINT, attstattarget INTEGER DEFAULT -1, attlen SMALLINT, attnum SMALLINT,
  attndims INTEGER DEFAULT 0, attcacheoff INTEGER DEFAULT -1, atttypmod INTEGER DEFAULT -1, attbyval BOOLEAN DEFAULT false, attalign VARCHAR DEFAULT 'i',
  attstorage VARCHAR DEFAULT 'x', attcompression VARCHAR DEFAULT '', attnotnull BOOLEAN DEFAULT false, atthasdef BOOLEAN DEFAULT false,
  atthasmissing BOOLEAN DEFAULT false, attidentity VARCHAR DEFAULT '', attgenerated VARCHAR DEFAULT '', attisdropped BOOLEAN DEFAULT false,
  attislocal BOOLEAN DEFAULT true, attinhcount INTEGER DEFAULT 0, attcollation BIGINT DEFAULT 0, attacl VARCHAR[], attoptions VARCHAR[],
  attfdwoptions VARCHAR[], attmissingval VARCHAR);
CREATE TABLE pgc.pg_type(oid BIGINT, typname VARCHAR, typlen SMALLINT, typcategory VARCHAR, shown VARCHAR, typarray BIGINT DEFAULT 0, typnamespace BIGINT DEFAULT 11,
  typowner BIGINT DEFAULT 10, typbyval BOOLEAN DEFAULT false, typtype VARCHAR DEFAULT 'b', typispreferred BOOLEAN DEFAULT false,
  typisdefined BOOLEAN DEFAULT true, typdelim VARCHAR DEFAULT ',', typrelid BIGINT DEFAULT 0, typelem BIGINT DEFAULT 0, typsubscript VARCHAR DEFAULT '-',
  typinput VARCHAR DEFAULT '-', typoutput VARCHAR DEFAULT '-', typreceive VARCHAR DEFAULT '-', typsend VARCHAR DEFAULT '-', typmodin VARCHAR DEFAULT '-',
  typmodout VARCHAR DEFAULT '-', typanalyze VARCHAR DEFAULT '-', typalign VARCHAR DEFAULT 'i', typstorage VARCHAR DEFAULT 'x', typnotnull BOOLEAN DEFAULT false,
  typbasetype BIGINT DEFAULT 0, typtypmod INTEGER DEFAULT -1, typndims INTEGER DEFAULT 0, typcollation BIGINT DEFAULT 0, typdefaultbin VARCHAR,
  typdefault VARCHAR, typacl VARCHAR[]);
INSERT INTO pgc.pg_type (oid, typname, typlen, typcategory, shown, typarray) VALUES
  (16, 'bool', 1, 'B', 'boolean', 1000), (17, 'bytea', -1, 'U', 'bytea', 1001), (18, 'char', 1, 'S', '"char"', 1002), (19, 'name', 64, 'S', 'name', 1003),
  (20, 'int8', 8, 'N', 'bigint', 1016), (21, 'int2', 2, 'N', 'smallint', 1005), (23, 'int4', 4, 'N', 'integer', 1007), (25, 'text', -1, 'S', 'text', 1009),
  (26, 'oid', 4, 'N', 'oid', 1028), (114, 'json', -1, 'U', 'json', 199), (700, 'float4', 4, 'N', 'real', 1021), (701, 'float8', 8, 'N', 'double precision', 1022),
  (1043, 'varchar', -1, 'S', 'character varying', 1015), (1082, 'date', 4, 'D', 'date', 1182), (1083, 'time', 8, 'D', 'time without time zone', 1183),
  (1114, 'timestamp', 8, 'D', 'timestamp without time zone', 1115), (1184, 'timestamptz', 8, 'D', 'timestamp with time zone', 1185),
  (1186, 'interval', 16, 'T', 'interval', 1187), (1700, 'numeric', -1, 'N', 'numeric', 1231), (2950, 'uuid', 16, 'U', 'uuid', 2951), (3802, 'jsonb', -1, 'U', 'jsonb', 3807);
INSERT INTO pgc.pg_type (oid, typname, typlen, typcategory, shown, typelem) SELECT typarray, '_' || typname, -1, 'A', shown || '[]', oid FROM pgc.pg_type;
CREATE TABLE pgc.pg_roles(oid BIGINT, rolname VARCHAR, rolsuper BOOLEAN DEFAULT false, rolinherit BOOLEAN DEFAULT true, rolcreaterole BOOLEAN DEFAULT false,
  rolcreatedb BOOLEAN DEFAULT false, rolcanlogin BOOLEAN DEFAULT true, rolreplication BOOLEAN DEFAULT false, rolconnlimit INTEGER DEFAULT -1,
  rolpassword VARCHAR, rolvaliduntil TIMESTAMP, rolbypassrls BOOLEAN DEFAULT false, rolconfig VARCHAR[]);
CREATE TABLE pgc.pg_user(usename VARCHAR, usesysid BIGINT, usecreatedb BOOLEAN, usesuper BOOLEAN);
CREATE TABLE pgc.pg_authid(oid BIGINT, rolname VARCHAR);
CREATE TABLE pgc.pg_auth_members(roleid BIGINT, member BIGINT, grantor BIGINT, admin_option BOOLEAN);
CREATE TABLE pgc.pg_group(groname VARCHAR, grosysid BIGINT, grolist BIGINT[]);
CREATE TABLE pgc.pg_settings(name VARCHAR, setting VARCHAR, unit VARCHAR, category VARCHAR, short_desc VARCHAR, context VARCHAR, vartype VARCHAR, source VARCHAR,
  min_val VARCHAR, max_val VARCHAR, enumvals VARCHAR[], boot_val VARCHAR, reset_val VARCHAR, extra_desc VARCHAR);
CREATE TABLE pgc.pg_description(objoid BIGINT, classoid BIGINT, objsubid INTEGER, description VARCHAR);
CREATE TABLE pgc.pg_shdescription(objoid BIGINT, classoid BIGINT, description VARCHAR);
CREATE TABLE pgc.pg_database(oid BIGINT, datname VARCHAR, datdba BIGINT DEFAULT 10, encoding INTEGER DEFAULT 6, datcollate VARCHAR DEFAULT 'C', datctype VARCHAR DEFAULT 'C',
  datistemplate BOOLEAN DEFAULT false, datallowconn BOOLEAN DEFAULT true, datconnlimit INTEGER DEFAULT -1, datlastsysoid BIGINT DEFAULT 0, datfrozenxid BIGINT DEFAULT 0,
  datminmxid BIGINT DEFAULT 0, dattablespace BIGINT DEFAULT 1663, datacl VARCHAR[], daticulocale VARCHAR, datlocprovider VARCHAR DEFAULT 'c');
INSERT INTO pgc.pg_database (oid, datname) VALUES (1, 'hive');
CREATE TABLE pgc.pg_am(oid BIGINT, amname VARCHAR, amhandler VARCHAR, amtype VARCHAR);
INSERT INTO pgc.pg_am VALUES (2, 'heap', 'heap_tableam_handler', 't');
CREATE TABLE pgc.pg_tablespace(oid BIGINT, spcname VARCHAR, spcowner BIGINT, spcacl VARCHAR[], spcoptions VARCHAR[]);
INSERT INTO pgc.pg_tablespace VALUES (1663, 'pg_default', 10, NULL, NULL);
CREATE TABLE pgc.pg_index(indexrelid BIGINT, indrelid BIGINT, indnatts SMALLINT, indnkeyatts SMALLINT, indisunique BOOLEAN, indisprimary BOOLEAN, indisexclusion BOOLEAN,
  indimmediate BOOLEAN, indisclustered BOOLEAN, indisvalid BOOLEAN, indcheckxmin BOOLEAN, indisready BOOLEAN, indislive BOOLEAN, indisreplident BOOLEAN, indkey SMALLINT[],
  indcollation BIGINT[], indclass BIGINT[], indoption SMALLINT[], indexprs VARCHAR, indpred VARCHAR);
CREATE TABLE pgc.pg_constraint(oid BIGINT, conname VARCHAR, connamespace BIGINT, contype VARCHAR, condeferrable BOOLEAN, condeferred BOOLEAN, convalidated BOOLEAN, conrelid BIGINT,
  contypid BIGINT, conindid BIGINT, conparentid BIGINT, confrelid BIGINT, confupdtype VARCHAR, confdeltype VARCHAR, confmatchtype VARCHAR, conislocal BOOLEAN, coninhcount INTEGER,
  connoinherit BOOLEAN, conkey SMALLINT[], confkey SMALLINT[], conpfeqop BIGINT[], conppeqop BIGINT[], conffeqop BIGINT[], conexclop BIGINT[], conbin VARCHAR, consrc VARCHAR);
CREATE TABLE pgc.pg_attrdef(oid BIGINT, adrelid BIGINT, adnum SMALLINT, adbin VARCHAR, adsrc VARCHAR);
CREATE TABLE pgc.pg_inherits(inhrelid BIGINT, inhparent BIGINT, inhseqno INTEGER, inhdetachpending BOOLEAN);
CREATE TABLE pgc.pg_partitioned_table(partrelid BIGINT, partstrat VARCHAR, partnatts SMALLINT, partdefid BIGINT, partattrs SMALLINT[], partclass BIGINT[], partcollation BIGINT[], partexprs VARCHAR);
CREATE TABLE pgc.pg_collation(oid BIGINT, collname VARCHAR, collnamespace BIGINT, collowner BIGINT, collencoding INTEGER, collcollate VARCHAR, collctype VARCHAR);
CREATE TABLE pgc.pg_proc(oid BIGINT, proname VARCHAR, pronamespace BIGINT, proowner BIGINT, prolang BIGINT, procost REAL, prorows REAL, provariadic BIGINT, prokind VARCHAR, prosecdef BOOLEAN,
  proleakproof BOOLEAN, proisstrict BOOLEAN, proretset BOOLEAN, provolatile VARCHAR, proparallel VARCHAR, pronargs SMALLINT, pronargdefaults SMALLINT, prorettype BIGINT, proargtypes BIGINT[],
  proallargtypes BIGINT[], proargmodes VARCHAR[], proargnames VARCHAR[], proargdefaults VARCHAR, prosrc VARCHAR, probin VARCHAR, proconfig VARCHAR[], proacl VARCHAR[], proisagg BOOLEAN);
CREATE TABLE pgc.pg_aggregate(aggfnoid BIGINT, aggkind VARCHAR);
CREATE TABLE pgc.pg_language(oid BIGINT, lanname VARCHAR, lanowner BIGINT, lanpltrusted BOOLEAN);
CREATE TABLE pgc.pg_operator(oid BIGINT, oprname VARCHAR, oprnamespace BIGINT, oprleft BIGINT, oprright BIGINT, oprresult BIGINT, oprcode BIGINT, oprkind VARCHAR);
CREATE TABLE pgc.pg_opclass(oid BIGINT, opcname VARCHAR, opcmethod BIGINT, opcnamespace BIGINT, opcintype BIGINT, opcdefault BOOLEAN, opckeytype BIGINT);
CREATE TABLE pgc.pg_cast(oid BIGINT, castsource BIGINT, casttarget BIGINT, castfunc BIGINT, castcontext VARCHAR, castmethod VARCHAR);
CREATE TABLE pgc.pg_enum(oid BIGINT, enumtypid BIGINT, enumsortorder REAL, enumlabel VARCHAR);
CREATE TABLE pgc.pg_range(rngtypid BIGINT, rngsubtype BIGINT, rngcollation BIGINT, rngsubopc BIGINT, rngmultitypid BIGINT);
CREATE TABLE pgc.pg_depend(classid BIGINT, objid BIGINT, objsubid INTEGER, refclassid BIGINT, refobjid BIGINT, refobjsubid INTEGER, deptype VARCHAR);
CREATE TABLE pgc.pg_trigger(oid BIGINT, tgrelid BIGINT, tgparentid BIGINT, tgname VARCHAR, tgfoid BIGINT, tgtype SMALLINT, tgenabled VARCHAR, tgisinternal BOOLEAN, tgconstraint BIGINT,
  tgconstrrelid BIGINT, tgdeferrable BOOLEAN, tginitdeferred BOOLEAN, tgnargs SMALLINT, tgattr SMALLINT[], tgargs VARCHAR, tgqual VARCHAR);
CREATE TABLE pgc.pg_rewrite(oid BIGINT, rulename VARCHAR, ev_class BIGINT, ev_type VARCHAR, ev_enabled VARCHAR, is_instead BOOLEAN);
CREATE TABLE pgc.pg_policy(oid BIGINT, polname VARCHAR, polrelid BIGINT, polcmd VARCHAR, polpermissive BOOLEAN, polroles BIGINT[], polqual VARCHAR, polwithcheck VARCHAR);
CREATE TABLE pgc.pg_statistic_ext(oid BIGINT, stxrelid BIGINT, stxname VARCHAR, stxnamespace BIGINT, stxowner BIGINT, stxstattarget INTEGER, stxkeys SMALLINT[], stxkind VARCHAR[], stxexprs VARCHAR);
CREATE TABLE pgc.pg_publication(oid BIGINT, pubname VARCHAR, pubowner BIGINT, puballtables BOOLEAN, pubinsert BOOLEAN, pubupdate BOOLEAN, pubdelete BOOLEAN, pubtruncate BOOLEAN, pubviaroot BOOLEAN);
CREATE TABLE pgc.pg_publication_rel(oid BIGINT, prpubid BIGINT, prrelid BIGINT);
CREATE TABLE pgc.pg_subscription(oid BIGINT, subname VARCHAR);
CREATE TABLE pgc.pg_foreign_table(ftrelid BIGINT, ftserver BIGINT, ftoptions VARCHAR[]);
CREATE TABLE pgc.pg_foreign_server(oid BIGINT, srvname VARCHAR, srvowner BIGINT, srvfdw BIGINT, srvtype VARCHAR, srvversion VARCHAR, srvacl VARCHAR[], srvoptions VARCHAR[]);
CREATE TABLE pgc.pg_foreign_data_wrapper(oid BIGINT, fdwname VARCHAR);
CREATE TABLE pgc.pg_extension(oid BIGINT, extname VARCHAR, extowner BIGINT, extnamespace BIGINT, extrelocatable BOOLEAN, extversion VARCHAR, extconfig BIGINT[], extcondition VARCHAR[]);
CREATE TABLE pgc.pg_available_extensions(name VARCHAR, default_version VARCHAR, installed_version VARCHAR, comment VARCHAR);
CREATE TABLE pgc.pg_event_trigger(oid BIGINT, evtname VARCHAR, evtevent VARCHAR, evtowner BIGINT, evtfoid BIGINT, evtenabled VARCHAR, evttags VARCHAR[]);
CREATE TABLE pgc.pg_sequence(seqrelid BIGINT, seqtypid BIGINT, seqstart BIGINT, seqincrement BIGINT, seqmax BIGINT, seqmin BIGINT, seqcache BIGINT, seqcycle BOOLEAN);
CREATE TABLE pgc.pg_sequences(schemaname VARCHAR, sequencename VARCHAR);
CREATE TABLE pgc.pg_views(schemaname VARCHAR, viewname VARCHAR, viewowner VARCHAR, definition VARCHAR);
CREATE TABLE pgc.pg_matviews(schemaname VARCHAR, matviewname VARCHAR, matviewowner VARCHAR, definition VARCHAR);
CREATE TABLE pgc.pg_indexes(schemaname VARCHAR, tablename VARCHAR, indexname VARCHAR, tablespace VARCHAR, indexdef VARCHAR);
CREATE TABLE pgc.pg_rules(schemaname VARCHAR, tablename VARCHAR, rulename VARCHAR, definition VARCHAR);
CREATE TABLE pgc.pg_locks(locktype VARCHAR, database BIGINT, relation BIGINT, pid INTEGER, mode VARCHAR, granted BOOLEAN);
CREATE TABLE pgc.pg_stat_activity(datid BIGINT, datname VARCHAR, pid INTEGER, usename VARCHAR, state VARCHAR, query VARCHAR);
CREATE TABLE pgc.pg_stat_user_tables(relid BIGINT, schemaname VARCHAR, relname VARCHAR, n_live_tup BIGINT);
CREATE TABLE pgc.pg_ts_config(oid BIGINT, cfgname VARCHAR, cfgnamespace BIGINT);
CREATE VIEW pgc.pg_tables AS SELECT 'default' AS schemaname, relname AS tablename, 'pingmill' AS tableowner, CAST(NULL AS VARCHAR) AS tablespace, false AS hasindexes,
  false AS hasrules, false AS hastriggers, false AS rowsecurity FROM pgc.pg_class;
CREATE MACRO pgc.regclass_of(name) AS (SELECT max(oid) FROM (SELECT oid, relname FROM pgc.pg_class UNION ALL VALUES (1259, 'pg_class'), (2615, 'pg_namespace'), (1247, 'pg_type'),
  (1255, 'pg_proc'), (2606, 'pg_constraint'), (1262, 'pg_database'), (2604, 'pg_attrdef')) WHERE relname = split_part(replace(name, '"', ''), '.', -1));
CREATE MACRO pgc.to_regclass(name) AS pgc.regclass_of(name);
CREATE MACRO pgc.version() AS 'PostgreSQL 13.0 as pingmill speaks it, with queries in Presto''s SQL';
CREATE MACRO pgc.current_database() AS 'hive';
CREATE MACRO pgc.current_schema() AS 'default';
CREATE MACRO pgc.current_schemas(b) AS CASE WHEN b THEN ['pg_catalog', 'default'] ELSE ['default'] END;
CREATE MACRO pgc.current_setting(n) AS (SELECT max(setting) FROM pgc.pg_settings WHERE name = lower(n)), (n, missing) AS (SELECT max(setting) FROM pgc.pg_settings WHERE name = lower(n));
CREATE MACRO pgc.set_config(n, v, l) AS v;
CREATE MACRO pgc.format_type(o, m) AS (SELECT max(shown_text) || CASE WHEN o = 1700 AND m >= 4 THEN '(' || ((m - 4) >> 16) || ',' || ((m - 4) & 65535) || ')' ELSE '' END FROM (SELECT oid AS shown_oid, shown AS shown_text FROM pgc.pg_type) AS shown_types WHERE shown_oid = o);
CREATE MACRO pgc.pg_get_userbyid(o) AS 'pingmill';
CREATE MACRO pgc.pg_table_is_visible(o) AS true;
CREATE MACRO pgc.pg_type_is_visible(o) AS true;
CREATE MACRO pgc.pg_function_is_visible(o) AS true;
CREATE MACRO pgc.pg_statistics_obj_is_visible(o) AS true;
CREATE MACRO pgc.pg_get_expr(e, r) AS CAST(NULL AS VARCHAR), (e, r, p) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_constraintdef(o) AS CAST(NULL AS VARCHAR), (o, p) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_indexdef(o) AS CAST(NULL AS VARCHAR), (o, c, p) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_viewdef(o) AS CAST(NULL AS VARCHAR), (o, p) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_ruledef(o) AS CAST(NULL AS VARCHAR), (o, p) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_triggerdef(o) AS CAST(NULL AS VARCHAR), (o, p) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_partkeydef(o) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_functiondef(o) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_function_result(o) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_function_arguments(o) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_function_identity_arguments(o) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_get_serial_sequence(t, c) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_encoding_to_char(n) AS 'UTF8';
CREATE MACRO pgc.pg_tablespace_location(o) AS '';
CREATE MACRO pgc.pg_relation_size(o) AS CAST(0 AS BIGINT), (o, f) AS CAST(0 AS BIGINT);
CREATE MACRO pgc.pg_table_size(o) AS CAST(0 AS BIGINT);
CREATE MACRO pgc.pg_total_relation_size(o) AS CAST(0 AS BIGINT);
CREATE MACRO pgc.pg_database_size(o) AS CAST(0 AS BIGINT);
CREATE MACRO pgc.json_build_object(a, b, c, d, e, f, g, h, i, j, k, l, m, n) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.pg_size_pretty(n) AS '' || n || ' bytes';
CREATE MACRO pgc.pg_is_in_recovery() AS false;
CREATE MACRO pgc.pg_is_other_temp_schema(o) AS false;
CREATE MACRO pgc.pg_my_temp_schema() AS CAST(0 AS BIGINT);
CREATE MACRO pgc.pg_backend_pid() AS 1;
CREATE MACRO pgc.pg_relation_is_publishable(o) AS false;
CREATE MACRO pgc.pg_has_role(r, p) AS true, (u, r, p) AS true;
CREATE MACRO pgc.pg_column_is_updatable(o, n, b) AS false;
CREATE MACRO pgc.obj_description(o) AS (SELECT max(description) FROM pgc.pg_description WHERE objoid = o AND objsubid = 0), (o, c) AS (SELECT max(description) FROM pgc.pg_description WHERE objoid = o AND objsubid = 0);
CREATE MACRO pgc.col_description(o, n) AS (SELECT max(description) FROM pgc.pg_description WHERE objoid = o AND objsubid = n);
CREATE MACRO pgc.shobj_description(o, c) AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.has_table_privilege(t, p) AS upper(p) LIKE 'SELECT%', (u, t, p) AS upper(p) LIKE 'SELECT%';
CREATE MACRO pgc.has_column_privilege(t, c, p) AS upper(p) LIKE 'SELECT%', (u, t, c, p) AS upper(p) LIKE 'SELECT%';
CREATE MACRO pgc.has_any_column_privilege(t, p) AS upper(p) LIKE 'SELECT%', (u, t, p) AS upper(p) LIKE 'SELECT%';
CREATE MACRO pgc.has_schema_privilege(s, p) AS upper(p) LIKE 'USAGE%', (u, s, p) AS upper(p) LIKE 'USAGE%';
CREATE MACRO pgc.has_database_privilege(d, p) AS upper(p) LIKE 'CONNECT%', (u, d, p) AS upper(p) LIKE 'CONNECT%';
CREATE MACRO pgc.has_sequence_privilege(s, p) AS false, (u, s, p) AS false;
CREATE MACRO pgc.has_function_privilege(f, p) AS false, (u, f, p) AS false;
CREATE MACRO pgc.quote_ident(s) AS CASE WHEN regexp_full_match(s, '[a-z_][a-z0-9_]*') THEN s ELSE '"' || replace(s, '"', '""') || '"' END;
CREATE MACRO pgc.inet_server_addr() AS CAST(NULL AS VARCHAR);
CREATE MACRO pgc.inet_server_port() AS CAST(NULL AS INTEGER);
CREATE MACRO pgc.txid_current() AS CAST(1 AS BIGINT);
CREATE MACRO pgc.array_upper(a, n) AS len(a);
CREATE MACRO pgc.array_lower(a, n) AS 1;
CREATE MACRO pgc.pg_get_keywords() AS TABLE SELECT 'select' AS word, 'R' AS catcode, 'reserved' AS catdesc;
CREATE MACRO pgi._pg_expandarray(a) AS {'x': unnest(a), 'n': 1};
CREATE VIEW pgi.schemata AS SELECT 'hive' AS catalog_name, nspname AS schema_name, 'pingmill' AS schema_owner FROM pgc.pg_namespace;
CREATE VIEW pgi.tables AS SELECT 'hive' AS table_catalog, 'default' AS table_schema, relname AS table_name, 'BASE TABLE' AS table_type, 'NO' AS is_insertable_into, 'NO' AS is_typed FROM pgc.pg_class;
CREATE VIEW pgi.columns AS SELECT 'hive' AS table_catalog, 'default' AS table_schema, relname AS table_name, attname AS column_name, CAST(attnum AS INTEGER) AS ordinal_position,
  CAST(NULL AS VARCHAR) AS column_default, 'YES' AS is_nullable, shown AS data_type, CAST(NULL AS INTEGER) AS character_maximum_length,
  CASE typname WHEN 'int2' THEN 16 WHEN 'int4' THEN 32 WHEN 'int8' THEN 64 WHEN 'float4' THEN 24 WHEN 'float8' THEN 53 WHEN 'numeric' THEN (atttypmod - 4) >> 16 END AS numeric_precision,
  CASE WHEN typname = 'numeric' THEN 10 WHEN typcategory = 'N' THEN 2 END AS numeric_precision_radix,
  CASE WHEN typname = 'numeric' THEN (atttypmod - 4) & 65535 WHEN typname LIKE 'int%' THEN 0 END AS numeric_scale, CASE WHEN typcategory = 'D' THEN 6 END AS datetime_precision,
  'hive' AS udt_catalog, 'pg_catalog' AS udt_schema, typname AS udt_name, 'NO' AS is_identity, 'NEVER' AS is_generated, 'NO' AS is_updatable
  FROM pgc.pg_attribute JOIN pgc.pg_class ON attrelid = pg_class.oid JOIN pgc.pg_type ON atttypid = pg_type.oid;
CREATE TABLE pgi.views(table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR, view_definition VARCHAR, is_updatable VARCHAR);
CREATE TABLE pgi.table_constraints(constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name VARCHAR, table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR, constraint_type VARCHAR);
CREATE TABLE pgi.key_column_usage(constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name VARCHAR, table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR, column_name VARCHAR,
  ordinal_position INTEGER, position_in_unique_constraint INTEGER);
CREATE TABLE pgi.constraint_column_usage(table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR, column_name VARCHAR, constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name VARCHAR);
CREATE TABLE pgi.referential_constraints(constraint_catalog VARCHAR, constraint_schema VARCHAR, constraint_name VARCHAR, unique_constraint_schema VARCHAR, unique_constraint_name VARCHAR);
CREATE TABLE pgi.routines(specific_schema VARCHAR, specific_name VARCHAR, routine_schema VARCHAR, routine_name VARCHAR, routine_type VARCHAR, data_type VARCHAR);
CREATE TABLE pgi.parameters(specific_schema VARCHAR, specific_name VARCHAR, ordinal_position INTEGER, parameter_mode VARCHAR, parameter_name VARCHAR, data_type VARCHAR);
CREATE TABLE pgi.triggers(trigger_schema VARCHAR, trigger_name VARCHAR, event_object_schema VARCHAR, event_object_table VARCHAR);
CREATE TABLE pgi.sequences(sequence_catalog VARCHAR, sequence_schema VARCHAR, sequence_name VARCHAR);
CREATE TABLE pgi.table_privileges(grantor VARCHAR, grantee VARCHAR, table_catalog VARCHAR, table_schema VARCHAR, table_name VARCHAR, privilege_type VARCHAR, is_grantable VARCHAR);
