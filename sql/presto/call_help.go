package presto

import (
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/signature"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

var signatures sync.Map // text: *signature.Signature

// parsed returns a signature, read once. The lists of functions are tested to be readable.
func parsed(text string) *signature.Signature {
	if s, ok := signatures.Load(text); ok {
		return s.(*signature.Signature)
	}
	s, err := signature.Parse(text)
	if err != nil {
		panic(err)
	}
	signatures.Store(text, s)
	return s
}

func functionHint(name string) string {
	if hint := foreign[name]; hint != "" {
		return hint
	}
	names := make([]string, 0, len(functions.All())+len(conditionals))
	for known := range functions.All() {
		names = append(names, known)
	}
	for known := range conditionals {
		names = append(names, known)
	}
	slices.Sort(names)
	return didYouMean(name, names)
}

// argumentHint suggests a correction for arguments that do not fit.
func argumentHint(f *functions.Function, args []Expr) string {
	for _, a := range args {
		if a.Lambda == nil && a.Type.Kind == types.Varchar && takes(f, types.Date, types.Timestamp, types.TimestampTZ) {
			return "text is no time: date_parse(…, '%Y%m%d'), from_iso8601_timestamp(…) or CAST(… AS date) make one of it"
		}
	}
	return ""
}

// takes reports whether a form has a parameter of one of the kinds.
func takes(f *functions.Function, kinds ...types.Kind) bool {
	for _, form := range f.Forms {
		for _, p := range parsed(form.Signature).Params {
			if p.Var == "" && p.Lambda == nil && p.Type.Is(kinds...) {
				return true
			}
		}
	}
	return false
}

func typeList(e *syntax.Call, args []Expr) string {
	list := make([]string, len(args))
	for i, a := range args {
		if list[i] = a.Type.String(); e.Args[i] != nil {
			if _, lambda := e.Args[i].(*syntax.Lambda); lambda {
				list[i] = "function"
			}
		}
	}
	return strings.Join(list, ", ")
}

func formList(f *functions.Function) string {
	list := make([]string, 0, len(f.Forms))
	for _, form := range f.Forms {
		in, _, _ := strings.Cut(form.Signature, " -> ")
		if !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	if len(list) > 6 {
		list = append(list[:6], "…")
	}
	return strings.Join(list, " or ")
}
