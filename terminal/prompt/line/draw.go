package line

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/prompt/screen"
)

// drawing is the content of the editor on the screen. It is redrawn from its first row, relative to the cursor, so its
// absolute position need not be known.
type drawing struct {
	rows   []string
	row    int // of the cursor
	column int
}

// tab is the display of a tab.
const tab = "    "

// layout breaks a text into screen rows after the prompts.
func layout(first, next, text string, at, width int) (d drawing) {
	row, used := first, uniseg.StringWidth(first)
	flush := func() { d.rows, row, used = append(d.rows, row), "", 0 }
	state := -1
	for i := 0; ; {
		if i == at {
			if used >= width {
				flush()
			}
			d.row, d.column = len(d.rows), used
		}
		if i >= len(text) {
			break
		}
		if text[i] == '\n' {
			flush()
			row, used, state = next, uniseg.StringWidth(next), -1
			i++
			continue
		}
		cluster, _, w, st := uniseg.FirstGraphemeClusterInString(text[i:], state)
		state = st
		shown := shownAs(cluster)
		if shown != cluster {
			w = uniseg.StringWidth(shown)
		}
		if used+w > width {
			flush()
		}
		row, used = row+shown, used+w
		i += len(cluster)
	}
	d.rows = append(d.rows, row)
	return d
}

// shownAs returns a character as it is written to the screen.
func shownAs(cluster string) string {
	if cluster == "\t" {
		return tab
	}
	if len([]rune(cluster)) > 1 && strings.ContainsRune(cluster, '\u200d') { // joined emoji such as a family, which Safe would split
		return cluster
	}
	return cli.Safe(cluster)
}

// window keeps only the rows that fit, around the cursor.
func (d *drawing) window(height int) {
	if len(d.rows) <= height {
		return
	}
	from := min(max(0, d.row-height/2), len(d.rows)-height)
	d.rows, d.row = d.rows[from:from+height], d.row-from
}

// reflow updates the cursor's row after the terminal was resized and has wrapped the rows again.
func (d *drawing) reflow(width int) {
	row := d.column / width
	for _, text := range d.rows[:min(d.row, len(d.rows))] {
		row += max(1, (uniseg.StringWidth(text)+width-1)/width)
	}
	d.row = row
}

// draw replaces what is drawn by d.
func (e *Editor) draw(d drawing) {
	var b strings.Builder
	b.WriteString("\x1b[?25l") // hide the cursor while drawing
	b.WriteString(toStart(e.drawn))
	for i, row := range d.rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(row)
	}
	if up := len(d.rows) - 1 - d.row; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteString("\r")
	if d.column > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", d.column)
	}
	b.WriteString("\x1b[?25h")
	e.drawn = d
	fmt.Fprint(e.Out, b.String())
}

// toStart returns the sequence that moves to the first row and clears the screen below.
func toStart(d drawing) string {
	up := ""
	if d.row > 0 {
		up = fmt.Sprintf("\x1b[%dA", d.row)
	}
	return up + "\r\x1b[J"
}

// refresh draws the text, and below it the list or the search.
func (e *Editor) refresh() {
	width, height := e.Size()
	if e.width != width {
		e.drawn.reflow(width)
		e.width = width
	}
	d := layout(e.First, e.Next, e.text, e.at, width)
	var below []string
	switch {
	case e.search != nil:
		below = []string{screen.Cut(e.search.line(), width)}
	case e.list != nil:
		below = e.list.rows(width, max(3, min(listRows, height-len(d.rows)-1)))
	case e.notice != "":
		below = []string{screen.Cut(cli.Safe(e.notice), width)}
	}
	d.window(max(1, height-len(below)-1))
	d.rows = append(d.rows, below...)
	e.draw(d)
}

// leave draws the text a last time and moves to the line below.
func (e *Editor) leave() {
	width, height := e.Size()
	d := layout(e.First, e.Next, e.text, len(e.text), width)
	d.window(height)
	e.draw(d)
	fmt.Fprint(e.Out, "\r\n")
	e.drawn = drawing{}
}
