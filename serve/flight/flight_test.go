package flight

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/tools/clienttest"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// served returns a server of an office.
func served(t *testing.T, change func(*Config)) (address string, o *bitest.Office) {
	t.Helper()
	o = bitest.Open(t)
	tokens = o.Tokens
	c := Config{Executor: o.Executor, Access: o.Access, Tables: o.Site.Tables, Version: "1.0", Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&c)
	}
	server, err := New(c)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return l.Addr().String(), o
}

// tokens holds the tokens of the test's accounts.
var tokens map[string]string

// answer is the result of a call from Python.
type answer struct {
	Value   json.RawMessage
	Error   string
	Status  string
	Details []string
}

// call is a function of testdata/notebook.py and its argument, and headers if they are others.
type call []any

// bearer returns the headers with a person's token.
func bearer(name string) map[string]string {
	return map[string]string{"authorization": "Bearer " + tokens[name]}
}

// notebook makes calls, one after the other.
func notebook(t *testing.T, address string, headers map[string]string, calls ...call) (all []answer) {
	t.Helper()
	python := clienttest.Python(t, clienttest.Arrow...)
	text, err := json.Marshal(headers)
	require.NoError(t, err)
	args := []string{"testdata/notebook.py", address, string(text)}
	for _, c := range calls {
		text, err := json.Marshal(c)
		require.NoError(t, err)
		args = append(args, string(text))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, args...)
	var output bytes.Buffer
	cmd.Stderr = &output
	out, err := cmd.Output()
	require.NoError(t, err, output.String())
	for line := range bytes.Lines(out) {
		var a answer
		require.NoError(t, json.Unmarshal(line, &a))
		all = append(all, a)
	}
	require.Len(t, all, len(calls))
	return all
}
