package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
)

// TestColumns: columns are aligned, numbers to the right, and no line is wider than the screen.
func TestColumns(t *testing.T) {
	heads := []string{"name", ">n", "what"}
	rows := func() [][]string {
		return [][]string{{"日本", "7", strings.Repeat("word ", 20)}, {"abc\x1b[m", "1,000", ""}}
	}
	var out strings.Builder
	Columns(&out, 0, heads, rows())
	want := "name           n  what\n日本           7  " + strings.TrimRight(strings.Repeat("word ", 20), " ") + "\nabc\\x1b[m  1,000\n"
	if out.String() != want {
		t.Errorf("\n%swant\n%s", out.String(), want)
	}
	for _, width := range []int{25, 40, 80} {
		out.Reset()
		Columns(&out, width, heads, rows())
		for line := range strings.Lines(out.String()) {
			if uniseg.StringWidth(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("wider than %d: %s", width, line)
			}
		}
		if strings.Contains(out.String(), "what") != (width > 25) {
			t.Errorf("width %d:\n%s", width, out.String())
		}
	}
}

// TestProgress: its line shows the progress, and is removed before other output.
func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	var out strings.Builder
	p := NewProgress(&out, func() time.Time { return now }, time.Hour)
	now = now.Add(12 * time.Second)
	for _, c := range []struct {
		share float64
		want  string
	}{
		{-1, "12 s  7 files  Ctrl-C cancels"},
		{0.5, "[##########..........]  50 %  12 s  7 files  Ctrl-C cancels"},
		{7, "[####################] 100 %  12 s  7 files  Ctrl-C cancels"},
	} {
		p.Set(c.share, "7 files")
		if got := p.line(); got != c.want {
			t.Errorf("%v: %q, want %q", c.share, got, c.want)
		}
	}
	p.shown = true
	if _, err := p.Before(&out).Write([]byte("result")); err != nil || out.String() != "\r\x1b[Kresult" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
