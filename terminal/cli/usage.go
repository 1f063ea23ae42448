package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Exit statuses; 0 is success. ExitUsage follows sysexits(3), because 2 is the status of a panic.
const (
	ExitFailed  = 1
	ExitUsage   = 64
	ExitRefused = 65 // tasks that must be planned again
)

// ErrUsage marks an error in the command line or the configuration.
var ErrUsage = errors.New("usage")

// Usage marks an error with ErrUsage; nil remains nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// usageError is an error that matches ErrUsage. It does not change the text, because the exit status shows the kind.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Is matches ErrUsage.
func (e usageError) Is(target error) bool { return target == ErrUsage }

// Usagef returns a formatted error that matches ErrUsage.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Args makes a wrong number of arguments a usage error.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return Usagef("%w: want %s", err, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		}
		return nil
	}
}

// Comments prefixes arguments that begin with a SQL comment, such as "-- a week\nSELECT 1", with a space, so that they
// are not parsed as flags. Flag names contain no white space.
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
