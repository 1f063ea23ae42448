package gate

// The parts of DuckDB 1.5's serialized trees that the gate allows, by DuckDB's names.

// class describes a class of expressions: its types and members.
type class struct {
	types []string
	shape shape
}

// everyExpression has the members that every expression begins with.
var everyExpression = shape{{"class", text}, {"type", text}, {"alias", text}, {"query_location", number}}

var children = shape{{"children", expressions}}

var classes = map[string]class{
	"BETWEEN": {words("COMPARE_BETWEEN COMPARE_NOT_BETWEEN"), shape{{"input", expression}, {"lower", expression}, {"upper", expression}}},
	"CASE": {words("CASE_EXPR"),
		shape{{"case_checks", list(object(shape{{"when_expr", expression}, {"then_expr", expression}}))}, {"else_expr", expression}}},
	"CAST":       {words("OPERATOR_CAST"), shape{{"child", expression}, {"cast_type", dataType}, {"try_cast", flag}}},
	"COLLATE":    {words("COLLATE"), shape{{"child", expression}, {"collation", text}}},
	"COLUMN_REF": {words("COLUMN_REF"), shape{{"column_names", texts}}},
	"COMPARISON": {words(`COMPARE_EQUAL COMPARE_NOTEQUAL COMPARE_LESSTHAN COMPARE_GREATERTHAN COMPARE_LESSTHANOREQUALTO
		COMPARE_GREATERTHANOREQUALTO COMPARE_DISTINCT_FROM COMPARE_NOT_DISTINCT_FROM`), shape{{"left", expression}, {"right", expression}}},
	"CONJUNCTION": {words("CONJUNCTION_AND CONJUNCTION_OR"), children},
	"CONSTANT":    {words("VALUE_CONSTANT"), shape{{"value", value}}},
	"FUNCTION": {words("FUNCTION"),
		shape{{"function_name", text}, {"schema", text}, {"catalog", text}, {"children", expressions}, {"filter", optional(expression)},
			{"order_bys", object(shape{{"type", choice("ORDER_MODIFIER")}, {"orders", orders}})}, {"distinct", flag}, {"is_operator", flag},
			{"export_state", flag}}},
	"LAMBDA": {words("LAMBDA"), shape{{"lhs", expression}, {"expr", expression}, {"syntax_type", choice("SINGLE_ARROW", "LAMBDA_KEYWORD")}}},
	"OPERATOR": {words(`ARRAY_CONSTRUCTOR ARRAY_EXTRACT ARRAY_SLICE STRUCT_EXTRACT COMPARE_IN COMPARE_NOT_IN GROUPING_FUNCTION
		OPERATOR_COALESCE OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL OPERATOR_NOT OPERATOR_TRY OPERATOR_UNPACK`), children},
	"POSITIONAL_REFERENCE": {words("POSITIONAL_REFERENCE"), shape{{"index", number}}},
	"STAR": {words("STAR"), shape{{"relation_name", text}, {"exclude_list", texts}, {"replace_list", pairs(text, expression)},
		{"columns", flag},
		{"expr", optional(expression)}, {"qualified_exclude_list", list(qualified)}, {"rename_list", pairs(qualified, text)}}},
	"SUBQUERY": {words("SUBQUERY"),
		shape{{"subquery_type", choice("SCALAR", "EXISTS", "NOT_EXISTS", "ANY")}, {"subquery", statement}, {"child", optional(expression)},
			{"comparison_type", choice(words(`INVALID COMPARE_EQUAL COMPARE_NOTEQUAL COMPARE_LESSTHAN COMPARE_GREATERTHAN ` +
				`COMPARE_LESSTHANOREQUALTO COMPARE_GREATERTHANOREQUALTO`)...)}}},
	"TYPE": {words("TYPE"), shape{{"catalog", text}, {"schema", text}, {"type_name", text}, {"children", expressions}}},
	"WINDOW": {words(`WINDOW_AGGREGATE WINDOW_RANK WINDOW_RANK_DENSE WINDOW_NTILE WINDOW_PERCENT_RANK WINDOW_CUME_DIST WINDOW_ROW_NUMBER
		WINDOW_FIRST_VALUE WINDOW_LAST_VALUE WINDOW_LEAD WINDOW_LAG WINDOW_NTH_VALUE WINDOW_FILL`), shape{{"function_name", text}, {"schema", text}, {"catalog", text},
		{"children", expressions}, {"partitions", expressions}, {"orders", orders}, {"start", bound}, {"end", bound},
		{"start_expr", optional(expression)}, {"end_expr", optional(expression)},
		{"offset_expr", optional(expression)}, {"default_expr", optional(expression)}, {"ignore_nulls", flag},
		{"filter_expr", optional(expression)},
		{"exclude_clause", choice("NO_OTHER", "CURRENT_ROW", "GROUP", "TIES")}, {"distinct", flag}, {"arg_orders", orders}}},
}

// bound is the start or end of a window frame.
var bound = choice(
	words(
		`UNBOUNDED_PRECEDING UNBOUNDED_FOLLOWING CURRENT_ROW_RANGE CURRENT_ROW_ROWS CURRENT_ROW_GROUPS EXPR_PRECEDING_ROWS EXPR_FOLLOWING_ROWS
	EXPR_PRECEDING_RANGE EXPR_FOLLOWING_RANGE EXPR_PRECEDING_GROUPS EXPR_FOLLOWING_GROUPS`)...)

// everyTable has the members that every item of FROM begins with.
var everyTable = shape{{"type", text}, {"alias", text}, {"sample", sample}, {"query_location", number}}

var tables = map[string]shape{
	"EMPTY": {},
	"BASE_TABLE": {{"catalog_name", text}, {"schema_name", text}, {"table_name", text}, {"column_name_alias", texts},
		{"at_clause", null}},
	"SUBQUERY": {{"subquery", statement}, {"column_name_alias", texts}},
	"TABLE_FUNCTION": {{"function", rule{kind: kindCall}}, {"column_name_alias", texts},
		{"with_ordinality", choice("WITHOUT_ORDINALITY", "WITH_ORDINALITY")}},
	"EXPRESSION_LIST": {{"expected_names", texts}, {"expected_types", list(dataType)}, {"values", list(expressions)}},
	"JOIN": {{"left", table}, {"right", table}, {"condition", optional(expression)},
		{"join_type", choice("INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI")},
		{"ref_type", choice("REGULAR", "NATURAL", "CROSS", "POSITIONAL", "ASOF")}, {"using_columns", texts}, {"delim_flipped", flag},
		{"duplicate_eliminated_columns", expressions}, {"is_implicit", flag}},
	"PIVOT": {{"source", table}, {"aggregates", expressions}, {"unpivot_names", texts},
		{"pivots", list(object(shape{{"pivot_expressions", expressions}, {"unpivot_names", texts},
			{"entries", list(object(shape{{"values", list(value)}, {"star_expr", optional(expression)}, {"alias", text}}))},
			{"pivot_enum", choice("")}}))},
		{"groups", texts}, {"column_name_alias", texts}, {"include_nulls", flag}},
	"SHOW_REF": {{"table_name", text}, {"query", optional(node)}, {"show_type", choice("SUMMARY", "DESCRIBE", "SHOW_UNQUALIFIED")},
		{"catalog_name", choice("")}, {"schema_name", choice("")}},
}

// everyNode has the members that every query begins with. The tables of WITH come first, because the other members may
// name them.
var everyNode = shape{{"type", text}, {"cte_map", ctes}, {"modifiers", modifiers}}

var nodes = map[string]shape{
	"SELECT_NODE": {{"select_list", expressions}, {"from_table", table}, {"where_clause", optional(expression)},
		{"group_expressions", expressions}, {"group_sets", list(list(number))},
		{"aggregate_handling", choice("STANDARD_HANDLING", "NO_AGGREGATES_ALLOWED", "FORCE_AGGREGATES")}, {"having", optional(expression)},
		{"sample", sample}, {"qualify", optional(expression)}},
	"SET_OPERATION_NODE": {{"setop_type", choice("UNION", "EXCEPT", "INTERSECT", "UNION_BY_NAME")}, {"left", null}, {"right", null},
		{"setop_all", flag}, {"children", list(node)}},
	"RECURSIVE_CTE_NODE": {{"cte_name", text}, {"union_all", flag}, {"left", node}, {"right", node}, {"aliases", texts},
		{"key_targets", expressions}},
}

// cte is a table of WITH.
var cte = shape{{"aliases", texts}, {"query", statement},
	{"materialized", choice("CTE_MATERIALIZE_DEFAULT", "CTE_MATERIALIZE_ALWAYS", "CTE_MATERIALIZE_NEVER")}, {"key_targets", expressions}}

var modifierShapes = map[string]shape{
	"ORDER_MODIFIER":         {{"orders", orders}},
	"LIMIT_MODIFIER":         {{"limit", optional(expression)}, {"offset", optional(expression)}},
	"LIMIT_PERCENT_MODIFIER": {{"limit", optional(expression)}, {"offset", optional(expression)}},
	"DISTINCT_MODIFIER":      {{"distinct_on_targets", expressions}},
}

var everyTypeInfo = shape{{"type", text}, {"alias", choice("")}, {"extension_info", null}}

// typeInfos has the details of types. A type in the user's text is still a name, an expression of class TYPE; DuckDB's
// parser resolves only types of its own casts.
var typeInfos = map[string]shape{
	"DECIMAL_TYPE_INFO": {{"width", number}, {"scale", number}},
	// of the empty one that ends a[2:]
	"LIST_TYPE_INFO":    {{"child_type", object(shape{{"id", choice("INTEGER")}, {"type_info", rule{kind: kindNull}}})}},
	"UNBOUND_TYPE_INFO": {{"expr", expression}},
}
