package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/archive"
)

// maxShown is the maximum number of lines of a kind.
const maxShown = 10

// archive prints the damage of the archive and how to repair it.
func (c *Calendar) archive(w io.Writer) {
	a := c.Status.Archive
	if a == nil {
		return
	}
	damage := slices.Clone(a.Damage) // a record may be of several days
	slices.SortStableFunc(damage, func(x, y *archive.DamageError) int { return strings.Compare(x.Name, y.Name) })
	damage = slices.CompactFunc(damage, func(x, y *archive.DamageError) bool { return x.Name == y.Name })
	for i, d := range damage {
		if i == maxShown {
			fmt.Fprintf(w, "and %d more damaged files\n", len(damage)-i)
			break
		}
		fmt.Fprintf(w, "archive damaged: %s %s\n  %s\n", d.Name, d.Reason, c.mend(d.Mend))
	}
	for i, f := range a.Foreign {
		if i == maxShown {
			fmt.Fprintf(w, "and %d more such files\n", len(a.Foreign)-i)
			break
		}
		fmt.Fprintf(w, "archive: %s %s: it is left alone\n", f.Name, f.What)
	}
	for _, f := range a.Lost {
		fmt.Fprintf(w, "archive: %s rows of %s were given up with %s\n", humanize.Comma(f.Rows), OrNone(f.Day), f.Name)
	}
}

// Damage describes one damaged object of the archive.
type Damage struct {
	Name   string `json:"name"`
	Load   string `json:"load"`
	Kind   string `json:"kind"`
	Day    string `json:"day,omitempty"`
	Reason string `json:"reason"`
	Mend   string `json:"mend"`
}

// Archive describes the state of the archive, judged by names and sizes.
type Archive struct {
	Damaged []Damage           `json:"damaged"`
	Foreign []archive.Foreign  `json:"foreign"`
	Lost    []archive.LoadFile `json:"lost"`
}

func newArchive(a *archive.Audit) *Archive {
	doc := &Archive{Damaged: []Damage{}, Foreign: append([]archive.Foreign{}, a.Foreign...), Lost: append([]archive.LoadFile{}, a.Lost...)}
	for _, d := range a.Damage {
		doc.Damaged = append(doc.Damaged, Damage{d.Name, d.Load, string(d.Kind), string(d.Day), d.Reason, d.Mend})
	}
	return doc
}

// mend rewrites the command at the end of an advice for this installation.
func (c *Calendar) mend(advice string) string {
	const program = "pingmill "
	if i := strings.LastIndex(advice, program); i >= 0 {
		return advice[:i] + c.Command(advice[i+len(program):])
	}
	return advice
}
