package types

import "testing"

// TestParse: types are read as they are printed, and DuckDB's as stored.
func TestParse(t *testing.T) {
	for _, text := range []string{
		"integer", "decimal(37,6)", "varchar", "varchar(3)", "timestamp(3)", "timestamp(0) with time zone", "interval day to second",
		"array(row(x integer, varchar(1)))", "map(varchar, array(bigint))", `row("a b" double, interval year to month)`,
	} {
		got, err := Parse(text)
		if err != nil || got.String() != text {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for duck, want := range map[string]string{
		"STRUCT(engine VARCHAR, count BIGINT)[]":  "array(row(engine varchar, count bigint))",
		"MAP(VARCHAR, STRUCT(\"a b\" INTEGER[]))": `map(varchar, row("a b" array(integer)))`,
		"DECIMAL(37,6)":                            "decimal(37,6)",
		"MAP(VARCHAR, MAP(INTEGER, INTEGER))":      "map(varchar, map(integer, integer))",
		"STRUCT(\"date\" DATE, \"t\" TIMESTAMP)[]": "array(row(date date, t timestamp(6)))",
	} {
		got, err := FromDuckDB(duck)
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v", duck, got, err)
		}
	}
	for _, text := range []string{"", "nothing", "array", "map(integer)", "integer)", "row(", "array(integer"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

// TestCommon: the answers of Trino's typeof(if(true, a, b)).
func TestCommon(t *testing.T) {
	for _, c := range [][3]string{
		{"integer", "bigint", "bigint"}, {"integer", "decimal(2,1)", "decimal(11,1)"}, {"bigint", "real", "real"}, {"real", "double", "double"},
		{"decimal(2,1)", "double", "double"}, {"decimal(2,1)", "real", "real"}, {"varchar(2)", "varchar(3)", "varchar(3)"},
		{"varchar", "varchar(3)", "varchar"},
		{"unknown", "date", "date"}, {"date", "timestamp(3)", "timestamp(3)"},
		{"timestamp(0)", "timestamp(3) with time zone", "timestamp(3) with time zone"},
		{"array(integer)", "array(bigint)", "array(bigint)"}, {"row(x integer)", "row(y bigint)", "row(bigint)"},
		{"decimal(38,0)", "decimal(5,2)", "decimal(38,2)"},
		{"integer", "varchar", ""}, {"boolean", "integer", ""}, {"date", "varchar(3)", ""}, {"array(integer)", "integer", ""},
	} {
		a, _ := Parse(c[0])
		b, _ := Parse(c[1])
		for range 2 {
			got, ok := Common(a, b)
			if ok != (c[2] != "") || ok && got.String() != c[2] {
				t.Errorf("%s and %s: %s %v", a, b, got, ok)
			}
			a, b = b, a
		}
	}
}
