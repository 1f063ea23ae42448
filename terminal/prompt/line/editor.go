// Package line edits text of several lines on a terminal, with history, search, completion and pasting. It draws
// relative to its first row and never queries the terminal.
package line

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Editor reads texts from a terminal.
type Editor struct {
	In  *os.File
	Out io.Writer
	// Size returns the size of the terminal.
	Size func() (width, height int)
	// First and Next are the prompts before the first line and the others.
	First, Next string
	// Complete returns the word at the end of before, and its completions.
	Complete func(before, after string) (word string, offers []Offer)
	// Accepts reports whether Enter ends the text. The first stays bytes remain for the next Read.
	Accepts func(text string) (ends bool, stays int)
	// History returns one of HistoryLen texts; 0 is the oldest.
	History    func(n int) string
	HistoryLen func() int
	// Edit opens a text in another program.
	Edit func(text string) (string, error)

	buffer
	walked int    // index of the displayed history entry, HistoryLen for none
	typed  string // the text before the history was displayed
	list   *list
	search *searching
	notice string
	prefix string // "ctrl-x" after that key
	drawn  drawing
	tty    terminal
	width  int    // of the screen at the last drawing
	stays  string // initial text of the next Read
	result result

	mu      sync.Mutex
	pending string // text of Notice, for the next drawing
}

// result is the outcome of Read.
type result struct {
	done bool
	text string
	err  error
}

// Read reads one text. It returns io.EOF after Ctrl-D in an empty text. Ctrl-C begins a new text.
func (e *Editor) Read() (string, error) {
	if err := e.tty.raw(e.In); err != nil {
		return "", err
	}
	defer e.tty.restore()
	fmt.Fprint(e.Out, "\x1b[?2004h") // the terminal marks pasted text
	defer fmt.Fprint(e.Out, "\x1b[?2004l")
	e.begin()
	for {
		if !e.tty.pending() {
			e.refresh()
		}
		k, err := e.tty.key()
		switch {
		case errors.Is(err, errWoken):
			e.mu.Lock()
			e.notice, e.pending = cmp.Or(e.pending, e.notice), ""
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

// begin empties the editor for the next text.
func (e *Editor) begin() {
	e.buffer = buffer{cut: e.cut}
	e.set(e.stays)
	e.stays, e.list, e.search, e.notice, e.drawn, e.result = "", nil, nil, "", drawing{}, result{}
	e.walked = e.HistoryLen()
}

// Notice shows a text below the input until the next key. It is safe for concurrent use.
func (e *Editor) Notice(text string) {
	e.mu.Lock()
	e.pending = text
	e.mu.Unlock()
	e.tty.wake()
}

// Restore restores the terminal's state from before Read, for the end of the process.
func (e *Editor) Restore() { e.tty.restore() }

// Quiet disables the echo of typed text until undo is called. The next Read receives that text.
func (e *Editor) Quiet() (undo func()) {
	e.tty.quiet(e.In)
	return e.tty.restore
}

// press handles a key.
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

// actions maps keys to actions.
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
	"ctrl-c":        (*Editor).abandon,
	"ctrl-z":        (*Editor).suspend,
	"ctrl-x":        func(e *Editor) { e.prefix = "ctrl-x" },
	"ctrl-x ctrl-e": (*Editor).editElsewhere,
}

// enter ends the text or inserts a line break.
func (e *Editor) enter() {
	ends, stays := e.Accepts(e.text)
	if !ends {
		e.insert("\n")
		return
	}
	e.stays = e.text[:stays]
	e.result = result{done: true, text: e.text[stays:]}
}

// endOrDelete handles Ctrl-D.
func (e *Editor) endOrDelete() {
	if e.text == "" {
		e.result = result{done: true, err: io.EOF}
		return
	}
	e.replace(e.at, e.next(e.at), "")
}

// abandon handles Ctrl-C. The terminal stays raw: between two calls of Read it would take Ctrl-D for the end of a line.
func (e *Editor) abandon() {
	e.leave()
	e.begin()
}

// vertically moves to another line, or beyond the first or last line to another text of the history.
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

// editElsewhere opens the text in another program.
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

// suspend stops the process like Ctrl-Z in a shell, until it is continued.
func (e *Editor) suspend() {
	e.leave()
	e.tty.restore()
	stop()
	if err := e.tty.raw(e.In); err != nil {
		e.result = result{done: true, err: err}
	}
}
