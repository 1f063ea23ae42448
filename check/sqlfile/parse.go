package sqlfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/sql/query"
)

// definition holds the properties that a file gives its check.
type definition struct {
	name, table, rule string
	severity          check.Severity
	dialect           query.Dialect
	sql               string
}

var checkName = lazy.Regexp(`^[a-z][a-z0-9_]*$`)

// parse reads the name of a file, without its folder, and its text.
func parse(file, text string) (definition, error) {
	d := definition{sql: text}
	parts := strings.Split(strings.TrimSuffix(file, ".sql"), ".")
	declared := map[string]string{}
	switch len(parts) {
	case 1:
	case 3:
		declared["table"], declared["severity"] = parts[1], parts[2]
	default:
		return d, fmt.Errorf("its name is neither NAME.TABLE.SEVERITY.sql nor NAME.sql")
	}
	if d.name = parts[0]; !checkName().MatchString(d.name) {
		return d, fmt.Errorf("the name %q is not of small letters, digits and underscores", d.name)
	}
	if err := comments(text, declared); err != nil {
		return d, err
	}
	if declared["table"] == "" {
		return d, fmt.Errorf("it does not say which table it is about: a line -- table: NAME, or NAME.TABLE.SEVERITY.sql")
	}
	d.table, d.rule = declared["table"], declared["doc"]
	if d.rule == "" {
		d.rule = "the query returns no rows"
	}
	if declared["severity"] == "" {
		return d, fmt.Errorf("it does not say how severe it is: a line -- severity: error or warning, or NAME.TABLE.SEVERITY.sql")
	}
	var err error
	if d.dialect, err = query.ParseDialect(declared["dialect"]); err != nil {
		return d, err
	}
	d.severity, err = check.ParseSeverity(declared["severity"])
	return d, err
}

// keys lists the properties that comment lines may set.
var keys = []string{"table", "severity", "doc", "dialect"}

// comments reads the comment lines at the beginning of a text: the ones of the
// form "-- key: value" with a known key.
func comments(text string, declared map[string]string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		rest, is := strings.CutPrefix(line, "--")
		if !is && line != "" {
			return nil
		}
		key, value, is := strings.Cut(rest, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !is || !slices.Contains(keys, key) {
			continue
		}
		if before := declared[key]; before != "" && before != value {
			return fmt.Errorf("it says %s %s and %s", key, before, value)
		}
		declared[key] = value
	}
	return nil
}

// render puts a day, YYYYMMDD, into a query.
func render(sql, day string) string {
	return strings.NewReplacer("{day}", day, "{date}", day[:4]+"-"+day[4:6]+"-"+day[6:]).Replace(sql)
}
