package archive

import (
	"strings"
	"testing"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

func TestScope(t *testing.T) {
	const pings, rejected = "pings/v1/submission_date_obj=", "errors/v1/submission_date_obj="
	for _, c := range []struct{ load, scope string }{
		{RewriteName("20180601", "main", "d1"), pings + "20180601/"},
		{RewriteName("20180601", ping.DocType(strings.Repeat("\xff/", 30)), strings.Repeat("x", 60)), pings + "20180601/"},
		{RewriteErrorsName("20180601", strings.Repeat("x", 60)), rejected + "20180601/"},
		{RewriteErrorsName("", "a.b.c"), rejected + naming.NoDay + "/"},
		{"re-0123456789abcdef01234567", ""},
		{"re-pings.20180601", ""},
		{"re-pings.20180631.x", ""},
		{"re-pings.none.x", ""},
		{"re-main.20180601.x", ""},
		{"re-expired.20180601T000000Z.pings.20180501.01234567", ""},
		{"re-", ""},
	} {
		if got := scopeOf(c.load); got != c.scope {
			t.Errorf("%s: %q instead of %q", c.load, got, c.scope)
		}
		if err := naming.CheckLoad(c.load); err != nil && c.scope != "" {
			t.Errorf("%s: %v", c.load, err)
		}
	}
	if RewriteName("20180601", "main", "d1") == RewriteName("20180601", "crash", "d1") {
		t.Error("two document types have one name")
	}
}

// TestScopeReading damages the record of a load that can only concern one day:
// who reads another does not notice.
func TestScopeReading(t *testing.T) {
	b := store.NewMemory()
	load(t, b, "x", Options{}, plain(10, 50))
	rejectLoad(t, b, "y")
	o := RewriteOptions{Load: RewriteName("20180604", "main", "d1"), Drop: func(m *ping.Meta) bool { return rowfile.SampleOf(m) == 3 }}
	if got, err := RewriteDay(ctx, b, "20180604", "main", o); err != nil || got.Rows != 1 || got.Load != o.Load {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := state(t, b); got != "20180604/main:9 errors 20180601:y1,y2,errors 20180602:y3," {
		t.Errorf("got %s", got)
	}
	for _, name := range []string{RewriteName("20180605", "main", "d2"), RewriteErrorsName("20180601", "d2"), RewriteErrorsName("", "d2")} {
		if err := store.WriteFile(ctx, b, naming.Record(name), []byte("{")); err != nil {
			t.Fatal(err)
		}
	}
	d, err := OpenDay(ctx, b, "20180604", "main")
	if err != nil || d.Rows() != 9 {
		t.Errorf("the day: %v", err)
	}
	if types, err := DocTypes(ctx, b, "20180604"); err != nil || len(types) != 1 {
		t.Errorf("its document types: %v, %v", types, err)
	}
	if e, err := OpenErrors(ctx, b, "20180602"); err != nil || e.Rows() != 1 {
		t.Errorf("rejected submissions: %v", err)
	}
	if _, err := OpenErrors(ctx, b, "20180601"); err == nil {
		t.Error("rejected submissions of a day with a damaged record: no error")
	}
	infos, err := Days(ctx, b)
	if err != nil || len(infos) != 1 || infos[0].Damage != nil {
		t.Errorf("a damaged record of another day: %+v, %v", infos, err)
	}
	if all, err := damageBelow(ctx, b, []string{naming.Pings + "/", naming.Errors + "/"}); err != nil || len(all) != 3 ||
		all[2].Day != "20180605" {
		t.Errorf("the damage: %v, %v", all, err)
	}
}
