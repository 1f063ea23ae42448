package sitetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// NewerRecipe stands for the transforms of a newer program in the partitions of MadeByNewer.
const NewerRecipe = "a newer program\n"

// MadeByNewer changes the manifest of a partition into one that a newer version of the program has written. clients are
// columns that name clients, beside those that this program knows.
func MadeByNewer(t testing.TB, s *site.Site, table, day string, clients ...string) {
	t.Helper()
	lt, err := s.Table(table)
	require.NoError(t, err)
	m, err := lt.Partition(t.Context(), day)
	require.NoError(t, err)
	require.Equal(t, lt.Schema.Transforms(), m.Made.Transforms)
	m.Made = &lake.Made{Transforms: m.Made.Transforms + 1, Recipe: NewerRecipe, Clients: append(m.Made.Clients, clients...)}
	for i := range m.Parts {
		m.Parts[i].Work = NewerWork(m.Inputs)
	}
	b, err := json.MarshalIndent(m, "", " ")
	require.NoError(t, err)
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), lt.Path(day, "_manifest.json"), append(b, '\n')))
}

// NewerWork names the work of that program on inputs: as a manifest's parts have it.
func NewerWork(inputs []lake.Input) string {
	h := sha256.New()
	fmt.Fprint(h, NewerRecipe)
	for _, in := range inputs {
		fmt.Fprintln(h, in.Name, in.Generation)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
