package pgwire

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/query"
)

// setting is a parameter of a session.
type setting struct {
	value     string
	announced bool // sent to the client at the start
	fixed     bool // accepts no other value; of the others, only dialect has an effect
}

// defaults returns the settings that clients read or set. The version is one whose catalog queries the server
// supports.
func defaults() map[string]setting {
	return map[string]setting{
		"server_version": {"13.0", true, true}, "server_version_num": {"130000", false, true}, "server_encoding": {"UTF8", true, true},
		"client_encoding": {"UTF8", true, true}, "standard_conforming_strings": {"on", true, true}, "integer_datetimes": {"on", true, true},
		"DateStyle": {"ISO, MDY", true, false}, "IntervalStyle": {"postgres", true, true}, "TimeZone": {"UTC", true, false},
		"is_superuser": {"off", true, true}, "session_authorization": {"", true, true}, "application_name": {"", true, false},
		"default_transaction_read_only": {"on", true, true}, "in_hot_standby": {"off", true, true},
		"dialect": {string(query.Presto), true, false}, "search_path": {bi.Schema, false, false}, "extra_float_digits": {"1", false, false},
		"transaction_isolation": {"read committed", false, false}, "default_transaction_isolation": {"read committed", false, false},
		"transaction_read_only": {"on", false, false}, "statement_timeout": {"0", false, false}, "lock_timeout": {"0", false, false},
		"idle_in_transaction_session_timeout": {"0", false, false}, "client_min_messages": {"notice", false, false},
		"bytea_output": {"hex", false, true}, "max_identifier_length": {"63", false, true}, "max_index_keys": {"32", false, true},
		"lc_collate": {"C", false, true},
		"lc_ctype":   {"C", false, true}, "lc_messages": {"C", false, false}, "lc_monetary": {"C", false, false},
		"row_security": {"off", false, false},
		"datestyle":    {"ISO, MDY", false, false}, "xmloption": {"content", false, false}, "jit": {"off", false, false},
	}
}

// find finds a setting by its name in any case.
func (c *session) find(name string) (string, bool) {
	if _, ok := c.settings[name]; ok {
		return name, true
	}
	names := slices.Sorted(maps.Keys(c.settings))
	i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// maxValue is the maximum length of a setting's value in bytes, because every catalog query gets all settings.
const maxValue = 1000

// set changes a setting.
func (c *session) set(name, value string) error {
	if len(value) > maxValue {
		return &failure{code: "22023", message: fmt.Sprintf("a value has more than %d bytes", maxValue)}
	}
	if !utf8.ValidString(value) {
		return &failure{code: "22021", message: "a value is not UTF-8"}
	}
	name, ok := c.find(name)
	if !ok {
		return &failure{code: "42704", message: "unrecognized configuration parameter"}
	}
	s := c.settings[name]
	if value == "" || strings.EqualFold(value, "default") {
		value = c.begun[name].value
	}
	switch {
	case name == "dialect":
		if _, err := query.ParseDialect(value); err != nil {
			return &failure{code: "22023", message: err.Error()}
		}
	case name == "client_encoding" && slices.Contains([]string{"utf8", "utf-8", "unicode"}, strings.ToLower(value)):
		value = s.value
	case s.fixed && !strings.EqualFold(value, s.value):
		return &failure{code: "22023", message: fmt.Sprintf("%s is %s, and cannot be another", name, s.value)}
	}
	s.value = value
	c.settings[name] = s
	return nil
}

// dialect returns the dialect of the session's queries.
func (c *session) dialect() query.Dialect { return query.Dialect(c.settings["dialect"].value) }

// choose applies the parameters of the startup message.
func (c *session) choose(given map[string]string) error {
	c.settings, c.begun = defaults(), defaults()
	defer func() { c.begun = maps.Clone(c.settings) }()
	who := c.settings["session_authorization"]
	who.value = c.person.Name
	c.settings["session_authorization"] = who
	for name, value := range given {
		switch name {
		case "user", "replication":
		case "database": // for clients that can set nothing else
			if value == string(query.DuckDB) {
				if err := c.set("dialect", value); err != nil {
					return err
				}
			}
		case "options":
			if err := c.options(value); err != nil {
				return err
			}
		default:
			if strings.HasPrefix(name, "_pq_.") {
				continue
			}
			if err := c.set(name, value); err != nil {
				return fmt.Errorf("%.100q: %w", name, err)
			}
		}
	}
	return nil
}

// options parses -c name=value and --name=value.
func (c *session) options(text string) error {
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "-c" && i+1 < len(words) {
			i++
			word = words[i]
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-c"), "--"), "=")
		if !ok {
			return &failure{code: "22023", message: "want -c name=value"}
		}
		if err := c.set(name, value); err != nil {
			return err
		}
	}
	return nil
}
