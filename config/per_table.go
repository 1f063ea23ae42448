package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// maxDays bounds a number of days: a century.
const maxDays = 36500

// CheckTables reports an error if a setting names a table that an installation lacks. Tables of Glean pings are known only with
// an installation or its definitions, so the values of the setting have been accepted with any name.
func CheckTables[T any](key string, named map[string]T, tables []*schema.Table) error {
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if names := schema.Names(tables); !slices.Contains(names, name) {
			return fmt.Errorf("%s: no such table as %s: want one of %s", Call(key), name, strings.Join(names, ", "))
		}
	}
	return nil
}

// TableDays reads the values of retention.table: days by the name of the table.
func TableDays(values []string) (map[string]int, error) { return byTable(values, splitTableDays) }

// QueryDays reads the values of query.table-days: days of a table without and with a condition on the sample.
func QueryDays(values []string) (map[string][2]int, error) { return byTable(values, splitQueryDays) }

// tableDays checks one value of retention.table.
func tableDays(text string) error {
	_, _, err := splitTableDays(text)
	return err
}

// queryDays checks one value of query.table-days.
func queryDays(text string) error {
	_, _, err := splitQueryDays(text)
	return err
}

// byTable reads values that begin with the name of a table, each of them once.
func byTable[T any](values []string, split func(text string) (table string, value T, err error)) (map[string]T, error) {
	all := map[string]T{}
	for _, v := range values {
		name, value, err := split(v)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", v, err)
		}
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("%q: %s is there twice", v, name)
		}
		all[name] = value
	}
	return all, nil
}

func splitTableDays(text string) (name string, days int, err error) {
	name, number, ok := strings.Cut(text, "=")
	if days, err = dayCount(number); !ok || err != nil {
		return "", 0, fmt.Errorf("want a table and a number of days up to %d, such as main_summary=90", maxDays)
	}
	name, err = tableName(name)
	return name, days, err
}

func splitQueryDays(text string) (name string, days [2]int, err error) {
	name, numbers, ok := strings.Cut(text, "=")
	for i, number := range strings.SplitN(numbers, "/", 2) {
		n, err := dayCount(number)
		if !ok || err != nil {
			return "", days, fmt.Errorf("want a table and numbers of days up to %d, such as main_summary=14/60", maxDays)
		}
		days[i] = n
	}
	if !strings.Contains(numbers, "/") {
		days[1] = days[0]
	}
	name, err = tableName(name)
	return name, days, err
}
func dayCount(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err == nil && (n < 0 || n > maxDays) {
		err = strconv.ErrRange
	}
	return n, err
}

func tableName(text string) (string, error) {
	name := strings.TrimSpace(text)
	if !tableNames().MatchString(name) {
		return "", errors.New("want the name of a table, such as main_summary")
	}
	return name, nil
}
