package etl

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
)

// TestRecipes: other columns of a table need another version of the transforms. Older programs, which would make the table
// in another way, recognise newer partitions by nothing else.
func TestRecipes(t *testing.T) {
	b, err := os.ReadFile("testdata/recipes.txt")
	require.NoError(t, err)
	for _, table := range schema.NewSet(&schema.Probes{}).Tables {
		line := fmt.Sprintln(table.Name, table.Version, table.Transforms(), lake.Fingerprint(table.Fixed()))
		if !strings.Contains(string(b), line) {
			t.Errorf("%s has other columns: raise transformVersion (schema), name them in Table.Changed, and add to testdata/recipes.txt, whose "+
				"other lines of releases stay:\n%s", table.Name, line)
		}
	}
}
