package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// TestFailedPart: a part that fails is a line of the page, without what it had written, and the other parts stay.
func TestFailedPart(t *testing.T) {
	p := &page{}
	if err := p.part("edge", func(s *page) error { s.printf("half a table"); return errors.New("the disk\nis slow") }); err == nil {
		t.Error("the failure is not reported")
	}
	if err := p.part("day", func(s *page) error { s.printf("\n## Day\n"); return nil }); err != nil {
		t.Error(err)
	}
	text := p.text.String()
	if strings.Contains(text, "half") || !strings.Contains(text, "## Not measured: edge\n\npart edge: the disk is slow.\n\n## Day\n") {
		t.Errorf("page:\n%s", text)
	}
}

// TestPageInto: sections replace those of their titles, wherever they are, and the others stay.
func TestPageInto(t *testing.T) {
	older := "# Benchmarks\n\nOn machine A.\n\n## Kernel\n\nold\n\n## Year\n\nby hand\n\n## Not measured: edge\n\nfull.\n"
	p := &page{done: []string{"kernel", "edge"}}
	p.printf("# Benchmarks\n\nOn machine B.\n")
	p.printf("\n## Kernel\n\nnew\n\n## Edge\n\nfast\n")
	for _, c := range []struct {
		older string
		all   bool
		want  string
	}{
		{older, true, "# Benchmarks\n\nOn machine B.\n\n## Kernel\n\nnew\n\n## Edge\n\nfast\n\n## Year\n\nby hand\n"},
		{older, false, "# Benchmarks\n\nOn machine A.\n\n## Kernel\n\nOn machine B.\n\nnew\n\n## Edge\n\nOn machine B.\n\nfast\n\n## " +
			"Year\n\nby hand\n"},
		{"", false, "# Benchmarks\n\nOn machine B.\n\n## Kernel\n\nnew\n\n## Edge\n\nfast\n"},
	} {
		if got := p.into(c.older, c.all); got != c.want {
			t.Errorf("all %v:\n%s", c.all, got)
		}
		if again := p.into(p.into(c.older, c.all), c.all); c.older != "" && again != c.want {
			t.Errorf("all %v, twice:\n%s", c.all, again)
		}
	}
}

// TestMeasuredOnce: the section that people write keeps its text, also its subsections, and its place behind new sections,
// in a whole run and in one of some parts.
func TestMeasuredOnce(t *testing.T) {
	const hand = "## Measured once\n\nBy hand.\n\n### Kernel, by hand\n\n| a |\n|---|\n| 1 |\n\n### Edge\n\n- 2 µs\n"
	older := "# Benchmarks\n\nOn machine A.\n\n## Kernel\n\nold\n\n" + hand
	p := &page{done: []string{"kernel", "edge"}}
	p.printf("# Benchmarks\n\nOn machine B.\n")
	p.printf("\n## Year\n\nlong\n\n## Kernel\n\nnew\n\n## Edge\n\nfast\n")
	for _, all := range []bool{true, false} {
		got := p.into(p.into(older, all), all)
		if !strings.HasSuffix(got, "\n\n"+hand) || strings.Count(got, "\n## ") != 4 {
			t.Errorf("all %v:\n%s", all, got)
		}
	}
}

// TestPageHasMeasuredOnce: the page ends with the section that people write, by the title that into looks for.
func TestPageHasMeasuredOnce(t *testing.T) {
	text, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, all := sections(string(text)); all[len(all)-1].title != measuredOnce {
		t.Errorf("the last section of docs/benchmarks.md is %q, not %q", all[len(all)-1].title, measuredOnce)
	}
}
