package glean

import "strings"

// ColumnName returns the column of a metric id or of another name of a document: browser.engagement.uri_count is
// browser_engagement_uri_count, clientId is client_id.
func ColumnName(name string) string {
	out := make([]byte, 0, len(name)+4)
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case isUpper(c):
			if i > 0 && (isLower(name[i-1]) || isUpper(name[i-1]) && i+1 < len(name) && isLower(name[i+1])) {
				out = append(out, '_')
			}
			c += 'a' - 'A'
		case !isLower(c) && !isDigit(c):
			c = '_'
		}
		if c == '_' && len(out) > 0 && out[len(out)-1] == '_' {
			continue
		}
		out = append(out, c)
	}
	column := strings.Trim(string(out), "_")
	if column != "" && isDigit(column[0]) {
		return "_" + column
	}
	return column
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// ApplicationID returns the namespace of an application's submissions: org.mozilla.firefox is org-mozilla-firefox.
func ApplicationID(id string) string { return folded(id, '-') }

// TableName returns the table of an application's ping, or the schema of SQL of the application without a ping.
func TableName(parts ...string) string { return folded(strings.Join(parts, "_"), '_') }

// folded returns a name in lower case with other characters than letters, digits and underscores replaced.
func folded(name string, by byte) string {
	out := []byte(strings.ToLower(name))
	for i, c := range out {
		if !isLower(c) && !isDigit(c) && (c != '_' || by != '_') {
			out[i] = by
		}
	}
	return string(out)
}

// oneLine returns a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
