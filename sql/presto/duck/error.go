package duck

import "strings"

// CastErrors replaces error(text) by a cast that fails with the text. column is any
// value that is not constant.
func CastErrors(sql, column string) string {
	var b strings.Builder
	for {
		at := findError(sql)
		if at < 0 {
			b.WriteString(sql)
			return b.String()
		}
		end := closing(sql, at+len("error"))
		b.WriteString(sql[:at])
		text := sql[at+len("error(") : end]
		b.WriteString("(CASE WHEN CAST((" + text + ") || coalesce(left(CAST(" + column + " AS VARCHAR), 0), '') AS BOOLEAN) THEN NULL END)")
		sql = sql[end+1:]
	}
}

// findError returns the place of "error(" outside of quotes, -1 for none.
func findError(sql string) int {
	for i := 0; i < len(sql); i++ {
		switch {
		case sql[i] == '\'' || sql[i] == '"':
			i = skipQuoted(sql, i)
		case strings.HasPrefix(sql[i:], "error(") && (i == 0 || !isWord(sql[i-1])):
			return i
		}
	}
	return -1
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// skipQuoted returns the place of the quote that ends what begins at i.
func skipQuoted(sql string, i int) int {
	if end := strings.IndexByte(sql[i+1:], sql[i]); end >= 0 {
		return i + 1 + end
	}
	return len(sql) - 1
}

// closing returns the place of the bracket that closes the one at i.
func closing(sql string, i int) int {
	depth := 0
	for ; i < len(sql); i++ {
		switch sql[i] {
		case '\'', '"':
			i = skipQuoted(sql, i)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(sql) - 1
}
