package panics_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/internal/panics"
)

//go:noinline
func culprit(s []int, i int) int { return s[i] }

func TestTry(t *testing.T) {
	assert.NoError(t, panics.Try(func() error { return nil }))
	want := errors.New("an error")
	if err := panics.Try(func() error { return want }); err != want || panics.Report(err) != "an error" {
		t.Errorf("got %v", err)
	}
	err := panics.Try(func() error { culprit(nil, 3); return nil })
	var index runtime.Error
	if !errors.As(err, &index) || err.Error() != "panic: runtime error: index out of range [3] with length 0" {
		t.Errorf("got %v", err)
	}
	report := panics.Report(fmt.Errorf("read: %w", err))
	lines := strings.Split(report, "\n")
	if !strings.HasPrefix(lines[0], "read: panic: ") || !strings.Contains(report, "panics_test.culprit") ||
		strings.Contains(report, "debug.Stack") {
		t.Errorf("the report is\n%s", report)
	}
}

func TestBounded(t *testing.T) {
	var deep func(n int)
	deep = func(n int) {
		if n == 0 {
			panic(strings.Repeat("x\ny ", 1<<20))
		}
		deep(n - 1)
	}
	err := panics.Try(func() error { deep(1000); return nil })
	if n := len(panics.Report(err)); n > 5000 || strings.Contains(err.Error(), "\n") {
		t.Errorf("a report of %d bytes: %.100s", n, err)
	}
	// A panic while another one is handled has the stack of the last.
	err = panics.Try(func() error {
		defer func() { culprit(nil, 1) }()
		panic("first")
	})
	if !strings.Contains(panics.Report(err), "culprit") {
		t.Errorf("got %s", panics.Report(err))
	}
}
