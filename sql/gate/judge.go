package gate

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

// expression checks an expression by its class.
func (w *walker) expression(o map[string]any) error {
	defer w.place(o)()
	name, _ := o["class"].(string)
	c, ok := classes[name]
	switch {
	case name == "PARAMETER":
		return w.refuse("write the value", "a parameter")
	case name == "DEFAULT":
		return w.refuse("", "DEFAULT")
	case !ok:
		return w.newer("a tree with an expression of class %.40q", name)
	}
	if kind, _ := o["type"].(string); !slices.Contains(c.types, kind) {
		return w.newer("a tree with an expression %.40q", kind)
	}
	if err := w.names(name, o); err != nil {
		return err
	}
	return w.shape(everyExpression.with(c.shape...), o)
}

// names checks the names in an expression.
func (w *walker) names(class string, o map[string]any) error {
	switch class {
	case "FUNCTION", "WINDOW":
		return w.function(o)
	case "COLLATE":
		return w.collation(o)
	case "TYPE":
		return w.typeName(o)
	}
	return nil
}

// function checks the name of a called function. Operators are functions too.
func (w *walker) function(o map[string]any) error {
	written, _ := o["function_name"].(string)
	if w.functions[inSchema(o["catalog"], o["schema"], written)] && o["export_state"] != true {
		return nil
	}
	if err := w.builtin(o, written); err != nil {
		return err
	}
	name := strings.ToLower(written)
	switch why, known := refusedFunctions[name]; {
	case o["export_state"] == true:
		return w.refuse("", "EXPORT_STATE")
	case functions[name], w.functions[name] && !strings.Contains(name, "."):
		return w.bounds(name, o, maxElements)
	case tableFunctions[name]:
		return w.refuse("it makes a table: write it behind FROM", "the function %s in this place", written)
	case known:
		return w.refuse(why, "the function %s", written)
	}
	return w.refuse("it is not among those that were looked at; DuckDB's functions for numbers, text, times, lists, maps and aggregates are",
		"the function %.100s", written)
}

// call checks a table function.
func (w *walker) call(o map[string]any) error {
	defer w.place(o)()
	written, _ := o["function_name"].(string)
	name := strings.ToLower(written)
	switch {
	case o["class"] != "FUNCTION" || o["type"] != "FUNCTION":
		return w.newer("%.40v behind FROM", o["class"])
	case w.functions[inSchema(o["catalog"], o["schema"], written)]:
		return w.shape(everyExpression.with(classes["FUNCTION"].shape...), o)
	case !tableFunctions[name]:
		why, known := refusedFunctions[name]
		if !known {
			why = "unnest, range, generate_series, json_each and json_tree are"
		}
		return w.refuse(why, "the function %.100s behind FROM", written)
	}
	if err := w.builtin(o, written); err != nil {
		return err
	}
	if err := w.bounds(name, o, maxRows); err != nil {
		return err
	}
	return w.shape(everyExpression.with(classes["FUNCTION"].shape...), o)
}

// Limits of series with constant bounds. A list is held in memory, rows are not.
const (
	maxElements = 10_000_000
	maxRows     = 1_000_000_000
)

// bounds checks the length of a series with constant bounds.
func (w *walker) bounds(name string, o map[string]any, most float64) error {
	if name != "range" && name != "generate_series" {
		return nil
	}
	args, _ := o["children"].([]any)
	var n []float64
	for _, a := range args {
		x, ok := constant(a)
		if !ok {
			return nil
		}
		n = append(n, x)
	}
	from, to, step := 0.0, 0.0, 1.0
	switch len(n) {
	case 1:
		to = n[0]
	case 2:
		from, to = n[0], n[1]
	case 3:
		from, to, step = n[0], n[1], n[2]
	}
	if step != 0 && (to-from)/step > most {
		return w.refuse("", "a series of more than %.0f numbers", most)
	}
	return nil
}

// constant returns the value of a constant number.
func constant(e any) (float64, bool) {
	o, _ := e.(map[string]any)
	v, _ := o["value"].(map[string]any)
	n, ok := v["value"].(json.Number)
	if !ok {
		return 0, false
	}
	x, err := n.Float64()
	return x, err == nil
}

// builtin requires that the schema of a function is DuckDB's own.
func (w *walker) builtin(o map[string]any, name string) error {
	schema, _ := o["schema"].(string)
	catalog, _ := o["catalog"].(string)
	if schema != "" && !strings.EqualFold(schema, "main") || catalog != "" && !strings.EqualFold(catalog, "system") {
		return w.refuse("write its name alone", "a schema of the function %.100s", name)
	}
	return nil
}

// collation checks the name of a collation, or of several joined by dots.
func (w *walker) collation(o map[string]any) error {
	name, _ := o["collation"].(string)
	for part := range strings.SplitSeq(strings.ToLower(name), ".") {
		if !collations[part] {
			return w.refuse("NOCASE, NOACCENT and NFC are", "the collation %.100s", name)
		}
	}
	return nil
}

// typeName checks the name of a type in a cast.
func (w *walker) typeName(o map[string]any) error {
	name, _ := o["type_name"].(string)
	if o["schema"] != "" || o["catalog"] != "" || !types[strings.ReplaceAll(strings.ToLower(name), " ", "_")] {
		return w.refuse("DuckDB's usual types are", "the type %.100s", name)
	}
	return nil
}

// node checks a query. The names of its WITH are valid only inside it.
func (w *walker) node(o map[string]any) error {
	before := len(w.scope)
	defer func() { w.scope = w.scope[:before] }()
	if o["type"] == "RECURSIVE_CTE_NODE" {
		if err := w.enter(o["cte_name"]); err != nil {
			return err
		}
	}
	return w.named(nodes, everyNode, o)
}

// ctes checks the tables of a WITH. Each may name the tables before it.
func (w *walker) ctes(o map[string]any) error {
	list, ok := o["map"].([]any)
	if !ok || len(o) != 1 {
		return w.newer("a tree with another kind of WITH")
	}
	for _, e := range list {
		entry, _ := e.(map[string]any)
		if err := w.member(object(shape{{"key", text}, {"value", object(cte)}}), e); err != nil {
			return err
		}
		if err := w.enter(entry["key"]); err != nil {
			return err
		}
	}
	return nil
}

// simpleName matches names that DuckDB cannot read as a file name.
var simpleName = lazy.Regexp(`^[\pL\pN_$ -]+$`)

// enter adds a name of WITH to the scope. The name must not be able to mean a file or a system table, in case DuckDB
// resolves it in another way.
func (w *walker) enter(name any) error {
	s, _ := name.(string)
	lower := strings.ToLower(s)
	if !simpleName().MatchString(s) || systemName(lower) {
		return w.refuse("name it with letters, digits and _", "the name %.100q for a table of WITH", s)
	}
	w.scope = append(w.scope, lower)
	return nil
}

// systemName reports whether a name may be a table of DuckDB's system.
func systemName(lower string) bool {
	for _, prefix := range []string{"duckdb_", "pg_", "sqlite_", "pragma_"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return false
}

// table checks an item of FROM.
func (w *walker) table(o map[string]any) error {
	defer w.place(o)()
	switch o["type"] {
	case "BASE_TABLE":
		if err := w.tableName(o); err != nil {
			return err
		}
	case "SHOW_REF":
		if err := w.show(o); err != nil {
			return err
		}
	case "PIVOT":
		if err := w.pivot(o); err != nil {
			return err
		}
	}
	return w.named(tables, everyTable, o)
}

// tableName checks the name of a table: it must be granted, or be of an enclosing WITH.
func (w *walker) tableName(o map[string]any) error {
	name, _ := o["table_name"].(string)
	lower := strings.ToLower(name)
	switch {
	case w.granted[inSchema(o["catalog_name"], o["schema_name"], name)] && o["at_clause"] == nil:
		w.read[inSchema(o["catalog_name"], o["schema_name"], name)] = true
		return nil
	case o["catalog_name"] != "" || o["schema_name"] != "":
		return w.refuse("there is one catalog and one schema: write "+name, "a catalog or schema of the table %.100s", name)
	case o["at_clause"] != nil:
		return w.refuse("a table is as it is now", "AT")
	case slices.Contains(w.scope, lower):
		return nil
	case w.granted[lower] && !strings.Contains(lower, "."): // a name with a dot is of a schema
		w.read[lower] = true
		return nil
	case !simpleName().MatchString(name):
		return w.refuse("tables have names; files cannot be read", "reading %.100q", name)
	case systemName(lower):
		return w.refuse("SHOW TABLES and DESCRIBE table say what there is", "the table %.100s", name)
	}
	return &NoTable{Name: name, At: w.last()}
}

// show checks DESCRIBE, SUMMARIZE and SHOW TABLES.
func (w *walker) show(o map[string]any) error {
	if o["query"] != nil {
		return nil
	}
	if o["table_name"] != `"tables"` || o["show_type"] != "SHOW_UNQUALIFIED" {
		return w.refuse("SHOW TABLES and DESCRIBE table say what there is", "SHOW %.100v", o["table_name"])
	}
	w.lists = true
	return nil
}

// pivot requires that the query lists the values: otherwise DuckDB would create a type from the data.
func (w *walker) pivot(o map[string]any) error {
	all, _ := o["pivots"].([]any)
	for _, e := range all {
		p, _ := e.(map[string]any)
		if entries, _ := p["entries"].([]any); len(entries) == 0 {
			return w.refuse("write them: ON column IN (…)", "PIVOT without values")
		}
	}
	return nil
}
