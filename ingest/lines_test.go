package ingest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestDecodeLines(t *testing.T) {
	d := newDecoder(t, DefaultConfig())
	good := `{"uri":"/submit/t/k/1/id","timestamp":1,"body":"e30="}`
	long := `{"uri":"/submit/t/k/1/id2","timestamp":1,"body":"e30=","x":"` + strings.Repeat("x", 1<<18) + `"}`
	in := strings.Join([]string{good, "", "  \r", "broken\r", good + "\r", long, `{"timestamp":1}`}, "\n")
	for _, end := range []string{"", "\n"} {
		var out bytes.Buffer
		require.NoError(t, newDecoder(t, DefaultConfig()).DecodeLines(strings.NewReader(in+end), &out, nil))
		var got []string
		for _, l := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			kind, _, _ := strings.Cut(strings.TrimPrefix(l, `{"outcome":"`), `"`)
			got = append(got, kind)
		}
		if want := "ping error duplicate ping error"; strings.Join(got, " ") != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if err := d.DecodeLines(iotest.ErrReader(io.ErrUnexpectedEOF), io.Discard, nil); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "read submissions: ") {
		t.Errorf("a reader that fails: %v", err)
	}
	for name, lines := range map[string]string{"flush": good, "write": strings.Repeat("x\n", 1000)} {
		if err := d.DecodeLines(strings.NewReader(lines), failing{}, nil); !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "write outcomes: ") {
			t.Errorf("a writer that fails, %s: %v", name, err)
		}
	}
}

// failing is a writer whose other end is gone.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
