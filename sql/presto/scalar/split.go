package scalar

import (
	"strings"
	"unicode/utf8"
)

var splitFuncs = []Func{
	two("split", func(s, by string) (texts, error) { return split(s, by, -1) }),
	three("split3", func(s, by string, limit int64) (texts, error) {
		if limit <= 0 || limit > 1<<31-1 {
			return nil, invalid("Limit must be positive")
		}
		return split(s, by, int(limit))
	}),
	three("split_part", splitPart),
	three("split_to_map", splitToMap),
	three("split_to_multimap", splitToMultimap),
	two("concat_ws", concatWS),
}

// list makes an array of strings.
func list(s []string) texts {
	out := make(texts, len(s))
	for i, x := range s {
		out[i] = x
	}
	return out
}

func split(s, by string, limit int) (texts, error) {
	if by == "" {
		return nil, invalid("The delimiter may not be the empty string")
	}
	return list(strings.SplitN(s, by, limit)), nil
}

// splitPart returns a part, counted from 1. Without a delimiter each character is a part.
func splitPart(s, by string, n int64) (string, error) {
	if n <= 0 {
		return "", invalid("Index must be greater than zero")
	}
	if by == "" {
		if n > int64(utf8.RuneCountInString(s)) {
			return "", errNull
		}
		return substr(s, n, 1), nil
	}
	for ; n > 1; n-- {
		_, rest, ok := strings.Cut(s, by)
		if !ok {
			return "", errNull
		}
		s = rest
	}
	part, _, _ := strings.Cut(s, by)
	return part, nil
}

// entries calls f for each key and value of a text such as a=1;b=2.
func entries(s, between, within, quote string, f func(key, value string) error) error {
	switch {
	case between == "":
		return invalid("entryDelimiter is empty")
	case within == "":
		return invalid("keyValueDelimiter is empty")
	case between == within:
		return invalid("entryDelimiter and keyValueDelimiter must not be the same")
	}
	for s != "" {
		entry, rest, _ := strings.Cut(s, between)
		key, value, ok := strings.Cut(entry, within)
		if !ok || strings.Contains(value, within) {
			return invalid("Key-value delimiter must appear exactly once in each entry. Bad input: %s%s%s", quote, entry, quote)
		}
		if err := f(key, value); err != nil {
			return err
		}
		s = rest
	}
	return nil
}

// splitToMap returns keys and values by turns.
func splitToMap(s, between, within string) (texts, error) {
	seen, out := map[string]bool{}, texts{}
	err := entries(s, between, within, "'", func(key, value string) error {
		if seen[key] {
			return invalid("Duplicate keys (%s) are not allowed", key)
		}
		seen[key] = true
		out = append(out, key, value)
		return nil
	})
	return out, err
}

// splitToMultimap returns an array for each key: the key and its values.
func splitToMultimap(s, between, within string) (textLists, error) {
	at, out := map[string]int{}, textLists{}
	err := entries(s, between, within, "", func(key, value string) error {
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, []any{key})
		}
		out[i] = append(out[i].([]any), value)
		return nil
	})
	return out, err
}

// concatWS joins texts; nulls are left out.
func concatWS(separator string, list texts) (string, error) {
	var parts []string
	for _, s := range list {
		if s, ok := s.(string); ok {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, separator), nil
}
