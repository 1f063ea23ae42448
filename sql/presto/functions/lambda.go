package functions

import "strings"

// Apply returns the body of the lambda for arguments in DuckDB's SQL, which are written in place of the parameters: as
// often as the body names them.
func (l *Lambda) Apply(args ...string) string {
	to := map[string]string{}
	for i, p := range l.Params {
		to[p] = args[i]
	}
	var b strings.Builder
	for i := 0; i < len(l.Body); {
		end := tokenEnd(l.Body, i)
		token := l.Body[i:end]
		if arg, ok := to[token]; ok && !isField(l.Body, i, end) {
			token = arg
		}
		b.WriteString(token)
		i = end
	}
	return b.String()
}

// isField reports whether the word from i to end names a field: after a dot, or before a colon.
func isField(sql string, i, end int) bool {
	before, after := strings.TrimRight(sql[:i], " "), strings.TrimLeft(sql[end:], " ")
	return strings.HasSuffix(before, ".") || strings.HasPrefix(after, ":") && !strings.HasPrefix(after, "::")
}

// tokenEnd returns the end of the word, the quoted text or the other byte at i.
func tokenEnd(sql string, i int) int {
	switch c := sql[i]; {
	case c == '\'' || c == '"':
		if n := strings.IndexByte(sql[i+1:], c); n >= 0 {
			return i + n + 2
		}
		return len(sql)
	case !isWord(c):
		return i + 1
	}
	for i < len(sql) && isWord(sql[i]) {
		i++
	}
	return i
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
