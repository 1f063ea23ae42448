package syntax

// Expr is an expression. Parentheses around one leave no node.
type Expr interface {
	Node
	expr()
}

// NullLit is NULL.
type NullLit struct{ Span }

// BoolLit is TRUE or FALSE.
type BoolLit struct {
	Span
	Value bool
}

// IntLit is an integer without sign that fits int64; a minus before it is a
// *Unary, except that -9223372036854775808 is one IntLit.
type IntLit struct {
	Span
	Value int64
}

// DecimalLit is a number with a point and no exponent. Text is as written
// without underscores, such as "1.50", ".5" or "5.".
type DecimalLit struct {
	Span
	Text string
}

// DoubleLit is a number with an exponent, such as 1e3.
type DoubleLit struct {
	Span
	Value float64
}

// StringLit is 'text' or U&'text'.
type StringLit struct {
	Span
	Value string
}

// BinaryLit is X'65683F'.
type BinaryLit struct {
	Span
	Value []byte
}

// TypedLit is type 'text', such as DATE '2018-03-01'. Type is in lower case.
type TypedLit struct {
	Span
	Type   string // "date", "timestamp", "time", "json", "double precision", "decimal", …
	TypeAt Span
	Value  string
}

// IntervalLit is INTERVAL [+ | -] 'text' from [TO to].
type IntervalLit struct {
	Span
	Negative bool
	Value    string
	From     IntervalField
	To       IntervalField // NoField without TO
}

// IntervalField is a unit of an interval.
type IntervalField int

const (
	NoField IntervalField = iota
	Year
	Month
	Day
	Hour
	Minute
	Second
)

// Column is a name of one part: a column, a table's alias before a dot, or a
// parameter of a lambda.
type Column struct {
	Span
	Name Ident
}

// Field is base.name: a column of a table or a field of a row.
type Field struct {
	Span
	Base Expr
	Name Ident
}

// Subscript is base[index].
type Subscript struct {
	Span
	Base, Index Expr
}

// Unary is -x or +x: Op is '-' or '+'.
type Unary struct {
	Span
	Op byte
	X  Expr
}

// Binary is an operation with + - * / % or ||.
type Binary struct {
	Span
	Op          string
	Left, Right Expr
}

// Compare is left op right: Op is one of = <> < <= > >= (!= is <>).
type Compare struct {
	Span
	Op          string
	Left, Right Expr
}

// Quantified is left op {ALL | ANY | SOME} (query).
type Quantified struct {
	Span
	Op    string
	All   bool
	Left  Expr
	Query *Query
}

// Logical is terms joined by AND, or by OR: at least two.
type Logical struct {
	Span
	Or    bool
	Terms []Expr
}

// Not is NOT x.
type Not struct {
	Span
	X Expr
}

// Between is x [NOT] BETWEEN low AND high.
type Between struct {
	Span
	Not          bool
	X, Low, High Expr
}

// InList is x [NOT] IN (expression, …).
type InList struct {
	Span
	Not  bool
	X    Expr
	List []Expr
}

// InQuery is x [NOT] IN (query).
type InQuery struct {
	Span
	Not   bool
	X     Expr
	Query *Query
}

// Like is x [NOT] LIKE pattern [ESCAPE escape].
type Like struct {
	Span
	Not        bool
	X, Pattern Expr
	Escape     Expr // or nil
}

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	Span
	Not bool
	X   Expr
}

// DistinctFrom is left IS [NOT] DISTINCT FROM right.
type DistinctFrom struct {
	Span
	Not         bool
	Left, Right Expr
}

// Exists is EXISTS (query).
type Exists struct {
	Span
	Query *Query
}

// Subquery is (query) as a value.
type Subquery struct {
	Span
	Query *Query
}

// AtTimeZone is x AT TIME ZONE zone: a *StringLit or an *IntervalLit.
type AtTimeZone struct {
	Span
	X, Zone Expr
}

// Case is CASE [operand] WHEN … THEN … [ELSE …] END.
type Case struct {
	Span
	Operand Expr // or nil
	Whens   []When
	Else    Expr // or nil
}

// When is WHEN cond THEN result.
type When struct {
	Span
	Cond, Result Expr
}

// Cast is CAST(x AS type) or TRY_CAST(x AS type).
type Cast struct {
	Span
	Try  bool
	X    Expr
	Type *Type
}

// Type is a type as written. Name is in lower case and of the plain form:
// "double" for DOUBLE PRECISION, "timestamp with time zone", "interval day to
// second", "row", "array", "map", "decimal", any other name as it is.
type Type struct {
	Span
	Name   string
	Params []TypeParam
}

// TypeParam is a type (of a row perhaps with the field's name) or a number.
type TypeParam struct {
	Span
	Field  *Ident // of a row's field, or nil
	Type   *Type  // or nil: then it is the number
	Number int64
}

// Lambda is x -> body or (x, …) -> body.
type Lambda struct {
	Span
	Params []Ident
	Body   Expr
}

// Array is ARRAY[…].
type Array struct {
	Span
	Elems []Expr
}

// Row is ROW(…) or (a, b).
type Row struct {
	Span
	Elems []Expr
}

func (*NullLit) expr()      {}
func (*BoolLit) expr()      {}
func (*IntLit) expr()       {}
func (*DecimalLit) expr()   {}
func (*DoubleLit) expr()    {}
func (*StringLit) expr()    {}
func (*BinaryLit) expr()    {}
func (*TypedLit) expr()     {}
func (*IntervalLit) expr()  {}
func (*Column) expr()       {}
func (*Field) expr()        {}
func (*Subscript) expr()    {}
func (*Unary) expr()        {}
func (*Binary) expr()       {}
func (*Compare) expr()      {}
func (*Quantified) expr()   {}
func (*Logical) expr()      {}
func (*Not) expr()          {}
func (*Between) expr()      {}
func (*InList) expr()       {}
func (*InQuery) expr()      {}
func (*Like) expr()         {}
func (*IsNull) expr()       {}
func (*DistinctFrom) expr() {}
func (*Exists) expr()       {}
func (*Subquery) expr()     {}
func (*AtTimeZone) expr()   {}
func (*Case) expr()         {}
func (*Cast) expr()         {}
func (*Lambda) expr()       {}
func (*Array) expr()        {}
func (*Row) expr()          {}
