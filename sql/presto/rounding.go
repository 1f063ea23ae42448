package presto

import (
	"fmt"
	"slices"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// Rounded is a decimal literal that makes a quotient a decimal of few digits, which surprises: 100.0 * 1 / 3 is 33.3. With an
// exponent, as in 100.0e0, the literal and the quotient are doubles.
type Rounded struct {
	Literal string `json:"literal" doc:"as it is written"`
	Double  string `json:"double" doc:"the same number as a double"`
	Digits  int    `json:"digits" doc:"behind the point of the quotient"`
}

// String describes what the literal does, and what to write instead.
func (r Rounded) String() string {
	digits := "whole numbers"
	if r.Digits > 0 {
		digits = fmt.Sprintf("%d digits behind the point", r.Digits)
	}
	if r.Digits == 1 {
		digits = "1 digit behind the point"
	}
	return fmt.Sprintf("%s is a decimal, which rounds a quotient to %s: write %s for a double", r.Literal, digits, r.Double)
}

const (
	fewDigits  = 2 // of a quotient that is noted
	maxRounded = 5 // literals that are noted
)

// appendRounded appends the literals of an expression that make a quotient a decimal of few digits.
func appendRounded(all []Rounded, text string, e *syntax.Binary, quotient types.Type) []Rounded {
	if quotient.Scale > fewDigits {
		return all
	}
	syntax.Inspect(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Query:
			return false // it appends its own
		case *syntax.DecimalLit:
			literal := n.Bounds().Text(text)
			known := slices.ContainsFunc(all, func(r Rounded) bool { return r.Literal == literal })
			if !known && len(all) < maxRounded {
				all = append(all, Rounded{literal, literal + "e0", quotient.Scale})
			}
		}
		return true
	})
	return all
}
