package line

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/prompt/screen"
)

// Offer is a completion of the word before the cursor.
type Offer struct {
	Text  string // the whole word
	About string
}

// listRows is the maximum number of rows of a list.
const listRows = 12

// list holds the completions of a word. One can be chosen.
type list struct {
	word   string // as it was typed
	from   int    // where it begins
	offers []Offer
	chosen int // -1: none
}

// complete handles Tab: it inserts the common prefix of all completions and lists them; further calls choose one after
// the other.
func (e *Editor) complete(step int) {
	if e.list != nil {
		n := e.list.chosen + step
		if n < 0 {
			n = len(e.list.offers) - 1
		}
		e.choose(n % len(e.list.offers))
		return
	}
	word, offers := e.Complete(e.text[:e.at], e.text[e.at:])
	if len(offers) == 0 {
		return
	}
	l := &list{word: word, from: e.at - len(word), offers: offers, chosen: -1}
	common := commonPrefix(offers)
	if len(common) >= len(word) && (len(common) > len(word) || len(offers) == 1) {
		e.replace(l.from, e.at, common)
		l.word = common
	}
	if len(offers) > 1 {
		e.list = l
	}
}

// choose replaces the word by a completion.
func (e *Editor) choose(n int) {
	e.list.chosen = n
	e.replace(e.list.from, e.at, e.list.offers[n].Text)
}

// dismiss handles Esc: it restores the typed word.
func (e *Editor) dismiss() {
	if e.list.chosen >= 0 {
		e.replace(e.list.from, e.at, e.list.word)
	}
	e.list = nil
}

// commonPrefix returns the common prefix of all completions.
func commonPrefix(offers []Offer) string {
	common := offers[0].Text
	for _, o := range offers[1:] {
		n := 0
		for n < len(common) && n < len(o.Text) && common[n] == o.Text[n] {
			n++
		}
		common = common[:n]
	}
	return common
}

// rows returns the rows of the list, around the chosen completion.
func (l *list) rows(width, height int) (rows []string) {
	names := 0
	for _, o := range l.offers {
		names = max(names, min(width/2, uniseg.StringWidth(o.Text)))
	}
	first := 0
	if len(l.offers) > height {
		height--
		first = min(max(0, l.chosen-height/2), len(l.offers)-height)
	}
	last := min(len(l.offers), first+height)
	for i, o := range l.offers[first:last] {
		name := cli.Safe(o.Text)
		text := name
		if o.About != "" {
			text += strings.Repeat(" ", max(0, names-uniseg.StringWidth(name))) + "  " + cli.Safe(o.About)
		}
		text = screen.Cut(text, width-2)
		if first+i == l.chosen {
			text = "\x1b[7m" + text + "\x1b[0m"
		}
		rows = append(rows, "  "+text)
	}
	if more := len(l.offers) - last + first; more > 0 {
		rows = append(rows, fmt.Sprintf("  and %d more", more))
	}
	return rows
}
