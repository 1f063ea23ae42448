-- The tables of Trino's system catalog and of information_schema, in Presto's SQL, over tables that are made of what a
-- person was granted: pm_schemas, pm_tables, pm_columns, pm_queries and pm_server. What Trino has and pingmill has not
-- is empty.
CREATE VIEW metadata.catalogs AS SELECT 'hive' AS catalog_name, 'hive' AS connector_id, 'pingmill' AS connector_name, 'ACTIVE' AS state;
CREATE VIEW metadata.table_comments AS SELECT 'hive' AS catalog_name, schema_name, table_name, comment FROM pm_tables;
CREATE VIEW metadata.materialized_views AS SELECT '' AS catalog_name, '' AS schema_name, '' AS name, '' AS storage_catalog, '' AS storage_schema,
  '' AS storage_table, '' AS freshness, '' AS owner, '' AS comment, '' AS definition WHERE false;
CREATE VIEW metadata.schema_properties AS SELECT '' AS catalog_name, '' AS property_name, '' AS default_value, '' AS type, '' AS description WHERE false;
CREATE VIEW metadata.table_properties AS SELECT '' AS catalog_name, '' AS property_name, '' AS default_value, '' AS type, '' AS description WHERE false;
CREATE VIEW metadata.column_properties AS SELECT '' AS catalog_name, '' AS property_name, '' AS default_value, '' AS type, '' AS description WHERE false;
CREATE VIEW metadata.analyze_properties AS SELECT '' AS catalog_name, '' AS property_name, '' AS default_value, '' AS type, '' AS description WHERE false;
CREATE VIEW jdbc.catalogs AS SELECT 'hive' AS table_cat;
CREATE VIEW jdbc.schemas AS SELECT schema_name AS table_schem, 'hive' AS table_catalog FROM pm_schemas;
CREATE VIEW jdbc.table_types AS SELECT table_type FROM (VALUES 'TABLE', 'VIEW') AS t(table_type);
CREATE VIEW jdbc.tables AS SELECT 'hive' AS table_cat, schema_name AS table_schem, table_name, 'TABLE' AS table_type, comment AS remarks,
  CAST(NULL AS varchar) AS type_cat, CAST(NULL AS varchar) AS type_schem, CAST(NULL AS varchar) AS type_name, CAST(NULL AS varchar) AS self_referencing_col_name,
  CAST(NULL AS varchar) AS ref_generation FROM pm_tables;
CREATE VIEW jdbc.columns AS SELECT 'hive' AS table_cat, schema_name AS table_schem, table_name, column_name, jdbc AS data_type, type AS type_name, size AS column_size,
  CAST(NULL AS bigint) AS buffer_length, digits AS decimal_digits, radix AS num_prec_radix, BIGINT '1' AS nullable, comment AS remarks,
  CAST(NULL AS varchar) AS column_def, CAST(NULL AS bigint) AS sql_data_type, CAST(NULL AS bigint) AS sql_datetime_sub, octets AS char_octet_length,
  position AS ordinal_position, 'YES' AS is_nullable, CAST(NULL AS varchar) AS scope_catalog, CAST(NULL AS varchar) AS scope_schema,
  CAST(NULL AS varchar) AS scope_table, CAST(NULL AS bigint) AS source_data_type, 'NO' AS is_autoincrement, 'NO' AS is_generatedcolumn FROM pm_columns;
CREATE VIEW jdbc.types AS SELECT type_name, CAST(jdbc AS bigint) AS data_type, CAST(size AS bigint) AS precision, quote AS literal_prefix, quote AS literal_suffix,
  CAST(NULL AS varchar) AS create_params, BIGINT '1' AS nullable, text AS case_sensitive, BIGINT '3' AS searchable, false AS unsigned_attribute,
  false AS fixed_prec_scale, false AS auto_increment, CAST(NULL AS varchar) AS local_type_name, BIGINT '0' AS minimum_scale, BIGINT '0' AS maximum_scale,
  CAST(NULL AS bigint) AS sql_data_type, CAST(NULL AS bigint) AS sql_datetime_sub, CAST(radix AS bigint) AS num_prec_radix FROM (VALUES
  ('boolean', 16, CAST(NULL AS integer), CAST(NULL AS varchar), false, CAST(NULL AS integer)), ('tinyint', -6, 3, NULL, false, 10), ('smallint', 5, 5, NULL, false, 10),
  ('integer', 4, 10, NULL, false, 10), ('bigint', -5, 19, NULL, false, 10), ('real', 7, 24, NULL, false, 2), ('double', 8, 53, NULL, false, 2),
  ('decimal', 3, 38, NULL, false, 10), ('varchar', 12, 2147483647, '''', true, NULL), ('char', 1, 65536, '''', true, NULL), ('varbinary', -3, 2147483647, 'X''', false, NULL),
  ('date', 91, 14, '''', false, NULL), ('time', 92, 12, '''', false, NULL), ('timestamp', 93, 25, '''', false, NULL),
  ('timestamp with time zone', 2014, 31, '''', false, NULL), ('array', 2003, NULL, NULL, false, NULL), ('map', 2000, NULL, NULL, false, NULL),
  ('row', 2000, NULL, NULL, false, NULL), ('json', 2000, NULL, NULL, false, NULL), ('uuid', 2000, NULL, NULL, false, NULL)) AS t(type_name, jdbc, size, quote, text, radix);
CREATE VIEW jdbc.procedures AS SELECT '' AS procedure_cat, '' AS procedure_schem, '' AS procedure_name, '' AS remarks, BIGINT '0' AS procedure_type,
  '' AS specific_name WHERE false;
CREATE VIEW jdbc.procedure_columns AS SELECT '' AS procedure_cat, '' AS procedure_schem, '' AS procedure_name, '' AS column_name, BIGINT '0' AS column_type,
  BIGINT '0' AS data_type, '' AS type_name, BIGINT '0' AS precision, BIGINT '0' AS length, BIGINT '0' AS scale, BIGINT '0' AS radix, BIGINT '0' AS nullable,
  '' AS remarks, '' AS column_def, BIGINT '0' AS sql_data_type, BIGINT '0' AS sql_datetime_sub, BIGINT '0' AS char_octet_length, BIGINT '0' AS ordinal_position,
  '' AS is_nullable, '' AS specific_name WHERE false;
CREATE VIEW jdbc.pseudo_columns AS SELECT '' AS table_cat, '' AS table_schem, '' AS table_name, '' AS column_name, BIGINT '0' AS data_type, BIGINT '0' AS column_size,
  BIGINT '0' AS decimal_digits, BIGINT '0' AS num_prec_radix, '' AS column_usage, '' AS remarks, BIGINT '0' AS char_octet_length, '' AS is_nullable WHERE false;
CREATE VIEW jdbc.super_tables AS SELECT '' AS table_cat, '' AS table_schem, '' AS table_name, '' AS supertable_name WHERE false;
CREATE VIEW jdbc.super_types AS SELECT '' AS type_cat, '' AS type_schem, '' AS type_name, '' AS supertype_cat, '' AS supertype_schem, '' AS supertype_name WHERE false;
CREATE VIEW jdbc.udts AS SELECT '' AS type_cat, '' AS type_schem, '' AS type_name, '' AS class_name, BIGINT '0' AS data_type, '' AS remarks, BIGINT '0' AS base_type WHERE false;
CREATE VIEW jdbc.attributes AS SELECT '' AS type_cat, '' AS type_schem, '' AS type_name, '' AS attr_name, BIGINT '0' AS data_type, '' AS attr_type_name, BIGINT '0' AS attr_size,
  BIGINT '0' AS decimal_digits, BIGINT '0' AS num_prec_radix, BIGINT '0' AS nullable, '' AS remarks, '' AS attr_def, BIGINT '0' AS sql_data_type,
  BIGINT '0' AS sql_datetime_sub, BIGINT '0' AS char_octet_length, BIGINT '0' AS ordinal_position, '' AS is_nullable, '' AS scope_catalog, '' AS scope_schema,
  '' AS scope_table, BIGINT '0' AS source_data_type WHERE false;
CREATE VIEW runtime.nodes AS SELECT 'pingmill' AS node_id, '' AS http_uri, node_version, true AS coordinator, 'active' AS state FROM pm_server;
CREATE VIEW runtime.queries AS SELECT query_id, state, person AS "user", CAST(NULL AS varchar) AS source, query, CAST(NULL AS array(varchar)) AS resource_group_id,
  queued AS queued_time_ms, BIGINT '0' AS analysis_time_ms, BIGINT '0' AS planning_time_ms, created, started, ended AS last_heartbeat, ended AS "end",
  CAST(NULL AS varchar) AS error_type, error AS error_code FROM pm_queries;
CREATE VIEW runtime.tasks AS SELECT '' AS node_id, '' AS task_id, '' AS stage_id, '' AS query_id, '' AS state, BIGINT '0' AS splits WHERE false;
CREATE VIEW runtime.transactions AS SELECT '' AS transaction_id, '' AS isolation_level, true AS read_only, true AS auto_commit_context WHERE false;
CREATE VIEW information_schema.schemata AS SELECT 'hive' AS catalog_name, schema_name FROM pm_schemas;
CREATE VIEW information_schema.tables AS SELECT 'hive' AS table_catalog, schema_name AS table_schema, table_name, 'BASE TABLE' AS table_type FROM pm_tables;
CREATE VIEW information_schema.columns AS SELECT 'hive' AS table_catalog, schema_name AS table_schema, table_name, column_name, position AS ordinal_position,
  CAST(NULL AS varchar) AS column_default, 'YES' AS is_nullable, type AS data_type, CAST(NULL AS varchar) AS extra_info, comment FROM pm_columns;
CREATE VIEW information_schema.views AS SELECT '' AS table_catalog, '' AS table_schema, '' AS table_name, '' AS view_definition WHERE false;
CREATE VIEW information_schema.applicable_roles AS SELECT '' AS grantee, '' AS grantee_type, '' AS role_name, '' AS is_grantable WHERE false;
CREATE VIEW information_schema.enabled_roles AS SELECT '' AS role_name WHERE false;
CREATE VIEW information_schema.roles AS SELECT '' AS role_name WHERE false;
CREATE VIEW information_schema.role_authorization_descriptors AS SELECT '' AS role_name, '' AS grantor, '' AS grantor_type, '' AS grantee, '' AS grantee_type,
  '' AS is_grantable WHERE false;
CREATE VIEW information_schema.table_privileges AS SELECT '' AS grantor, '' AS grantor_type, '' AS grantee, '' AS grantee_type, '' AS table_catalog, '' AS table_schema,
  '' AS table_name, '' AS privilege_type, '' AS is_grantable, '' AS with_hierarchy WHERE false;
