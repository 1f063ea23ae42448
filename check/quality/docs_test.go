package quality

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentation: docs/quality.md lists the rules with what they find.
func TestDocumentation(t *testing.T) {
	doc, err := os.ReadFile("../../docs/quality.md")
	require.NoError(t, err)
	for _, r := range Rules {
		require.Contains(t, string(doc), fmt.Sprintf("| `%s` | %s | %g |\n", r.Rule, r.Doc, r.Weight))
	}
	require.Equal(t, len(Rules), strings.Count(string(doc), "\n| `"))
}
