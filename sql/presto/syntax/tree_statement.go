package syntax

// Statement is one parsed statement: *Query, *Explain, *ShowTables, *ShowColumns,
// *ShowPartitions, *ShowFunctions, *ShowStats or *ShowSchemas.
type Statement interface {
	Node
	statement()
}

// Explain is EXPLAIN [ANALYZE] query.
type Explain struct {
	Span
	Analyze bool
	Verbose bool            // EXPLAIN ANALYZE VERBOSE
	Options []ExplainOption // (TYPE LOGICAL, FORMAT TEXT)
	Query   *Query
}

// ExplainOption is one of an EXPLAIN: Name is TYPE or FORMAT, both in upper case.
type ExplainOption struct {
	Span
	Name, Value string
}

// ShowTables is SHOW TABLES [FROM schema] [LIKE pattern [ESCAPE escape]].
type ShowTables struct {
	Span
	From *Name
	Like *LikePattern
}

// ShowColumns is SHOW COLUMNS FROM table [LIKE …], DESCRIBE table or DESC table.
type ShowColumns struct {
	Span
	Table Name
	Like  *LikePattern
}

// ShowPartitions is SHOW PARTITIONS FROM table [WHERE …] [ORDER BY …] [LIMIT …],
// the form of old Presto. Trino has SELECT … FROM "table$partitions" in its place.
type ShowPartitions struct {
	Span
	Table   Name
	Where   Expr // or nil
	OrderBy []SortItem
	Limit   *Limit // or nil
}

// ShowFunctions is SHOW FUNCTIONS [LIKE …].
type ShowFunctions struct {
	Span
	Like *LikePattern
}

// ShowStats is SHOW STATS FOR table, or SHOW STATS FOR (query): then Query is set.
type ShowStats struct {
	Span
	Table Name
	Query *Query
}

// ShowSchemas is SHOW SCHEMAS [FROM catalog] [LIKE …] or SHOW CATALOGS [LIKE …].
type ShowSchemas struct {
	Span
	Catalogs bool
	Like     *LikePattern
}

// LikePattern is LIKE 'pattern' [ESCAPE 'escape'] of a SHOW statement.
type LikePattern struct {
	Span
	Pattern string
	Escape  string // one character, or ""
}

func (*Query) statement()          {}
func (*Explain) statement()        {}
func (*ShowTables) statement()     {}
func (*ShowColumns) statement()    {}
func (*ShowPartitions) statement() {}
func (*ShowFunctions) statement()  {}
func (*ShowStats) statement()      {}
func (*ShowSchemas) statement()    {}

// Query is [WITH …] body [ORDER BY …] [OFFSET …] [LIMIT … | FETCH FIRST …].
type Query struct {
	Span
	Recursive bool
	With      []CTE
	Body      Body
	OrderBy   []SortItem
	Offset    *Offset // or nil
	Limit     *Limit  // or nil
}

// CTE is one of WITH: name [(columns)] AS (query).
type CTE struct {
	Span
	Name    Ident
	Columns []Ident
	Query   *Query
}

// Offset is OFFSET count [ROW | ROWS].
type Offset struct {
	Span
	Count int64
}

// Limit is LIMIT count, LIMIT ALL or FETCH FIRST [count] ROWS {ONLY | WITH TIES}.
type Limit struct {
	Span
	All   bool
	Count int64
	Ties  bool
}

// SortItem is expression [ASC | DESC] [NULLS FIRST | NULLS LAST].
type SortItem struct {
	Span
	Expr  Expr
	Desc  bool
	Nulls NullsOrder
}

// NullsOrder is the place of nulls in an order.
type NullsOrder int

// Presto's default is last, for both directions.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// Body produces a query's rows: *Select, *SetOperation, *Values, *Table,
// or *Query for one in parentheses.
type Body interface {
	Node
	body()
}

// SetOperation is left {UNION | INTERSECT | EXCEPT} [ALL | DISTINCT] right.
type SetOperation struct {
	Span
	Op          SetOp
	All         bool
	Left, Right Body
}

// SetOp is a kind of set operation.
type SetOp int

const (
	Union SetOp = iota
	Intersect
	Except
)

// Values is VALUES row, …: a row of several columns is a *Row, and any other
// expression is a row of one column (unless its type is a row).
type Values struct {
	Span
	Rows []Expr
}

// Table is TABLE name.
type Table struct {
	Span
	Name Name
}

// Select is SELECT … FROM … WHERE … GROUP BY … HAVING … WINDOW ….
type Select struct {
	Span
	Distinct bool
	Items    []SelectItem
	From     Relation // nil without FROM; a comma is a *Join of kind Cross
	Where    Expr     // or nil
	GroupBy  *GroupBy // or nil
	Having   Expr     // or nil
	Windows  []WindowDef
}

// SelectItem is expression [AS alias], *, or expression.* [AS (columns)]. Its
// span includes the parentheses around an expression.
type SelectItem struct {
	Span
	Star    bool
	Expr    Expr    // nil for a plain *
	Alias   *Ident  // or nil
	Columns []Ident // of expression.* AS (columns)
	// Text is the span of the expression as written, parentheses included.
	Text Span
}

// GroupBy is GROUP BY [ALL | DISTINCT] element, ….
type GroupBy struct {
	Span
	Distinct bool
	Elements []GroupElement
}

// GroupElement is one of GROUP BY. A simple one has one set: its expression, or
// those of (a, b). ROLLUP and CUBE have a set for each of their arguments,
// GROUPING SETS have their sets.
type GroupElement struct {
	Span
	Kind GroupKind
	Sets [][]Expr
}

// GroupKind is a kind of GroupElement.
type GroupKind int

const (
	GroupSimple GroupKind = iota
	GroupRollup
	GroupCube
	GroupSets
)

func (*Query) body()        {}
func (*SetOperation) body() {}
func (*Values) body()       {}
func (*Table) body()        {}
func (*Select) body()       {}
