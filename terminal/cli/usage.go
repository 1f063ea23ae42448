package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Exit statuses: 0 is success. Usage is the one of sysexits(3), since a Go
// program that panics ends with 2.
const (
	ExitFailed  = 1
	ExitUsage   = 64
	ExitRefused = 65 // of tasks that have to be planned again
)

// ErrUsage marks an error in how the command was called or configured.
var ErrUsage = errors.New("usage")

// Usage makes an error one of how the command was called or configured; nil
// stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// usageError is an error that matches ErrUsage. Its text is that of the error alone: the exit status says the rest.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Is makes it match ErrUsage.
func (e usageError) Is(target error) bool { return target == ErrUsage }

// Usagef is a formatted error of how the command was called or configured.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Args turns a wrong number of arguments into a usage error.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return Usagef("%w: want %s", err, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		}
		return nil
	}
}

// Comments makes arguments that begin with a comment of SQL, such as
// "-- a week\nSELECT 1", no flags: a blank goes before them. No flag has a blank in its name.
func Comments(args []string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if strings.HasPrefix(a, "--") && strings.ContainsAny(name, " \t\n") {
			args[i] = " " + a
		}
	}
	return args
}
