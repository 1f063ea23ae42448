package view

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int64{
		"":                      0,
		"VARCHAR":               16,
		"BIGINT[]":              24,
		"MAP(VARCHAR, INTEGER)": 36,
		`STRUCT("BIGINT" BOOLEAN, "a ""DATE"" b" DOUBLE)`:                                     9,
		"STRUCT(sum BIGINT, \"values\" MAP(VARCHAR, STRUCT(x TIMESTAMP, y DECIMAL(10,2))[]))": 8 + 16 + 16 + 8 + 16 + 16,
		"TIMESTAMP WITH TIME ZONE":                                                            16,
		`STRUCT("open`:                                                                        0,
	} {
		require.Equal(t, want, Column{Type: text}.Width(), text)
	}
}
