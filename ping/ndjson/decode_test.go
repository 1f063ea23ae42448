package ndjson

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
)

func TestDecode(t *testing.T) {
	decode := func(in io.Reader, out io.Writer) error {
		d, err := ingest.New(ingest.DefaultConfig())
		require.NoError(t, err)
		return Decode(d, in, out, func(int, error) {})
	}
	good := `{"uri":"/submit/t/k/1/id","timestamp":1,"body":"e30="}`
	long := `{"uri":"/submit/t/k/1/id2","timestamp":1,"body":"e30=","x":"` + strings.Repeat("x", 1<<18) + `"}`
	in := strings.Join([]string{good, "", "  \r", "broken\r", good + "\r", long, `{"timestamp":1}`}, "\n")
	for _, end := range []string{"", "\n"} {
		var out bytes.Buffer
		require.NoError(t, decode(strings.NewReader(in+end), &out))
		var got []string
		for _, l := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			kind, _, _ := strings.Cut(strings.TrimPrefix(l, `{"outcome":"`), `"`)
			got = append(got, kind)
		}
		if want := "ping error duplicate ping error"; strings.Join(got, " ") != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if err := decode(iotest.ErrReader(io.ErrUnexpectedEOF), io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) ||
		!strings.Contains(err.Error(), "read submissions: ") {
		t.Errorf("a reader that fails: %v", err)
	}
	for name, lines := range map[string]string{"flush": good, "write": strings.Repeat("x\n", 1000)} {
		if err := decode(strings.NewReader(lines), failing{}); !errors.Is(err, io.ErrClosedPipe) ||
			!strings.Contains(err.Error(), "write outcomes: ") {
			t.Errorf("a writer that fails, %s: %v", name, err)
		}
	}
}

// failing is a writer whose reader has closed.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
