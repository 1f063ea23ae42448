package main

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the scripts of testdata/script: calls of the program, and what it says. CONTRIBUTING.md explains how
// to write one.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			packaging, err := filepath.Abs("../../packaging")
			if err != nil {
				return err
			}
			definitions, err := filepath.Abs("../../tools/generate/definitions")
			if err != nil {
				return err
			}
			taken, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			env.Defer(func() { taken.Close() })
			env.Setenv(binaryVariable, os.Getenv(binaryVariable))
			env.Setenv("PACKAGING", packaging)
			env.Setenv("DEFINITIONS", definitions) // of generated Glean pings
			env.Setenv("NL", "\n")
			env.Setenv("TAKEN", taken.Addr().String()) // an address where somebody listens
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "says": says, "prints": prints, "capture": capture,
		},
	})
}

// exits runs a program that has to end with a status: exits 64 pingmill run.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	var failed *exec.ExitError
	err := ts.Exec(args[1], args[2:]...)
	if errors.As(err, &failed) {
		err = nil
	}
	code := 0
	if failed != nil {
		code = failed.ExitCode()
	}
	if err != nil || strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit %d, %v, want %s", code, err, args[0])
	}
}

// says looks for texts, as they are, in what the last program wrote to its output and
// error output: says 'no such file' bad.csv. Blanks and ends of lines are alike.
func says(ts *testscript.TestScript, neg bool, args []string) {
	output := oneSpace(ts.ReadFile("stdout") + " " + ts.ReadFile("stderr"))
	for _, text := range args {
		if strings.Contains(output, oneSpace(text)) == neg {
			ts.Fatalf("says %q: %v, want %v", text, neg, !neg)
		}
	}
}

// prints compares all output of the last program, blanks and ends of lines alike.
func prints(ts *testscript.TestScript, neg bool, args []string) {
	if got := oneSpace(ts.ReadFile("stdout")); (got == oneSpace(args[0])) == neg {
		ts.Fatalf("prints %q: %v, want %v", args[0], neg, !neg)
	}
}

// capture sets a variable to what a group of a regular expression finds in the output of
// the last program: capture LOAD 'load ([0-9a-f]+)'.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) < 2 {
		ts.Fatalf("nothing is like %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
