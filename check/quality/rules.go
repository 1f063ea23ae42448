package quality

// Rule names the kind of a change.
type Rule string

// The rules, the gravest first.
const (
	Missing    Rule = "missing"
	Failed     Rule = "check"
	RowsJump   Rule = "rows"
	ClientJump Rule = "clients"
	BytesJump  Rule = "bytes"
	WentNull   Rule = "null"
	CameAlive  Rule = "alive"
	NullsMoved Rule = "nulls"
	EmptyMoved Rule = "empty"
	Repeats    Rule = "repeated"
	Vanished   Rule = "vanished"
	NewValue   Rule = "new"
	Fewer      Rule = "fewer"
	More       Rule = "more"
	Moved      Rule = "typical"
)

// Rules says of each rule what it finds, and how much its score counts.
var Rules = []struct {
	Rule   Rule
	Doc    string
	Weight float64
}{
	{Missing, "the day is not published although days before and after are", 1},
	{Failed, "a check of the partition has failed, or could not be made", 1},
	{RowsJump, "there are more or fewer rows", 1},
	{ClientJump, "there are more or fewer clients", 0.95},
	{BytesJump, "a row takes more or fewer bytes", 0.6},
	{WentNull, "a column that had values is null in nearly all rows", 1},
	{CameAlive, "a column that was null has values", 0.4},
	{NullsMoved, "the share of nulls has changed", 0.9},
	{EmptyMoved, "the share of empty lists has changed", 0.8},
	{Repeats, "the share of documents that are there more than once has changed", 1},
	{Vanished, "a value is gone", 0.9},
	{NewValue, "a value is new", 0.5},
	{Fewer, "a value has a smaller share of the rows", 0.9},
	{More, "a value has a larger share of the rows", 0.7},
	{Moved, "the median of a column's numbers, or of its sizes, has moved", 0.8},
}
