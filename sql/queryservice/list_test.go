package queryservice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
)

// TestLongTextsInLists: a page of queries ends early where their texts are long, and its cursor leads to all others.
func TestLongTextsInLists(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	const texts, length = 12, 900_000
	for n := range texts {
		q := Query{ID: fmt.Sprint("q", n), State: Failed, SQL: strings.Repeat("x", length), Person: bob.ID, Name: bob.Name, Submitted: d.Now()}
		_, err := d.insert(t.Context(), &q, nil, "", "")
		require.NoError(t, err)
	}
	for limit, pages := range map[int]int{200: 3, 6: 3, texts: 3, 5: 3, 2: 6, 1: 12} {
		var ids []string
		f := Filter{Limit: limit}
		for n := 1; ; n++ {
			list, next, err := d.List(t.Context(), bob, f)
			require.NoError(t, err)
			require.LessOrEqual(t, len(list)*length, maxListed+length)
			for _, q := range list {
				ids = append(ids, q.ID)
			}
			if f.Before = next; next == 0 {
				require.Equal(t, pages, n, "limit %d", limit)
				break
			}
		}
		require.Len(t, ids, texts)
		for n, id := range ids {
			require.Equal(t, fmt.Sprint("q", texts-1-n), id)
		}
	}
}
