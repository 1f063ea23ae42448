package rowfile

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/lake/parquet"
)

// TestStatisticsAreKept: what is known of a row group does not change when the memory of its footer has that of another file.
func TestStatisticsAreKept(t *testing.T) {
	g := grouper{kind: Pings, values: map[string][]byte{}}
	footer := []byte("Firefox")
	for leaf := range 2 {
		g.visit(0, leaf, parquet.Statistics{Min: footer, Max: footer})
	}
	g.visit(0, 2, parquet.Statistics{Min: []byte{}, Max: nil})
	copy(footer, "Fennec!")
	for _, s := range g.groups[0][:2] {
		assert.Equal(t, known{all: true, value: []byte("Firefox")}, g.knownText(s, 5))
	}
	assert.NotNil(t, g.groups[0][2].Min)
	assert.Nil(t, g.groups[0][2].Max)
}
