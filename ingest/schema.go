package ingest

import (
	"bytes"
	"errors"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pingmill/pingmill/ping"
)

// checker checks documents. If the schema uses only the usual draft 4 keywords, its program checks them
// directly on the bytes; otherwise the general validator checks a tree. Both return the same verdict.
type checker struct {
	general *jsonschema.Schema
	program *node // nil: a keyword is not supported
	places  int   // of the program, see walker.guesses
	plain   bool  // see walker.plain
	walkers sync.Pool
}

func newChecker(s *jsonschema.Schema) *checker {
	program, places, err := compileProgram(s)
	if err != nil {
		return &checker{general: s}
	}
	return &checker{general: s, program: program, places: places}
}

// errNumber rejects numbers that would take the general validator a long time.
var errNumber = errors.New("a number is beyond 1e400 or of more than 800 characters")

// violation describes how a valid, scanned JSON document violates the schema: the violated keyword, the path of
// the value and the name of a missing or surplus member. It returns "" if the document is valid. If one of
// several forms is required, it describes the violation of the nearest form. The text contains no values of the
// document.
func (s *checker) violation(doc *ping.Doc) string {
	if s.program == nil {
		return s.violationGeneral(doc.Bytes())
	}
	w, _ := s.walkers.Get().(*walker)
	if w == nil {
		w = &walker{guesses: make([]*property, s.places), plain: s.plain}
	}
	defer s.walkers.Put(w)
	return w.verdict(s.program, doc)
}

func (s *checker) violationGeneral(doc []byte) string {
	if hasExtremeNumber(doc) {
		return errNumber.Error()
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return err.Error()
	}
	err = s.general.Validate(v)
	if err == nil {
		return ""
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	first := firstViolation(invalid)
	return first.text()
}

// hasExtremeNumber reports whether a valid JSON document has a number that is long in itself or by its
// exponent.
func hasExtremeNumber(b []byte) bool {
	for p := 0; p < len(b); {
		switch c := b[p]; {
		case c == '"':
			p = skipString(b, p)
		case c == '-' || c >= '0' && c <= '9':
			end := skipNumber(b, p)
			d := parseDecimal(b[p:end])
			if d.exp > 400 || d.exp < -400 || end-p > 800 {
				return true
			}
			p = end
		default:
			p++
		}
	}
	return false
}
