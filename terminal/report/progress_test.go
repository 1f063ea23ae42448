package report

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
)

// TestBarText: table and day are whole, and 80 columns have room for them and a bar.
func TestBarText(t *testing.T) {
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	for _, table := range schema.NewSet(p).Tables {
		text := barText(job.Unit{Table: table.Name, Day: "20180301"}, 123e9, 456e9, 9*time.Hour+59*time.Minute+59*time.Second, true)
		if !strings.HasPrefix(text, table.Name+" 20180301 ") || len(text) > 72 {
			t.Errorf("%d characters: %q", len(text), text)
		}
	}
}
