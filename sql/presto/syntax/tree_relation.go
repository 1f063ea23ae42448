package syntax

// Relation is one of FROM: *TableName, *Derived, *Unnest, *Lateral, *Join,
// *Aliased or *Sampled.
type Relation interface {
	Node
	relation()
}

// TableName is a table or a CTE.
type TableName struct {
	Span
	Name Name
}

// Derived is (query) in FROM.
type Derived struct {
	Span
	Query *Query
}

// Unnest is UNNEST(expression, …) [WITH ORDINALITY].
type Unnest struct {
	Span
	Args       []Expr
	Ordinality bool
}

// Lateral is LATERAL (query).
type Lateral struct {
	Span
	Query *Query
}

// Aliased is relation [AS] alias [(columns)].
type Aliased struct {
	Span
	Relation Relation
	Alias    Ident
	Columns  []Ident
}

// Sampled is relation TABLESAMPLE {BERNOULLI | SYSTEM} (percentage).
type Sampled struct {
	Span
	Relation   Relation
	System     bool
	Percentage Expr
}

// Join is left [NATURAL] kind JOIN right [ON … | USING (…)].
type Join struct {
	Span
	Kind        JoinKind
	Comma       bool // a comma in FROM, of kind Cross
	Natural     bool
	Left, Right Relation
	On          Expr // or nil
	Using       []Ident
}

// JoinKind is a kind of join.
type JoinKind int

const (
	CrossJoin JoinKind = iota
	InnerJoin
	LeftJoin
	RightJoin
	FullJoin
)

func (*TableName) relation() {}
func (*Derived) relation()   {}
func (*Unnest) relation()    {}
func (*Lateral) relation()   {}
func (*Aliased) relation()   {}
func (*Sampled) relation()   {}
func (*Join) relation()      {}

// WindowDef is one of WINDOW: name AS (specification).
type WindowDef struct {
	Span
	Name Ident
	Spec *WindowSpec
}

// Over is OVER name or OVER (specification): exactly one is set.
type Over struct {
	Span
	Name *Ident
	Spec *WindowSpec
}

// WindowSpec is [base] [PARTITION BY …] [ORDER BY …] [frame], without parentheses.
type WindowSpec struct {
	Span
	Base        *Ident // a window that this one extends, or nil
	PartitionBy []Expr
	OrderBy     []SortItem
	Frame       *Frame // or nil
}

// Frame is {ROWS | RANGE | GROUPS} start, or … BETWEEN start AND end.
type Frame struct {
	Span
	Unit  FrameUnit
	Begin Bound
	End   *Bound // nil: the current row
}

// FrameUnit is the unit of a window frame.
type FrameUnit int

const (
	FrameRange FrameUnit = iota
	FrameRows
	FrameGroups
)

// Bound is one end of a frame.
type Bound struct {
	Span
	Kind BoundKind
	Expr Expr // of Preceding and Following
}

// BoundKind is a kind of Bound.
type BoundKind int

const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)
