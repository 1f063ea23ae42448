package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/panics"
)

// page collects the text of the results: a head, and sections that begin with ## and their titles.
type page struct {
	text strings.Builder
	done []string // parts that were measured
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.text, format, args...) }

// notMeasured is the prefix of the title that replaces the section of a failed part.
const notMeasured = "Not measured: "

// measuredOnce is the title of the last section of the page. People write it; no part does.
const measuredOnce = "Measured once"

// part adds the section of a part, or a line with the reason why it failed. Other parts are not affected.
func (p *page) part(name string, run func(section *page) error) error {
	section := &page{}
	if err := panics.Try(func() error { return run(section) }); err != nil {
		err = fmt.Errorf("part %s: %w", name, err)
		fmt.Fprintln(os.Stderr, "bench:", err)
		p.printf("\n## %s%s\n\n%s.\n", notMeasured, name, strings.Join(strings.Fields(err.Error()), " "))
		return err
	}
	p.text.WriteString(section.text.String())
	p.done = append(p.done, name)
	return nil
}

// section is a part of a page with its title, without lines around it.
type section struct{ title, text string }

// sections divides a page.
func sections(text string) (head string, all []section) {
	head, rest, more := strings.Cut("\n"+text, "\n## ")
	for more {
		var one string
		one, rest, more = strings.Cut(rest, "\n## ")
		title, text, _ := strings.Cut(one, "\n")
		all = append(all, section{title, strings.TrimSpace(text)})
	}
	return strings.TrimSpace(head), all
}

// into replaces the sections of an older page by this page's sections with the same titles, and keeps the others. New
// sections are inserted before measuredOnce. all reports that every part ran on the machine in the head; otherwise
// each section names its machine.
func (p *page) into(older string, all bool) string {
	head, made := sections(p.text.String())
	was, others := sections(older)
	others = slices.DeleteFunc(others, func(s section) bool {
		part, ok := strings.CutPrefix(s.title, notMeasured)
		return ok && slices.Contains(p.done, part)
	})
	_, machine, _ := strings.Cut(head, "\n")
	if all || was == "" {
		was, machine = head, ""
	}
	end := func() int {
		if i := slices.IndexFunc(others, func(k section) bool { return k.title == measuredOnce }); i >= 0 {
			return i
		}
		return len(others)
	}
	at := end()
	for _, s := range made {
		s.text = strings.TrimSpace(machine + "\n\n" + s.text)
		if i := slices.IndexFunc(others, func(k section) bool { return k.title == s.title }); i >= 0 {
			at, others[i] = i, s
		} else {
			at = min(at, end())
			others = slices.Insert(others, at, s)
		}
		at++
	}
	for _, s := range others {
		was += "\n\n## " + s.title + "\n\n" + s.text
	}
	return was + "\n"
}

// save writes the page into a file.
func (p *page) save(name string, all bool) error {
	older, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the page: %w", err)
	}
	return os.WriteFile(name, []byte(p.into(string(older), all)), 0o644)
}

// begin writes the head.
func (p *page) begin() error {
	p.printf("# Benchmarks\n\nMeasured on %s, %s, %s/%s, one core for every candidate: %s. GB/s are bytes of JSON by processor time.\n",
		time.Now().UTC().Format("2006-01-02"), runtime.Version(), runtime.GOOS, runtime.GOARCH, processor())
	return yardsticks(p)
}

// processor names the machine's processor as far as known.
func processor() string { return cmp.Or(procField("/proc/cpuinfo", "model name"), "unknown processor") }

// machineLoad returns how many processes wanted a core in the last minutes.
func machineLoad() string {
	b, _ := os.ReadFile("/proc/loadavg")
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return "not known"
	}
	return f[0] + " in the last minute, " + f[1] + " in five, on " + strconv.Itoa(runtime.NumCPU()) + " cores"
}
