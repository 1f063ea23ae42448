package config

import (
	"fmt"
	"strings"
)

// QueryDays reads the values of query.table-days: days of a table without and with a condition on the sample.
func QueryDays(values []string) (map[string][2]int, error) {
	all := map[string][2]int{}
	for _, v := range values {
		name, days, err := splitQueryDays(v)
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

// queryDays checks one value of query.table-days.
func queryDays(text string) error {
	_, _, err := splitQueryDays(text)
	return err
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
