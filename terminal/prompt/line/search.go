package line

import (
	"strings"

	"github.com/pingmill/pingmill/terminal/cli"
)

// searching is a search in the history.
type searching struct {
	before state // the text before the search
	query  string
	found  int // index of the found entry, -1: none
}

func (s *searching) line() string {
	if s.found < 0 && s.query != "" {
		return "nothing was typed like: " + cli.Safe(s.query)
	}
	return "search: " + cli.Safe(s.query)
}

// find shows the newest entry before index `before` that contains the query.
func (e *Editor) find(before int) {
	s := e.search
	query := strings.ToLower(s.query)
	for i := before - 1; i >= 0; i-- {
		text := e.History(i)
		if n := strings.Index(strings.ToLower(text), query); n >= 0 && text != e.text {
			s.found = i
			e.text, e.at = text, min(n, len(text))
			return
		}
	}
	if before == e.HistoryLen() {
		s.found = -1
	}
}

// searchKey handles a key during a search. It returns false if the key must also be handled as usual.
func (e *Editor) searchKey(k key) (handled bool) {
	s := e.search
	switch {
	case k.text != "" && !k.pasted:
		s.query += k.text
		e.text, e.at = "", 0
		e.find(e.HistoryLen())
	case k.name == "backspace":
		if s.query != "" {
			s.query = s.query[:(&buffer{text: s.query}).previous(len(s.query))]
		}
		e.text, e.at = "", 0
		e.find(e.HistoryLen())
	case k.name == "ctrl-r":
		if s.found >= 0 {
			e.find(s.found)
		}
	case k.name == "ctrl-c", k.name == "ctrl-g":
		e.text, e.at, e.search = s.before.text, s.before.at, nil
	default:
		e.search = nil
		e.at = len(e.text)
		return k.name == "esc"
	}
	return true
}
