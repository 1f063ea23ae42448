package saved

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/saved/document"
)

// TestAnnotations: everybody sees annotations of the days, but for names of restricted tables; owners and administrators
// remove them.
func TestAnnotations(t *testing.T) {
	s, _ := testStore(t)
	a := s.Annotations()
	release, err := a.Create(t.Context(), analyst, "2018-03-13", " 59.0 is released ")
	require.NoError(t, err)
	require.Equal(t, "59.0 is released", release.Text)
	hidden, err := a.Create(t.Context(), searcher, "2018-03-01", "The Secret was wrong")
	require.NoError(t, err)

	list, err := a.List(t.Context(), searcher, "2018-03-01", "2018-03-13")
	require.NoError(t, err)
	require.Equal(t, []Annotation{hidden, release}, list)
	list, err = a.List(t.Context(), analyst, "2018-03-01", "2018-12-31")
	require.NoError(t, err)
	require.Equal(t, []Annotation{release}, list)
	list, err = a.List(t.Context(), searcher, "2018-03-02", "2018-03-12")
	require.NoError(t, err)
	require.Empty(t, list)

	require.ErrorIs(t, a.Delete(t.Context(), analyst, hidden.ID), ErrNoAnnotation)
	require.ErrorIs(t, a.Delete(t.Context(), admin, hidden.ID), ErrNoAnnotation)
	require.ErrorIs(t, a.Delete(t.Context(), searcher, release.ID), document.ErrNotYours)
	require.NoError(t, a.Delete(t.Context(), admin, release.ID))
	require.NoError(t, a.Delete(t.Context(), searcher, hidden.ID))
	require.ErrorIs(t, a.Delete(t.Context(), searcher, hidden.ID), ErrNoAnnotation)

	for _, c := range [][2]string{{"20180301", "x"}, {"2018-02-30", "x"}, {"", "x"}, {"2018-03-01", "  "}, {"2018-03-01", "a\nb"},
		{"2018-03-01", strings.Repeat("x", 201)}, {"2018-03-01", "\xff"}} {
		_, err := a.Create(t.Context(), analyst, c[0], c[1])
		var invalid *document.InvalidError
		require.ErrorAs(t, err, &invalid, "%q", c)
	}
}
