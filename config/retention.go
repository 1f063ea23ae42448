package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/schema"
)

// maxDays bounds a number of days: a century.
const maxDays = 36500

// TableDays reads the values of retention.table: days by the name of the table.
func TableDays(values []string) (map[string]int, error) {
	all := map[string]int{}
	for _, v := range values {
		name, days, err := splitTableDays(v)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", v, err)
		}
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("%q: %s is there twice", v, name)
		}
		all[name] = days
	}
	return all, nil
}

// tableDays checks one value of retention.table.
func tableDays(text string) error {
	_, _, err := splitTableDays(text)
	return err
}

func splitTableDays(text string) (name string, days int, err error) {
	name, number, ok := strings.Cut(text, "=")
	if days, err = dayCount(number); !ok || err != nil {
		return "", 0, fmt.Errorf("want a table and a number of days up to %d, such as main_summary=90", maxDays)
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
	if names := schema.Names(schema.NewSet(&schema.Probes{}).Tables); !slices.Contains(names, name) {
		return "", errors.New("no such table: want one of " + strings.Join(names, ", "))
	}
	return name, nil
}
