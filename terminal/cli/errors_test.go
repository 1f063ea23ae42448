package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestPrintError(t *testing.T) {
	var many []error
	for i := range 30 {
		many = append(many, fmt.Errorf("read %d: %s%s", i, strings.Repeat("a long way to say ", 20), strings.Repeat("x", 300)))
	}
	var out bytes.Buffer
	PrintError(&out, errors.Join(many...))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for _, line := range lines {
		if len(line) >= 200 {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
	if last := lines[len(lines)-1]; last != "pingmill: and 20 more" {
		t.Errorf("the end is %q", last)
	}
	words := strings.Fields(strings.ReplaceAll(out.String(), "\n", " "))
	if got := strings.Join(words, ""); !strings.HasPrefix(got,
		"pingmill:read0:"+strings.Repeat("alongwaytosay", 20)+strings.Repeat("x", 300)+"pingmill:read1:") {
		t.Errorf("something is lost:\n%s", out.String())
	}
}
