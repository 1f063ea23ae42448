package gate

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/scalar"
)

// group lists names that are allowed, or refused, for one reason.
type group struct {
	why   string
	names string // separated by blanks
}

func words(s string) []string { return strings.Fields(s) }

// set returns the set of the names in groups.
func set(groups ...group) map[string]bool {
	all := map[string]bool{}
	for _, g := range groups {
		for _, name := range words(g.names) {
			all[name] = true
		}
	}
	return all
}

// reasons maps each name in groups to its reason.
func reasons(groups []group) map[string]string {
	all := map[string]string{}
	for _, g := range groups {
		for _, name := range words(g.names) {
			all[name] = g.why
		}
	}
	return all
}

var (
	functions        = set(slices.Concat(scalars, aggregates, []group{inGo()})...)
	refusedFunctions = reasons(refused)
	tableFunctions   = set(behindFrom)
	types            = set(typeNames, group{names: "timestamp_with_time_zone time_with_time_zone"})
	collations       = set(collationNames)
	typeIDs          = strings.Split(valueTypes, ",")
)

// inGo returns the functions that package query registers.
func inGo() group {
	var names []string
	for _, f := range scalar.All() {
		names = append(names, f.Name)
	}
	return group{"functions of Presto's SQL, which see their arguments alone", strings.Join(names, " ")}
}

// typeNames lists the types that a query may cast to, with all their names in DuckDB.
var typeNames = group{"values without names of files, tables or functions", `
	bigint int8 long int64 oid bit bitstring blob bytea binary varbinary boolean bool logical date decimal dec numeric double float8
	enum float real float4 hugeint int128 integer int int4 int32 integral signed interval json smallint int2 int16 short int1 tinyint
	time timetz time_ns timestamp datetime timestamp_us timestamp_ms timestamp_ns timestamp_s timestamptz ubigint uint64 uhugeint uint128 uinteger
	uint32 usmallint uint16 utinyint uint8 uuid guid varchar char bpchar text string nvarchar list array map struct row union null`}

// valueTypes lists the ids of types in the tree: of values, and of nodes that DuckDB's parser adds (casts, and the end
// of a[2:]).
const valueTypes = `NULL,LIST,BOOLEAN,TINYINT,SMALLINT,INTEGER,BIGINT,HUGEINT,UHUGEINT,UTINYINT,USMALLINT,UINTEGER,UBIGINT,FLOAT,` +
	`DOUBLE,DECIMAL,` +
	`VARCHAR,BLOB,BIT,DATE,TIME,TIMESTAMP,TIMESTAMP WITH TIME ZONE,TIME WITH TIME ZONE,INTERVAL,UNBOUND`

// collationNames lists the collations that only compare.
var collationNames = group{"text, compared without case or accents", "nocase noaccent nfc binary c posix"}

// behindFrom lists the table functions.
var behindFrom = group{"they make rows of their arguments alone", "unnest range generate_series json_each json_tree"}

// scalars lists the functions of one row.
var scalars = []group{
	{"arithmetic of numbers", `
		+ - * / // % ** ^ & | << >> ~ !__postfix @ abs acos acosh add asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot degrees
		divide even exp factorial fdiv floor fmod gamma gcd greatest_common_divisor greatest isfinite isinf isnan lcm least least_common_multiple
		lgamma ln log log10 log2 mod multiply nextafter pi pow power radians random round round_even roundbankers sign signbit sin sinh sqrt
		subtract tan tanh trunc xor bar equi_width_bins is_histogram_other_bin normalized_interval`},
	{"text", `
		|| ~~ !~~ ~~* !~~* ~~~ ^@ array_to_string array_to_string_comma_default ascii base64 bin bit_length char_length character_length chr
		concat concat_ws contains damerau_levenshtein editdist3 ends_with format formatreadabledecimalsize formatreadablesize format_bytes
		from_base64 from_binary from_hex hamming hex ilike_escape instr jaccard jaro_similarity jaro_winkler_similarity lcase left left_grapheme
		length length_grapheme len levenshtein like_escape lower lpad ltrim mismatches nfc_normalize not_ilike_escape not_like_escape ord
		parse_dirname parse_dirpath parse_filename parse_path parse_formatted_bytes pg_size_pretty position prefix printf regexp_escape
		regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table repeat
		replace reverse right right_grapheme rpad rtrim split split_part starts_with str_split str_split_regex string_split
		string_split_regex string_to_array strip_accents strlen strpos substr substring substring_grapheme suffix to_base to_base64 to_binary
		to_hex translate trim ucase unbin unhex unicode upper url_decode url_encode`},
	{"hashes, ids and bytes", `
		hash md5 md5_number md5_number_lower md5_number_upper sha1 sha256 uuid uuidv4 uuidv7 gen_random_uuid uuid_extract_timestamp
		uuid_extract_version bit_position bitstring decode encode get_bit octet_length set_bit`},
	{"dates and times", `
		age ago century current_date current_localtime current_localtimestamp date_add date_diff date_part date_sub date_trunc datediff datepart
		datesub datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade epoch epoch_ms epoch_ns epoch_us era
		get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms
		make_timestamp_ns make_timestamptz microsecond millennium millisecond minute month monthname nanosecond now quarter second strftime
		strptime time_bucket timetz_byte_comparable timezone timezone_hour timezone_minute to_centuries to_days to_decades to_hours
		to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds to_timestamp to_weeks to_years today
		transaction_timestamp try_strptime week weekday weekofyear year yearweek`},
	{"lists", `
		&& <@ @> <-> <=> unnest range generate_series generate_subscripts aggregate apply array_aggr array_aggregate array_append array_apply array_cat
		array_concat array_contains array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct
		array_dot_product array_extract array_filter array_grade_up array_has array_has_all array_has_any array_indexof array_inner_product
		array_intersect array_length array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front array_position
		array_prepend array_push_back array_push_front array_reduce array_resize array_reverse array_reverse_sort array_select array_slice
		array_sort array_transform array_unique array_value array_where array_zip filter flatten grade_up list_aggr list_aggregate
		list_any_value list_append list_apply list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and
		list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity list_count list_distance list_distinct
		list_dot_product list_element list_entropy list_extract list_filter list_first list_grade_up list_has list_has_all list_has_any
		list_histogram list_indexof list_inner_product list_intersect list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median
		list_min list_mode list_negative_dot_product list_negative_inner_product list_pack list_position list_prepend list_product list_reduce
		list_resize list_reverse list_reverse_sort list_select list_sem list_skewness list_slice list_sort list_stddev_pop list_stddev_samp
		list_string_agg list_sum list_transform list_unique list_value list_var_pop list_var_samp list_where list_zip reduce`},
	{"maps, structs, unions and enums", `
		cardinality element_at enum_code enum_first enum_last enum_range enum_range_boundary map map_concat map_contains map_contains_entry
		map_contains_value map_entries map_extract map_extract_value map_from_entries map_keys map_values row struct_concat struct_contains
		struct_extract struct_extract_at struct_has struct_indexof struct_insert struct_keys struct_pack struct_position struct_update
		struct_values union_extract union_tag union_value`},
	{"JSON in values", `
		->> array_to_json from_json from_json_strict json json_array json_array_length json_contains json_exists json_extract
		json_extract_path json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure json_keys
		json_merge_patch json_object json_pretty json_quote json_structure json_transform json_transform_strict json_type json_valid
		json_value row_to_json to_json`},
	{"conditions and types of values", `coalesce nullif ifnull if switch typeof pg_typeof`},
}

// aggregates lists the functions of many rows, including window functions.
var aggregates = []group{
	{"aggregates", `
		any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_max_nulls_last arg_min arg_min_null
		arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg bool_and bool_or corr count count_if count_star
		countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean group_concat histogram histogram_exact kahan_sum kurtosis
		kurtosis_pop last list listagg mad max max_by mean median min min_by mode product quantile quantile_cont quantile_disc regr_avgx
		regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy reservoir_quantile sem skewness stddev stddev_pop
		stddev_samp string_agg sum sum_no_overflow sumkahan var_pop var_samp variance wavg weighted_avg percentile_cont percentile_disc`},
	{"windows", "cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number"},
}

// refused lists DuckDB's other functions with the reason. The gate refuses unknown functions too; these lists provide
// the reason, and a test compares all lists with DuckDB's functions.
var refused = []group{
	{"it reads files", `
		glob read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson
		read_ndjson_auto read_ndjson_objects read_parquet read_text sniff_csv parquet_bloom_probe parquet_file_metadata
		parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan parquet_schema arrow_scan arrow_scan_dumb
		seq_scan`},
	{"it runs or shows other SQL", `
		query query_table json_execute_serialized_sql json_deserialize_sql json_serialize_plan json_serialize_sql current_query
		histogram_values summary parse_duckdb_log_message`},
	{"it writes, or changes what runs beside it", `
		checkpoint force_checkpoint enable_logging disable_logging truncate_duckdb_logs enable_profiling disable_profiling write_log setseed
		nextval currval sleep_ms pg_sleep`},
	{"it tells of the installation", `
		duckdb_approx_database_count duckdb_columns duckdb_connection_count duckdb_constraints duckdb_coordinate_systems duckdb_databases
		duckdb_dependencies duckdb_extensions duckdb_external_file_cache duckdb_functions duckdb_indexes duckdb_keywords duckdb_log_contexts
		duckdb_logs duckdb_logs_parsed duckdb_memory duckdb_optimizers duckdb_prepared_statements duckdb_profiling_settings duckdb_schemas
		duckdb_secret_types duckdb_secrets duckdb_sequences duckdb_settings duckdb_table_sample duckdb_tables duckdb_temporary_files
		duckdb_types duckdb_variables duckdb_views which_secret pragma_collations pragma_database_size pragma_metadata_info pragma_platform
		pragma_show pragma_storage_info pragma_table_info pragma_user_agent pragma_version current_setting getvariable version
		current_connection_id current_query_id current_transaction_id txid_current in_search_path get_block_size pg_timezone_names
		icu_calendar_names current_database current_schema current_schemas current_catalog current_role current_user session_user user
		inet_client_addr inet_client_port inet_server_addr inet_server_port stats vector_type`},
	{"it is for programs that think they talk to PostgreSQL", `
		col_description format_pg_type format_type has_any_column_privilege has_column_privilege has_database_privilege
		has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege has_schema_privilege has_sequence_privilege
		has_server_privilege has_table_privilege has_tablespace_privilege map_to_pg_oid obj_description pg_collation_is_visible
		pg_conf_load_time pg_conversion_is_visible pg_function_is_visible pg_get_constraintdef pg_get_expr pg_get_viewdef pg_has_role
		pg_is_other_temp_schema pg_my_temp_schema pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible
		pg_postmaster_start_time pg_table_is_visible pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible
		pg_ts_template_is_visible pg_type_is_visible shobj_description`},
	{"it is for DuckDB itself", `
		alias can_cast_implicitly cast_to_type combine constant_or_null create_sort_key finalize get_type icu_sort_key make_type remap_struct
		replace_type unpivot_list repeat_row test_all_types test_vector_types error
		sql_auto_complete check_peg_parser enable_peg_parser disable_peg_parser`},
	{"places and variants are in none of the tables", `
		st_asbinary st_astext st_aswkb st_aswkt st_crs st_geomfromwkb st_intersects_extent st_setcrs variant_bytes_to_variant
		variant_extract variant_normalize variant_to_parquet_variant variant_typeof`},
}

// refusedPrefixes are prefixes of further refused functions.
var refusedPrefixes = []string{"__internal_", "icu_collate_"}

// Named reports whether a query may call a function of DuckDB, and the reason if not. known is false if the function is
// on no list.
func Named(function string) (allowed bool, why string, known bool) {
	if functions[function] || tableFunctions[function] {
		return true, "", true
	}
	if slices.ContainsFunc(refusedPrefixes, func(p string) bool { return strings.HasPrefix(function, p) }) {
		return false, "it is for DuckDB itself", true
	}
	why, known = refusedFunctions[function]
	return false, why, known
}

// Functions returns the functions that a query may call, in the order of the lists.
func Functions() (all []string) {
	for _, g := range slices.Concat(scalars, aggregates, []group{behindFrom, inGo()}) {
		all = append(all, words(g.names)...)
	}
	return all
}

// Refused returns the functions that a query may not call, with the reasons.
func Refused() map[string]string { return maps.Clone(refusedFunctions) }
