package functions

import (
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/sql/presto/types"
)

// Kind determines where a function may be called.
type Kind uint8

// The kinds of functions. An aggregate may also be called over a window.
const (
	Scalar Kind = iota
	Aggregate
	Window
)

// Function is a name with its forms. The form whose signature takes the
// arguments with the fewest coercions is called; among equals the first.
type Function struct {
	Name    string
	Aliases []string // other names
	Kind    Kind
	Doc     string // one sentence
	Forms   []Form
}

// Form is one signature of a function and its translation.
type Form struct {
	// Signature is as in Trino's SHOW FUNCTIONS: "(array(T), bigint) -> T". Names of one capital letter
	// stand for any type, the same one wherever they occur; E may be any comparable one. Z stands for each
	// integer type: index makes a form for each of them, and replaces <Z> in the SQL by DuckDB's name of it.
	// "T..." as the last argument takes any number of them, "function(T, U)" is a lambda, and
	// decimal without parameters is any decimal. varchar takes varchars of any length.
	Signature string
	// SQL is the translation: $1, $2, … are the arguments, $* those of "T..." (all arguments if there are
	// no others) with commas between. An argument that is written more than once is bound to a name first.
	// In an aggregate @name( begins the call of a DuckDB aggregate: DISTINCT, ORDER BY, FILTER and OVER go to each
	// of these; @@name( takes no DISTINCT.
	SQL string
	// Write, if not nil, gives the translation instead of SQL, where it depends on types or constants. It may
	// also narrow the type of the result.
	Write func(c *Call) (Result, error)
	// Nulls means that the function sees null arguments; others are null if an argument is, because DuckDB's are. A
	// translation whose DuckDB function is not null then must say so itself.
	Nulls bool
}

// Result is a translated call.
type Result struct {
	SQL  string
	Type types.Type // the zero Type: that of the signature
}

// Call is a call whose form has been found: its arguments are already
// of the types of the signature.
type Call struct {
	Name string
	Args []Arg
	Type types.Type // of the result by the signature
	// Distinct means that the call of an aggregate has DISTINCT and no ORDER BY.
	Distinct bool
	// Vars are the types that the type variables stand for.
	Vars map[string]types.Type
}

// Arg is an argument of a call.
type Arg struct {
	SQL  string // an expression in DuckDB's SQL that can stand anywhere: in brackets if it needs them
	Type types.Type
	// Text is the value if the argument is a constant: text as it is, numbers in decimal notation.
	Text     string
	Constant bool
	// Lambda is set if the argument is one; Type is then the body's.
	Lambda *Lambda
}

// sqls returns the SQL of each argument.
func sqls(args []Arg) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.SQL
	}
	return out
}

// Lambda is an argument such as (x, y) -> x + y. Arg.SQL is it in DuckDB's
// syntax, "(lambda x, y: x + y)".
type Lambda struct {
	Params []string     // as written in Body
	Types  []types.Type // of the parameters
	Body   string       // in DuckDB's SQL
}

// All returns the functions by name, in lower case. They are made when they are first used.
var All = sync.OnceValue(func() map[string]*Function { return index(lists...) })

// lists are the families of functions, each in a file of its own.
var lists = [][]Function{
	textFunctions, patternFunctions, jsonFunctions, urlFunctions, binaryFunctions, mathFunctions,
	arrayFunctions, arrayLambdaFunctions, sequenceFunctions, mapFunctions,
	aggregateFunctions, statisticFunctions, percentileFunctions, sketchFunctions, windowFunctions,
	timeFields, timeMath, timeFormats,
}

// direct returns a function that package scalar implements under the same name with the same arguments.
func direct(name, doc, signature string) Function {
	return Function{Name: name, Doc: doc, Forms: []Form{{Signature: signature, SQL: "presto_" + name + "($*)"}}}
}

// index joins the forms of functions with the same name, such as those of concat for texts and for arrays. Each alias
// becomes a function with the same forms.
func index(lists ...[]Function) map[string]*Function {
	all := map[string]*Function{}
	for _, f := range slices.Concat(lists...) {
		f.Forms = integers(f.Forms)
		for _, name := range append(f.Aliases, f.Name) {
			f.Name = name
			known := all[name]
			switch {
			case known == nil:
				own := f
				all[name] = &own
			case known.Kind != f.Kind:
				panic("functions: " + name + " is of two kinds")
			default:
				known.Forms = slices.Concat(known.Forms, f.Forms)
			}
		}
	}
	return all
}

// integers replaces each form for Z by one for each integer type.
func integers(forms []Form) []Form {
	var all []Form
	for _, f := range forms {
		if !strings.Contains(f.Signature, "Z") {
			all = append(all, f)
			continue
		}
		for _, typ := range []string{"tinyint", "smallint", "integer", "bigint"} {
			typed := f
			typed.Signature = strings.ReplaceAll(f.Signature, "Z", typ)
			typed.SQL = strings.ReplaceAll(f.SQL, "<Z>", strings.ToUpper(typ))
			all = append(all, typed)
		}
	}
	return all
}

// Refused are functions of Trino that are not here, and what to do instead.
var Refused = map[string]string{
	"word_stem": "", "bar": "", "color": "", "render": "", "rgb": "",
	"spooky_hash_v2_32": "xxhash64 and murmur3 are here", "spooky_hash_v2_64": "xxhash64 and murmur3 are here",
	"checksum": "count(*), sum(…) and count(DISTINCT …) tell tables apart", "make_set_digest": "", "merge_set_digest": "", "hash_counts": "",
	"intersection_cardinality": "", "jaccard_index": "",
	"classify": "", "features": "", "regress": "", "learn_classifier": "", "learn_libsvm_classifier": "", "learn_regressor": "",
	"convex_hull_agg": "", "geometry_union_agg": "", "bing_tile": "", "great_circle_distance": "", "to_geometry": "",
	"from_unixtime_nanos": "from_unixtime has milliseconds", "from_iso8601_timestamp_nanos": "from_iso8601_timestamp has milliseconds",
}

// Find returns the function of a name in any case, nil if there is none.
func Find(name string) *Function { return All()[strings.ToLower(name)] }
