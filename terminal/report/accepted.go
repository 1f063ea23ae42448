package report

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/etl"
)

// Accepted returns a line about a partition whose acceptance was recorded or revoked.
func Accepted(a etl.Accepted, revoked bool) string {
	if revoked {
		return fmt.Sprintf("%v is not accepted any more", a.Unit)
	}
	return fmt.Sprintf("accepted %v: %s", a.Unit, strings.Join(a.Causes, "; "))
}
