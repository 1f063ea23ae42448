package scalar

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// The functions of SQL/JSON return a mark and a text. The SQL around them decides by the mark: v a value, n null, e
// nothing at the path, x an error.
var sqlJSONFuncs = []Func{
	three("json_value", jsonValue),
	four("json_query", jsonQuery),
	two("json_exists", jsonExists),
}

// errStructure is that a value has not the structure that a strict path says.
var errStructure = errors.New("PATH_EVALUATION_ERROR: path evaluation failed: structural error")

// items returns what is at a path.
func items(text, path string) ([]*jsonNode, error) {
	p, err := parseSQLPath(path)
	if err != nil {
		return nil, err
	}
	s := &scanner{text: text}
	root := s.tree(1)
	if s.bad {
		return nil, errors.New("JSON_INPUT_CONVERSION_ERROR: conversion to JSON failed")
	}
	found := []*jsonNode{root}
	for _, step := range p.steps {
		var next []*jsonNode
		for _, n := range found {
			if next, err = step.from(n, p.strict, next); err != nil {
				return nil, err
			}
		}
		found = next
	}
	return found, nil
}

// from adds what a step finds in a value. A lax path looks into the elements of an array for members, and takes
// another value for an array of one element.
func (step *sqlStep) from(n *jsonNode, strict bool, found []*jsonNode) ([]*jsonNode, error) {
	switch {
	case step.array:
		if n.kind != 'a' {
			if strict {
				return nil, errStructure
			}
			n = &jsonNode{kind: 'a', kids: []*jsonNode{n}}
		}
		return step.fromArray(n.kids, strict, found)
	case n.kind == 'a' && !strict:
		for _, k := range n.kids {
			found = step.fromObject(k, found)
		}
		return found, nil
	case n.kind != 'o' && strict:
		return nil, errStructure
	}
	before := len(found)
	if found = step.fromObject(n, found); strict && !step.star && len(found) == before {
		return nil, errStructure
	}
	return found, nil
}

func (step *sqlStep) fromObject(n *jsonNode, found []*jsonNode) []*jsonNode {
	for i, key := range n.keys {
		if step.star || key == step.member {
			found = append(found, n.kids[i])
		}
	}
	return found
}

func (step *sqlStep) fromArray(kids []*jsonNode, strict bool, found []*jsonNode) ([]*jsonNode, error) {
	if step.star {
		return append(found, kids...), nil
	}
	for _, r := range step.ranges {
		from, to := r[0], r[1]
		if from < 0 {
			from += len(kids)
		}
		if to < 0 {
			to += len(kids)
		}
		if strict && (from < 0 || to >= len(kids) || from > to) {
			return nil, errStructure
		}
		for i := max(from, 0); i <= to && i < len(kids); i++ {
			found = append(found, kids[i])
		}
	}
	return found, nil
}

// marked returns an error of the data as a mark. One of the path or the function is the query's.
func marked(err error) (string, error) {
	if e := (*Error)(nil); errors.As(err, &e) {
		return "", err
	}
	return "x" + err.Error(), nil
}

func jsonExists(text, path string) (string, error) {
	found, err := items(text, path)
	if err != nil {
		return marked(err)
	}
	return "v" + strconv.FormatBool(len(found) > 0), nil
}

// jsonValue returns a scalar as the text of a type: varchar, bigint, integer, smallint, tinyint, double or boolean.
func jsonValue(text, path, as string) (string, error) {
	found, err := items(text, path)
	switch {
	case err != nil:
		return marked(err)
	case len(found) == 0:
		return "e", nil
	case len(found) > 1 || found[0].kind == 'o' || found[0].kind == 'a':
		return "xJSON_VALUE_RESULT_ERROR: cannot extract SQL scalar from JSON: not a single scalar", nil
	case found[0].kind == '0':
		return "n", nil
	}
	if s, ok := found[0].as(as); ok {
		return "v" + s, nil
	}
	return "xJSON_VALUE_RESULT_ERROR: cannot extract SQL scalar from JSON: no " + as, nil
}

// integerBits are the widths of integers.
var integerBits = map[string]int{"bigint": 64, "integer": 32, "smallint": 16, "tinyint": 8}

// as writes a scalar as a value of a type; false if it is none.
func (n *jsonNode) as(typ string) (string, bool) {
	f, err := strconv.ParseFloat(n.text, 64)
	if math.IsInf(f, 0) {
		err = nil
	}
	double := n.kind == 'n' && strings.ContainsAny(n.text, ".eE")
	i, errInt := strconv.ParseInt(n.text, 10, 64)
	switch {
	case n.kind == 'n' && !double && errInt != nil:
		return "", false // as Trino, which has no larger integers here
	case n.kind == 'b':
		f = map[string]float64{"true": 1}[n.text]
		i, err, errInt = int64(f), nil, nil
	case double:
		errInt = nil
		if f >= 1<<63 || f < -1<<63 {
			errInt = strconv.ErrRange
		}
		i = saturated(halfAwayFromZero(f))
	}
	switch typ {
	case "varchar":
		if double {
			return scientific(strconv.FormatFloat(f, 'E', -1, 64)), true
		}
		return n.text, true
	case "double":
		return Double(f), err == nil
	case "boolean":
		return n.boolean(f)
	}
	unused := 64 - integerBits[typ]
	return strconv.FormatInt(i, 10), errInt == nil && i<<unused>>unused == i
}

func (n *jsonNode) boolean(f float64) (string, bool) {
	if n.kind != 's' {
		return strconv.FormatBool(f != 0), true
	}
	switch strings.ToLower(n.text) {
	case "true", "t", "1":
		return "true", true
	case "false", "f", "0":
		return "false", true
	}
	return "", false
}

// jsonQuery returns JSON: with a wrapper of none, always or conditional in an array, without the quotes of a string if
// they are omitted.
func jsonQuery(text, path, wrapper string, omitQuotes bool) (string, error) {
	found, err := items(text, path)
	switch {
	case err != nil:
		return marked(err)
	case len(found) == 0:
		return "e", nil
	case wrapper == "always" || wrapper == "conditional" && (len(found) > 1 || found[0].kind != 'o' && found[0].kind != 'a'):
		found = []*jsonNode{{kind: 'a', kids: found}}
	case len(found) > 1:
		return "xJSON_OUTPUT_CONVERSION_ERROR: conversion from JSON failed: JSON path found multiple items", nil
	}
	if omitQuotes && found[0].kind == 's' {
		return "v" + found[0].text, nil
	}
	var out strings.Builder
	out.WriteByte('v')
	found[0].write(&out)
	return out.String(), nil
}
