package loader

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

func TestRejectedGroups(t *testing.T) {
	ctx := context.Background()
	s := sitetest.Memory(t, store.NewMemory())
	loadStrictly(t, s, strictSchemas(t), mixedSubmissions())
	for _, c := range []struct {
		filter RejectedFilter
		rows   int64
		groups int
	}{
		{RejectedFilter{}, 21, 2},
		{RejectedFilter{DocType: "new-profile"}, 20, 1},
		{RejectedFilter{Classes: []string{"uri"}}, 1, 1},
		{RejectedFilter{To: "20180228"}, 0, 0},
		{RejectedFilter{From: "20180301", To: "20180301", Classes: []string{"json"}}, 20, 1},
	} {
		groups, err := RejectedGroups(ctx, s.Archive, c.filter)
		require.NoError(t, err)
		rows := int64(0)
		for _, g := range groups {
			rows += g.Rows
			if g.Day != sitetest.Day || g.Example == "" {
				t.Errorf("%+v", g)
			}
		}
		shown := int64(0)
		for r, err := range Rejected(ctx, s.Archive, c.filter) {
			if err != nil || r.Day != sitetest.Day || len(r.Body) == 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			shown++
		}
		if rows != c.rows || shown != c.rows || len(groups) != c.groups {
			t.Errorf("%+v: %d rows in %d groups, %d shown", c.filter, rows, len(groups), shown)
		}
	}
	for range Rejected(ctx, s.Archive, RejectedFilter{}) {
		break
	}
	if _, err := RejectedGroups(ctx, s.Archive, RejectedFilter{From: "x"}); err == nil {
		t.Error("x is a day")
	}
	for _, err := range Rejected(ctx, s.Archive, RejectedFilter{From: "20180302", To: "20180301"}) {
		if err == nil {
			t.Error("days go backwards")
		}
	}
}

func TestRejectedGroupsAreBounded(t *testing.T) {
	groups := map[RejectedCount]*RejectedGroup{}
	for i := range maxCounts + 10 {
		r := archive.Rejected{Class: "json"}
		r.Meta.SetString(ping.DocTypeField, fmt.Sprint(i))
		countRejected(groups, sitetest.Day, &r)
	}
	if g := groups[RejectedCount{Class: "json", DocType: OtherTypes}]; len(groups) != maxCounts+1 || g == nil || g.Rows != 10 {
		t.Errorf("%d groups, the last %+v", len(groups), g)
	}
}
