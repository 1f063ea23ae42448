package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
)

func TestErrorText(t *testing.T) {
	db := open(t)
	_, err := try(db, "SELECT 1,\n\t'ü', nosuch\r\nFROM range(1)")
	want := "Binder Error: Referenced column \"nosuch\" not found in FROM clause!\nCandidate bindings: \"range\"\n\nLINE 2: \t'ü', " +
		"nosuch\n        \t     ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var driver *duckdb.Error
	if !errors.As(err, &driver) {
		t.Errorf("%v does not unwrap to the driver's error", err)
	}
	_, err = try(db, "SELECT '"+strings.Repeat("x", 300)+"', nosuch, '"+strings.Repeat("y", 300)+"'")
	lines := strings.Split(err.Error(), "\n")
	if last := lines[len(lines)-1]; len(lines[len(lines)-2]) > 120 || lines[len(lines)-2][len(last)-1:len(last)+5] != "nosuch" {
		t.Errorf("long line:\n%v", err)
	}
}

func TestReportOf(t *testing.T) {
	if _, ok := reportOf(errors.New("other")); ok {
		t.Error("an error of another kind is no report")
	}
	r, ok := reportOf(&duckdb.Error{Msg: "IO Error: plain text"})
	if !ok || r.Type != "IO" || r.Message != "plain text" || r.offset("x") != -1 {
		t.Errorf("plain text: %+v", r)
	}
	r, _ = reportOf(&duckdb.Error{Msg: `Parser Error: {"exception_type":"Parser","exception_message":"m","position":"99"}`})
	if r.Message != "m" || r.offset("äx") != 3 {
		t.Errorf("position behind the end: %+v %d", r, r.offset("äx"))
	}
}
