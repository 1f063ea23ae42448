package syntax

// Call is a function call. Forms with a syntax of their own become calls too:
// POSITION(a IN b) is strpos(b, a), SUBSTRING(a FROM b FOR c) is substring(a, b, c),
// TRIM(LEADING c FROM a) is ltrim(a, c), NORMALIZE(a, NFC) is normalize(a, 'NFC').
type Call struct {
	Span
	Name     Name
	Star     bool // count(*)
	Distinct bool
	Args     []Expr
	OrderBy  []SortItem
	Filter   Expr // of FILTER (WHERE …), or nil
	Nulls    NullTreatment
	Over     *Over // or nil
}

// NullTreatment is IGNORE NULLS or RESPECT NULLS.
type NullTreatment int

const (
	NullsUnsaid NullTreatment = iota
	IgnoreNulls
	RespectNulls
)

// Listagg is LISTAGG([DISTINCT] x [, separator] [ON OVERFLOW …]) WITHIN GROUP (ORDER BY …) [FILTER …].
type Listagg struct {
	Span
	Distinct  bool
	X         Expr
	Separator *StringLit // or nil: ''
	Overflow  *Overflow  // or nil: an error
	OrderBy   []SortItem
	Filter    Expr // or nil
}

// Overflow is ON OVERFLOW ERROR, or ON OVERFLOW TRUNCATE ['filler'] {WITH | WITHOUT} COUNT.
type Overflow struct {
	Span
	Truncate  bool
	Filler    *StringLit // or nil: '...'
	WithCount bool
}

// Extract is EXTRACT(field FROM x). Field is a name such as YEAR or dow.
type Extract struct {
	Span
	Field Ident
	X     Expr
}

// Current is CURRENT_DATE and the like.
type Current struct {
	Span
	Kind      CurrentKind
	Precision int // of CURRENT_TIME(p) and the like, -1 when unsaid
}

// CurrentKind names the function that a Current calls.
type CurrentKind int

const (
	CurrentDate CurrentKind = iota
	CurrentTime
	CurrentTimestamp
	LocalTime
	LocalTimestamp
	CurrentUser
	CurrentCatalog
	CurrentSchema
	CurrentPath
)

// Grouping is GROUPING(column, …): each argument is a *Column or a *Field.
type Grouping struct {
	Span
	Args []Expr
}

// JSONInput is x [FORMAT JSON [ENCODING …]].
type JSONInput struct {
	Span
	X        Expr
	Format   bool
	Encoding string // "UTF8", "UTF16", "UTF32" or ""
}

// JSONPath is input, 'path' [PASSING x AS name, …] of a JSON function.
type JSONPath struct {
	Span
	Input   JSONInput
	Path    *StringLit
	Passing []JSONArg
}

// JSONArg is x AS name.
type JSONArg struct {
	Span
	Input JSONInput
	Name  Ident
}

// JSONReturning is RETURNING type [FORMAT JSON [ENCODING …]].
type JSONReturning struct {
	Span
	Type     *Type
	Format   bool
	Encoding string
}

// JSONBehavior is the result of a JSON function ON EMPTY or ON ERROR.
type JSONBehavior struct {
	Span
	Kind    JSONBehaviorKind
	Default Expr // of JSONDefault
}

// JSONBehaviorKind is a kind of JSONBehavior.
type JSONBehaviorKind int

const (
	JSONUnsaid JSONBehaviorKind = iota
	JSONError
	JSONNull
	JSONDefault
	JSONTrue
	JSONFalse
	JSONUnknown
	JSONEmptyArray
	JSONEmptyObject
)

// JSONExists is JSON_EXISTS(path [… ON ERROR]).
type JSONExists struct {
	Span
	Path    JSONPath
	OnError JSONBehavior
}

// JSONValue is JSON_VALUE(path [RETURNING type] [… ON EMPTY] [… ON ERROR]).
type JSONValue struct {
	Span
	Path             JSONPath
	Returning        *Type // or nil
	OnEmpty, OnError JSONBehavior
}

// JSONQuery is JSON_QUERY(path [RETURNING …] [… WRAPPER] [… QUOTES] [… ON EMPTY] [… ON ERROR]).
type JSONQuery struct {
	Span
	Path             JSONPath
	Returning        *JSONReturning // or nil
	Wrapper          JSONWrapper
	OmitQuotes       bool
	OnEmpty, OnError JSONBehavior
}

// JSONWrapper reports whether JSON_QUERY puts its results in an array.
type JSONWrapper int

const (
	WithoutWrapper JSONWrapper = iota
	ConditionalWrapper
	UnconditionalWrapper
)

// JSONObject is JSON_OBJECT(KEY k VALUE v, … [ABSENT ON NULL] [WITH UNIQUE KEYS] [RETURNING …]).
type JSONObject struct {
	Span
	Members      []JSONMember
	AbsentOnNull bool
	UniqueKeys   bool
	Returning    *JSONReturning // or nil
}

// JSONMember is one member of JSON_OBJECT.
type JSONMember struct {
	Span
	Key   Expr
	Value JSONInput
}

// JSONArray is JSON_ARRAY(x, … [NULL ON NULL] [RETURNING …]).
type JSONArray struct {
	Span
	Elems      []JSONInput
	NullOnNull bool
	Returning  *JSONReturning // or nil
}

func (*Call) expr()       {}
func (*Listagg) expr()    {}
func (*Extract) expr()    {}
func (*Current) expr()    {}
func (*Grouping) expr()   {}
func (*JSONExists) expr() {}
func (*JSONValue) expr()  {}
func (*JSONQuery) expr()  {}
func (*JSONObject) expr() {}
func (*JSONArray) expr()  {}
