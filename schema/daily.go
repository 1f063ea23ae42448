package schema

import "strings"

// mainFixed finds the doc and type of the fixed main_summary columns, from
// which those of the daily tables follow.
var mainFixed = func() map[string]Column {
	m := map[string]Column{}
	for _, cols := range [][]Column{
		mainIdentity, mainSystem, mainSession, mainCounters, mainAddons, mainMeasures, mainThresholds(),
	} {
		for _, c := range cols {
			m[c.Name] = c
		}
	}
	return m
}()

// about returns the doc of a main_summary column as the continuation of a sentence.
func about(column string) string {
	if c, ok := mainFixed[column]; ok {
		return lowerFirst(c.Doc)
	}
	return "main_summary column " + column
}

// lowerFirst makes the start of a sentence its middle, but keeps acronyms.
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

func ruled(name, typ, source string, rule Rule, doc string) Column {
	c := col(name, typ, source, doc)
	c.Rule = rule
	return c
}

func derived(name, typ, source, doc string) Column {
	return ruled(name, typ, source, RuleFunc, doc)
}

func key(name, typ string) Column {
	return ruled(name, typ, name, RuleKey, upperFirst(about(name)))
}

func first(name, typ string) Column {
	return ruled(name, typ, name, RuleFirst, "First known value of the day: "+about(name))
}

func total(name, source string) Column {
	return ruled(name, "long", source, RuleTotal, "Sum of the day: "+about(source))
}

func mean(name, source string) Column {
	return ruled(name, "double", source, RuleMean, "Mean of the day: "+about(source))
}

func largest(name, source string) Column {
	return ruled(name, "int", source, RuleMax, "Largest value of the day: "+about(source))
}

// place is one of the four columns about where the client was: all come from
// the first ping with a known country. Without such a ping they are null.
func place(name, doc string) Column {
	source := name
	if name != "country" {
		source, doc = "country, "+name, doc+"; ?? when only the country is known"
	}
	return ruled(name, "string", source, RulePlace, "Of the day's first ping with a known country: "+doc+"; null when there is none")
}

// hours sums a column of seconds as hours, each row rounded to the scale.
func hours(name, typ, source string) Column {
	return ruled(name, typ, source, RuleHours, "Sum of the day in hours: "+about(source))
}

// combined sums a scalar of the parent and the content process, of the rows
// that have both.
func combined(scalar string) Column {
	return ruled("scalar_combined_"+scalar+"_sum", "long",
		"scalar_parent_"+scalar+", scalar_content_"+scalar, RuleCombined,
		"Sum of the day over the parent and content processes: scalar "+scalar)
}

// searches counts the searches from one part of the browser.
func searches(name, part string) Column {
	c := ruled(name, "long", "search_counts", RuleSearches, "Searches of the day from "+part)
	c.Arg = part
	return c
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Inputs lists the main_summary columns that a table made from main_summary
// reads, in main_summary's order.
func Inputs(t *Table, main *Table) []Column {
	wanted := map[string]bool{}
	for _, c := range t.Columns {
		for _, s := range strings.Split(c.Source, ",") {
			s, _, _ = strings.Cut(strings.TrimSpace(s), "[]")
			wanted[s] = true
		}
	}
	for _, s := range t.Requires {
		wanted[s] = true
	}
	wanted["submission_date_obj"] = true // the day of the run
	if t.Whole {
		wanted["client_id"] = true // rows are bounded by client
	}
	var cols []Column
	for _, c := range main.Columns {
		if wanted[c.Name] {
			cols = append(cols, c)
		}
	}
	return cols
}

// Nullable returns a copy of columns that may all be null: for main_summary rows that do not come from a published
// table.
func Nullable(cols []Column) []Column {
	out := append([]Column(nil), cols...)
	for i := range out {
		out[i].NotNull = false
	}
	return out
}
