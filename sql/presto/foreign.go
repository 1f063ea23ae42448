package presto

// foreign are functions that Presto has not, or that are not here, by name: what to write.
var foreign = map[string]string{
	"explode": "write CROSS JOIN UNNEST(array) AS t(x)", "unnest": "write CROSS JOIN UNNEST(array) AS t(x)",
	"collect_list": "write array_agg(x)", "collect_set": "write array_agg(DISTINCT x)", "list": "write array_agg(x)", "group_concat": listed,
	"string_agg": listed, "size": "write cardinality(x)", "len": "write length(x), or cardinality(x) of an array",
	"array_length":   "write cardinality(x)",
	"unix_timestamp": "write to_unixtime(time)", "datediff": "write date_diff('day', a, b)", "date_sub": "write date_add('day', -1, time)",
	"dateadd": "write date_add('day', 1, time)", "getdate": "write now()", "to_char": "write date_format(time, '%Y-%m-%d') or format(…)",
	"strftime": "write date_format(time, '%Y-%m-%d')", "strptime": "write date_parse(text, '%Y-%m-%d')",
	"to_date":    "write CAST(text AS date), or date_parse(text, '%Y%m%d')",
	"percentile": "write approx_percentile(x, 0.5)", "median": "write approx_percentile(x, 0.5)",
	"quantile": "write approx_percentile(x, 0.5)",
	"ifnull":   "write coalesce(a, b)", "nvl": "write coalesce(a, b)", "isnull": "write x IS NULL", "iff": "write if(condition, a, b)",
	"get_json_object": "write json_extract_scalar(json, '$.path')", "json_extract_string": "write json_extract_scalar(json, '$.path')",
	"charindex": "write strpos(text, part)", "instr": "write strpos(text, part)", "locate": "write strpos(text, part)",
	"ucase": "write upper(x)", "lcase": "write lower(x)",
	"mid": "write substr(text, start, length)", "regexp_matches": "write regexp_like(text, pattern)",
	"regexp_contains": "write regexp_like(text, pattern)",
	"list_transform":  "write transform(array, x -> …)", "list_filter": "write filter(array, x -> …)", "array_size": "write cardinality(x)",
	"read_parquet": files, "read_csv": files, "read_json": files, "read_text": files, "glob": files,
}

const (
	listed = "write listagg(x, ', ') WITHIN GROUP (ORDER BY x), or array_join(array_agg(x), ', ')"
	files  = "only tables can be read: SHOW TABLES lists them"
)
