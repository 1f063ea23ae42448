package line

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/prompt/screen"
)

// drawing is what is on the screen of an editor: it is drawn from its first row on
// again and again, with no need to know where on the screen that is.
type drawing struct {
	rows   []string
	row    int // of the cursor
	column int
}

// tab is how a tab is shown.
const tab = "    "

// layout breaks the text into rows of the screen, behind prompts.
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

// shownAs is a character as it is written to the screen.
func shownAs(cluster string) string {
	if cluster == "\t" {
		return tab
	}
	if len([]rune(cluster)) > 1 && strings.ContainsRune(cluster, '\u200d') { // such as a family: joined, which Safe would take apart
		return cluster
	}
	return cli.Safe(cluster)
}

// window keeps the rows that fit, the cursor's among them.
func (d *drawing) window(height int) {
	if len(d.rows) <= height {
		return
	}
	from := min(max(0, d.row-height/2), len(d.rows)-height)
	d.rows, d.row = d.rows[from:from+height], d.row-from
}

// reflow says where the cursor is when the terminal has broken the rows anew.
func (d *drawing) reflow(width int) {
	row := d.column / width
	for _, text := range d.rows[:min(d.row, len(d.rows))] {
		row += max(1, (uniseg.StringWidth(text)+width-1)/width)
	}
	d.row = row
}

// draw puts d in the place of what is drawn.
func (e *Editor) draw(d drawing) {
	var b strings.Builder
	b.WriteString("\x1b[?25l") // no cursor that jumps about
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

// toStart goes to the first row and clears all from there.
func toStart(d drawing) string {
	up := ""
	if d.row > 0 {
		up = fmt.Sprintf("\x1b[%dA", d.row)
	}
	return up + "\r\x1b[J"
}

// refresh draws the text, and below it the list or what is searched.
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

// leave draws the text once more and goes to the line below it.
func (e *Editor) leave() {
	width, height := e.Size()
	d := layout(e.First, e.Next, e.text, len(e.text), width)
	d.window(height)
	e.draw(d)
	fmt.Fprint(e.Out, "\r\n")
	e.drawn = drawing{}
}
