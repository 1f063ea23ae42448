package view

import (
	"slices"
	"strings"
)

// Prune returns the column with only those members of its structs that are at paths or below them. It returns false if a path is
// empty, which means the whole column, or if there is no such member.
func (c Column) Prune(paths [][]string) (Column, bool) {
	t, ok := prune(c.Type, paths)
	return Column{Name: c.Name, Type: t}, ok
}

func prune(typ string, paths [][]string) (string, bool) {
	below := map[string][][]string{}
	for _, p := range paths {
		if len(p) == 0 {
			return typ, true
		}
		below[p[0]] = append(below[p[0]], p[1:])
	}
	var selected []string
	ok := eachMember(typ, func(name, member string) bool {
		paths, wanted := below[name]
		if !wanted {
			return true
		}
		delete(below, name)
		t, ok := prune(member, paths)
		selected = append(selected, QuoteName(name)+" "+t)
		return ok
	})
	return "STRUCT(" + strings.Join(selected, ", ") + ")", ok && len(below) == 0 && len(selected) > 0
}

// eachMember calls f with name and type of each member of a struct until it returns false, and reports whether typ is a struct
// and f always returned true.
func eachMember(typ string, f func(name, member string) bool) bool {
	rest, ok := strings.CutPrefix(typ, "STRUCT(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return false
	}
	rest = rest[:len(rest)-1]
	for rest != "" {
		n := element(rest)
		part := strings.TrimSpace(rest[:n])
		rest = rest[min(n+1, len(rest)):]
		end := nameEnd(part)
		if end <= 0 || end >= len(part) || part[end] != ' ' {
			return false
		}
		name := part[:end]
		if name[0] == '"' {
			name = strings.ReplaceAll(name[1:end-1], `""`, `"`)
		}
		if !f(name, strings.TrimSpace(part[end:])) {
			return false
		}
	}
	return true
}

// element returns the length of a text up to the comma that is in no brackets and no name.
func element(s string) int {
	depth, quoted := 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth < 0 { // of a struct that is an element of a list
				return len(s)
			}
		case c == ',' && depth == 0:
			return i
		}
	}
	return len(s)
}

// nameEnd returns the length of the name at the beginning of a text.
func nameEnd(s string) int {
	if s == "" || s[0] != '"' {
		return strings.IndexByte(s, ' ')
	}
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 == len(s) || s[i+1] != '"' {
			return i + 1
		}
		i++
	}
	return -1
}

// PathsIn returns the paths of members of a column that a text of a plan names, as in metrics.counter.x>5 or
// struct_extract(metrics, 'counter'). The path of the column without a member is empty.
func (c Column) PathsIn(text string) (paths [][]string) {
	for at := 0; ; {
		n := strings.Index(text[at:], c.Name)
		if n < 0 {
			return paths
		}
		start := at + n
		at = start + len(c.Name)
		if start > 0 && inName(text[start-1]) || at < len(text) && inName(text[at]) {
			continue
		}
		end := at
		for end < len(text) && (text[end] == '.' || inName(text[end])) {
			end++
		}
		path := strings.Split(strings.TrimRight(text[at:end], "."), ".")[1:]
		paths, at = append(paths, append(slices.Clone(path), extracted(text[:start], text[end:])...)), end
	}
}

// extracted returns the members that calls of struct_extract around a text take from it.
func extracted(before, after string) (path []string) {
	for strings.HasSuffix(before, "struct_extract(") {
		before = strings.TrimSuffix(before, "struct_extract(")
		rest, ok := strings.CutPrefix(after, ", '")
		if !ok {
			break
		}
		name, rest, ok := strings.Cut(rest, "')")
		if !ok || strings.Contains(name, "'") {
			break
		}
		path, after = append(path, name), rest
	}
	return path
}

func inName(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
