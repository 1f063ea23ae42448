// Package lazy makes values of package variables when they are first used, because every process of the program
// initializes all its packages, also the worker of a query.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles a regular expression at its first call. The function panics if the
// expression is wrong.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
