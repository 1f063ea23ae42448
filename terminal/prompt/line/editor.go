// Package line edits text of several lines on a terminal: history, search in it, lists
// of completions, pasting. It draws relative to where it began, and asks the terminal nothing.
package line

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// ErrInterrupted is Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// Editor reads texts from a terminal.
type Editor struct {
	In  *os.File
	Out io.Writer
	// Size is that of the terminal.
	Size func() (width, height int)
	// First and Next are written before the first line of a text and the others.
	First, Next string
	// Complete gives the word at the end of before, and what it may become.
	Complete func(before, after string) (word string, offers []Offer)
	// Accepts says whether Enter ends the text, and how much of it, from its beginning, stays for
	// the next Read.
	Accepts func(text string) (ends bool, stays int)
	// History gives one of HistoryLen texts, 0 the oldest.
	History    func(n int) string
	HistoryLen func() int
	// Edit lets a text be edited in another program.
	Edit func(text string) (string, error)

	buffer
	walked int    // line of the history that is shown, HistoryLen for none
	typed  string // what was there before
	list   *list
	search *searching
	notice string
	prefix string // "ctrl-x" after that key
	drawn  drawing
	tty    terminal
	width  int    // of the screen when it was drawn
	stays  string // text that the next Read begins with
	result result

	mu   sync.Mutex
	said string // by Notice
}

// result is how a text ends.
type result struct {
	done bool
	text string
	err  error
}

// Read reads one text. The error is io.EOF after Ctrl-D with nothing typed, and
// ErrInterrupted after Ctrl-C.
func (e *Editor) Read() (string, error) {
	if err := e.tty.raw(e.In); err != nil {
		return "", err
	}
	defer e.tty.restore()
	fmt.Fprint(e.Out, "\x1b[?2004h") // pasted text says that it is
	defer fmt.Fprint(e.Out, "\x1b[?2004l")
	e.buffer = buffer{cut: e.cut}
	e.set(e.stays)
	e.stays, e.list, e.search, e.notice, e.drawn, e.result = "", nil, nil, "", drawing{}, result{}
	e.walked = e.HistoryLen()
	for {
		if !e.tty.pending() {
			e.refresh()
		}
		k, err := e.tty.key()
		switch {
		case errors.Is(err, errWoken):
			e.mu.Lock()
			e.notice, e.said = cmp.Or(e.said, e.notice), ""
			e.mu.Unlock()
			continue
		case err != nil:
			e.leave()
			return "", err
		}
		e.press(k)
		if e.result.done {
			e.leave()
			return e.result.text, e.result.err
		}
	}
}

// Notice shows a text below what is typed, until the next key. Any goroutine may call it.
func (e *Editor) Notice(text string) {
	e.mu.Lock()
	e.said = text
	e.mu.Unlock()
	e.tty.wake()
}

// Restore gives the terminal back as it was before Read, for the end of the process.
func (e *Editor) Restore() { e.tty.restore() }

// Quiet stops the echo of what is typed while something else is on the screen, until undo; the
// next Read gets it.
func (e *Editor) Quiet() (undo func()) {
	e.tty.quiet(e.In)
	return e.tty.restore
}

// press does what a key is for.
func (e *Editor) press(k key) {
	e.notice = ""
	if e.search != nil && e.searchKey(k) {
		return
	}
	if e.list != nil {
		switch k.name {
		case "tab", "down", "right", "ctrl-n":
			e.complete(1)
			return
		case "shift-tab", "up", "left", "ctrl-p":
			e.complete(-1)
			return
		case "esc", "ctrl-c", "ctrl-g":
			e.dismiss()
			return
		}
		chosen := e.list.chosen >= 0
		e.list = nil
		if k.name == "enter" && chosen {
			return
		}
	}
	if e.prefix != "" {
		k.name, e.prefix = e.prefix+" "+k.name, ""
	}
	if k.text != "" {
		e.insert(k.text)
	} else if do := actions[k.name]; do != nil {
		do(e)
	}
}

// actions are what keys do.
var actions = map[string]func(*Editor){
	"enter":         (*Editor).enter,
	"alt-enter":     func(e *Editor) { e.insert("\n") },
	"tab":           func(e *Editor) { e.complete(1) },
	"ctrl-a":        func(e *Editor) { e.at = e.lineStart(e.at) },
	"home":          func(e *Editor) { e.at = e.lineStart(e.at) },
	"ctrl-e":        func(e *Editor) { e.at = e.lineEnd(e.at) },
	"end":           func(e *Editor) { e.at = e.lineEnd(e.at) },
	"ctrl-b":        func(e *Editor) { e.at = e.previous(e.at) },
	"left":          func(e *Editor) { e.at = e.previous(e.at) },
	"ctrl-f":        func(e *Editor) { e.at = e.next(e.at) },
	"right":         func(e *Editor) { e.at = e.next(e.at) },
	"word-left":     func(e *Editor) { e.at = e.wordStart(e.at) },
	"word-right":    func(e *Editor) { e.at = e.wordEnd(e.at) },
	"page-up":       func(e *Editor) { e.at = 0 },
	"page-down":     func(e *Editor) { e.at = len(e.text) },
	"up":            func(e *Editor) { e.vertically(-1) },
	"ctrl-p":        func(e *Editor) { e.vertically(-1) },
	"down":          func(e *Editor) { e.vertically(1) },
	"ctrl-n":        func(e *Editor) { e.vertically(1) },
	"backspace":     func(e *Editor) { e.replace(e.previous(e.at), e.at, "") },
	"delete":        func(e *Editor) { e.replace(e.at, e.next(e.at), "") },
	"ctrl-d":        (*Editor).endOrDelete,
	"ctrl-k":        func(e *Editor) { e.kill(e.at, max(e.lineEnd(e.at), min(e.at+1, len(e.text)))) },
	"ctrl-u":        func(e *Editor) { e.kill(e.lineStart(e.at), e.at) },
	"ctrl-w":        func(e *Editor) { e.kill(e.blankStart(e.at), e.at) },
	"alt-backspace": func(e *Editor) { e.kill(e.wordStart(e.at), e.at) },
	"alt-d":         func(e *Editor) { e.kill(e.at, e.wordEnd(e.at)) },
	"ctrl-y":        func(e *Editor) { e.yank() },
	"ctrl-_":        func(e *Editor) { e.takeBack() },
	"ctrl-l":        func(e *Editor) { fmt.Fprint(e.Out, "\x1b[H\x1b[2J"); e.drawn = drawing{} },
	"ctrl-r":        func(e *Editor) { e.search = &searching{before: state{e.text, e.at}, found: -1}; e.set("") },
	"ctrl-c":        func(e *Editor) { e.result = result{done: true, err: ErrInterrupted} },
	"ctrl-z":        (*Editor).suspend,
	"ctrl-x":        func(e *Editor) { e.prefix = "ctrl-x" },
	"ctrl-x ctrl-e": (*Editor).editElsewhere,
}

// enter ends the text, or begins another line of it.
func (e *Editor) enter() {
	ends, stays := e.Accepts(e.text)
	if !ends {
		e.insert("\n")
		return
	}
	e.stays = e.text[:stays]
	e.result = result{done: true, text: e.text[stays:]}
}

// endOrDelete is Ctrl-D.
func (e *Editor) endOrDelete() {
	if e.text == "" {
		e.result = result{done: true, err: io.EOF}
		return
	}
	e.replace(e.at, e.next(e.at), "")
}

// vertically goes to another line, or from the first and the last one to another text
// of the history.
func (e *Editor) vertically(lines int) {
	if e.vertical(lines) {
		return
	}
	to := e.walked + lines
	if to < 0 || to > e.HistoryLen() {
		return
	}
	if e.walked == e.HistoryLen() {
		e.typed = e.text
	}
	e.walked = to
	if to == e.HistoryLen() {
		e.set(e.typed)
	} else {
		e.set(e.History(to))
	}
}

// editElsewhere lets the text be edited in another program.
func (e *Editor) editElsewhere() {
	e.leave()
	e.tty.restore()
	text, err := e.Edit(e.text)
	if again := e.tty.raw(e.In); err == nil {
		err = again
	}
	if err != nil {
		e.notice = err.Error()
		return
	}
	e.replace(0, len(e.text), text)
}

// suspend stops the process, as Ctrl-Z does elsewhere, until the shell lets it go on.
func (e *Editor) suspend() {
	e.leave()
	e.tty.restore()
	stop()
	if err := e.tty.raw(e.In); err != nil {
		e.result = result{done: true, err: err}
	}
}
