package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Error means that a query failed. It has DuckDB's message and, if DuckDB reports one, the place in the user's text.
type Error struct {
	Kind    string // "Binder Error", "Parser Error", "IO Error", "Not supported", …
	Message string
	Table   string // the table whose file could not be read, or ""
	Hint    string // what to do, or ""
	Line    int    // 1-based line of the place, 0 when there is none
	Column  int    // 1-based character in that line
	Text    string // that line
	cause   error
}

// Error returns message, place and hint. If the place is known the text has several lines, with an excerpt of the
// query.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Table != "" {
		fmt.Fprintf(&b, "read table %s: ", e.Table)
	}
	b.WriteString(e.Kind + ": " + e.Message)
	if e.Line > 0 {
		b.WriteString("\n\n" + e.excerpt())
	}
	if e.Hint != "" {
		b.WriteString("\nhint: " + e.Hint)
	}
	return b.String()
}

// Unwrap returns the cause, an error of DuckDB's driver.
func (e *Error) Unwrap() error { return e.cause }

// excerptWidth is the number of characters of a long line that are shown around the place.
const excerptWidth = 100

// excerpt shows the line with a caret below the place.
func (e *Error) excerpt() string {
	line := []rune(e.Text)
	at := min(max(0, e.Column-1), len(line))
	from := max(0, at-excerptWidth/2)
	to := min(len(line), from+excerptWidth)
	prefix := "LINE " + strconv.Itoa(e.Line) + ": "
	blank := make([]rune, 0, excerptWidth)
	for _, c := range line[from:at] {
		if c != '\t' {
			c = ' '
		}
		blank = append(blank, c)
	}
	return prefix + string(line[from:to]) + "\n" + strings.Repeat(" ", len(prefix)) + string(blank) + "^"
}

// newError returns an error at a byte offset of the query.
func newError(sql string, offset int, kind, message, hint string) *Error {
	e := &Error{Kind: kind, Message: message, Hint: hint}
	if offset < 0 {
		return e
	}
	offset = min(offset, len(sql))
	start := strings.LastIndexByte(sql[:offset], '\n') + 1
	e.Line = 1 + strings.Count(sql[:start], "\n")
	e.Column = 1 + utf8.RuneCountInString(sql[start:offset])
	e.Text, _, _ = strings.Cut(sql[start:], "\n")
	e.Text = strings.TrimSuffix(e.Text, "\r")
	return e
}

// report is DuckDB's JSON for an error if errors_as_json is set.
type report struct {
	Type     string `json:"exception_type"`
	Message  string `json:"exception_message"`
	Position string `json:"position"`
	Subtype  string `json:"error_subtype"`
	Name     string `json:"name"`
	Call     string `json:"call"`
	Entry    string `json:"type"`
}

// reportOf decodes DuckDB's report. ok is false for other errors.
func reportOf(err error) (report, bool) {
	var e *duckdb.Error
	if !errors.As(err, &e) {
		return report{}, false
	}
	text, r := e.Msg, report{}
	if i := strings.IndexByte(text, '{'); i > 0 && strings.HasPrefix(text[i:], `{"exception_type"`) {
		text = text[i:]
	}
	if json.Unmarshal([]byte(text), &r) == nil && r.Type != "" {
		return r, true
	}
	r.Type, r.Message, _ = strings.Cut(e.Msg, ": ")
	r.Type = strings.TrimSuffix(r.Type, " Error")
	return r, true
}

// offset returns the place of the report as a byte offset in the text that DuckDB received, -1 if there is none. The
// parser counts characters, all other components bytes.
func (r report) offset(text string) int {
	n, err := strconv.Atoi(r.Position)
	if err != nil || n < 0 {
		return -1
	}
	if r.Type != "Parser" {
		return min(n, len(text))
	}
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// codes matches Presto's error names, which Go functions and translations write.
var codes = lazy.Regexp(`^(?:database/sql/driver: API error: )?([A-Z]+(?:_[A-Z]+)+): `)

// kind returns the error's kind and message; the kind is Presto's if the message has one of Presto's names.
func (r report) kind() (kind, message string) {
	if m := codes().FindStringSubmatch(r.Message); m != nil {
		return m[1], strings.TrimSpace(r.Message[len(m[0]):])
	}
	return r.Type + " Error", strings.TrimSpace(r.Message)
}

// explain converts an error that DuckDB reports on text, a translated query or a part of one, to an Error for the
// user's query. A place in text minus shift is the place in the translation.
func (db *DB) explain(ctx context.Context, sql string, q rewritten, text string, shift int, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("run query: %w", context.Cause(ctx))
	}
	r, ok := reportOf(err)
	if !ok {
		return fmt.Errorf("run query: %w", err)
	}
	at := r.offset(text)
	if at >= 0 {
		if at -= shift; at >= 0 {
			at = q.origin(at)
		}
	}
	kind, message := r.kind()
	e := newError(sql, at, kind, message, "")
	e.cause = err
	db.advise(e, r)
	return e
}

// dayAsDate matches the error of CAST(submission_date_obj AS date).
var dayAsDate = lazy.Regexp(`Value cannot be cast to (date|timestamp): \d{8}$`)

// advise adds hints on the lake's tables, which DuckDB does not know.
func (db *DB) advise(e *Error, r report) {
	message, _, _ := strings.Cut(e.Message, "\nDid you mean")
	switch {
	case r.Subtype == "MISSING_ENTRY" && r.Entry == "Table":
		// Views are made when a query names them, so DuckDB guesses badly.
		e.Message, e.Hint = message, db.tableHint(r.Name)
	case r.Subtype == "NO_MATCHING_FUNCTION":
		e.Message, _, _ = strings.Cut(e.Message, "\n\tCandidate functions:\n\t+(")
	case dayAsDate().MatchString(e.Message):
		e.Hint = "date_parse(…, '%Y%m%d') reads such text"
	case r.Type != "Parser" && r.Type != "Binder" && r.Type != "Catalog":
		e.Table = db.tableOf(e.Message)
		if e.Table != "" {
			e.Line = 0
		}
	}
}
