package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// maxSecret is the maximum length of a secret in bytes.
const maxSecret = 1 << 10

// ReadSecret reads a secret twice from the terminal without echo. If standard input is no terminal, it reads one line
// from in.
func ReadSecret(in io.Reader, errs io.Writer, what string) (string, error) {
	if !IsTerminal(os.Stdin) {
		line, err := bufio.NewReader(io.LimitReader(in, maxSecret)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read %s: %w", what, err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var typed [2]string
	for i, label := range []string{what, "again"} {
		fmt.Fprintf(errs, "%s: ", label)
		b, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(errs)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", what, err)
		}
		typed[i] = string(b)
	}
	if typed[0] != typed[1] {
		return "", errors.New("these are two different ones")
	}
	return typed[0], nil
}
