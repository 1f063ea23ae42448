package pipe_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/pipe"
)

var errCause = errors.New("enough")

// TestReaderEnds: what was read is right, and a read that waits ends with the context.
func TestReaderEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	from, to := io.Pipe()
	r := pipe.Reader(ctx, from)
	text := strings.Repeat("0123456789", 100_000)
	go func() {
		_, _ = io.WriteString(to, text)
		cancel(errCause)
	}()
	if b, err := io.ReadAll(r); !errors.Is(err, errCause) || !strings.HasPrefix(text, string(b)) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

func TestReaderReadsAll(t *testing.T) {
	text := strings.Repeat("0123456789", 100_000)
	if b, err := io.ReadAll(pipe.Reader(t.Context(), strings.NewReader(text))); err != nil || string(b) != text {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

// TestReaderWaits: nothing is taken from who is not asked.
func TestReaderWaits(t *testing.T) {
	from := strings.NewReader("text")
	pipe.Reader(t.Context(), from)
	if from.Len() != 4 {
		t.Errorf("%d bytes are left", from.Len())
	}
}

func TestWriterEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var to bytes.Buffer
	w := pipe.Writer(ctx, &to)
	if _, err := io.WriteString(w, "some"); err != nil {
		t.Fatal(err)
	}
	cancel(errCause)
	if _, err := io.WriteString(w, "more"); !errors.Is(err, errCause) || to.String() != "some" {
		t.Errorf("%q, %v", to.String(), err)
	}
}

func TestOpenPlainFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte("text"), 0o600))
	f, err := pipe.Open(t.Context(), name)
	require.NoError(t, err)
	if b, err := io.ReadAll(f); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
	assert.NoError(t, f.Close())
	if _, err := pipe.Open(t.Context(), name+"x"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
