package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
)

// mostShown is how many lines of a kind are shown of what may be long.
const mostShown = 10

// archive says what is damaged in the archive, and how it is mended.
func (c *calendar) archive(w io.Writer) {
	a := c.status.Archive
	if a == nil {
		return
	}
	damage := slices.Clone(a.Damage) // a record may be of several days
	slices.SortStableFunc(damage, func(x, y *archive.DamageError) int { return strings.Compare(x.Name, y.Name) })
	damage = slices.CompactFunc(damage, func(x, y *archive.DamageError) bool { return x.Name == y.Name })
	for i, d := range damage {
		if i == mostShown {
			fmt.Fprintf(w, "and %d more damaged files\n", len(damage)-i)
			break
		}
		fmt.Fprintf(w, "archive damaged: %s %s\n  %s\n", d.Name, d.Reason, c.site.mend(d.Mend))
	}
	for i, f := range a.Foreign {
		if i == mostShown {
			fmt.Fprintf(w, "and %d more such files\n", len(a.Foreign)-i)
			break
		}
		fmt.Fprintf(w, "archive: %s %s: it is left alone\n", f.Name, f.What)
	}
	for _, f := range a.Lost {
		fmt.Fprintf(w, "archive: %s rows of %s were given up with %s\n", humanize.Comma(f.Rows), orNone(f.Day), f.Name)
	}
}

// damageJSON is one thing that is damaged in the archive.
type damageJSON struct {
	Name   string `json:"name"`
	Load   string `json:"load"`
	Kind   string `json:"kind"`
	Day    string `json:"day,omitempty"`
	Reason string `json:"reason"`
	Mend   string `json:"mend"`
}

// archiveJSON is the archive as its names tell.
type archiveJSON struct {
	Damaged []damageJSON       `json:"damaged"`
	Foreign []archive.Foreign  `json:"foreign"`
	Lost    []archive.LoadFile `json:"lost"`
}

func archiveDocument(st *etl.Status) archiveJSON {
	doc := archiveJSON{Damaged: []damageJSON{}, Foreign: append([]archive.Foreign{}, st.Archive.Foreign...), Lost: append([]archive.LoadFile{}, st.Archive.Lost...)}
	for _, d := range st.Archive.Damage {
		doc.Damaged = append(doc.Damaged, damageJSON{d.Name, d.Load, string(d.Kind), string(d.Day), d.Reason, d.Mend})
	}
	return doc
}
