package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// definition is one scalar or histogram definition as read from YAML or JSON:
// member name to nil, string, bool, json.Number, []any or something else. A
// member that is null reads as absent.
type definition map[string]any

// definedKind reads the member "kind", which has to be one of names.
func definedKind[K ~uint8](d definition, names []string) (K, error) {
	switch v := d["kind"].(type) {
	case nil:
		return 0, fmt.Errorf("kind is missing (want %s)", choice(names))
	case string:
		if k, ok := kindNamed[K](v, names); ok {
			return k, nil
		}
		return 0, fmt.Errorf("unknown kind %s (want %s)", describe(v), choice(names))
	default:
		return 0, fmt.Errorf("kind is %s (want %s)", describe(v), choice(names))
	}
}

// keyed reads the member "keyed": true, false, or one of these as text.
func (d definition) keyed() (bool, error) {
	switch v := d["keyed"].(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	case string:
		if v == "true" || v == "false" {
			return v == "true", nil
		}
	}
	return false, fmt.Errorf("keyed is %s (want true or false)", describe(d["keyed"]))
}

// texts reads a member that is a list of texts; absent is true when it is not there.
func (d definition) texts(member string) (list []string, absent bool, err error) {
	v := d[member]
	if v == nil {
		return nil, true, nil
	}
	items, ok := v.([]any)
	if !ok {
		return nil, false, fmt.Errorf("%s is %s (want a list of texts)", member, describe(v))
	}
	for i, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, false, fmt.Errorf("%s: entry %d is %s (want a text)", member, i+1, describe(item))
		}
		list = append(list, s)
	}
	return list, false, nil
}

// integer reads a size. Plain integers count, as a number or as text; any other
// number or text is a symbolic size, which only the vendor's compiler knows,
// so ok is false as for an absent one.
func (d definition) integer(member string) (n int, ok bool, err error) {
	var text string
	switch v := d[member].(type) {
	case nil:
		return 0, false, nil
	case json.Number:
		text = v.String()
	case string:
		text = v
	default:
		return 0, false, fmt.Errorf("%s is %s (want an integer)", member, describe(v))
	}
	n, err = strconv.Atoi(text)
	return n, err == nil, nil
}

// doc returns the description in one line.
func (d definition) doc() string {
	s, _ := d["description"].(string)
	return strings.Join(strings.Fields(s), " ")
}

// processes reads the member "record_in_processes", where "all" means the processes all; names are the raw ones.
func (d definition) processes(all []Process) (ps []Process, names []string, err error) {
	names, absent, err := d.texts("record_in_processes")
	return processesOf(names, absent, all), names, err
}

// describe names a value in an error message, never at length.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if len(v) > 40 {
			return fmt.Sprintf("%.40q…", v)
		}
		return strconv.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return "the number " + fmt.Sprintf("%.40s", v)
	case []any:
		return "a list"
	default:
		return "a mapping"
	}
}

// choice writes names as "a, b or c".
func choice(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
