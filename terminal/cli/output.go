package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/internal/pipe"
)

// WriteFile writes the file of an --output flag into an existing folder. If write fails, no file remains.
func WriteFile(ctx context.Context, name string, write func(io.Writer) error) error {
	o, err := createOutput(ctx, name)
	if err != nil {
		return err
	}
	return o.close(write(o))
}

// output is the file of an --output flag. A regular file is written to a temporary file and renamed at the end, so it
// appears complete or not at all. Other files, such as named pipes, are written directly.
type output struct {
	io.Writer

	file   io.Closer
	temp   string // "": written directly
	target string
	ending *ending
}

// createOutput creates an output in an existing folder.
func createOutput(ctx context.Context, name string) (*output, error) {
	target, mode := name, fs.FileMode(0o666)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("create output: %w", err)
	case !info.Mode().IsRegular():
		f, err := pipe.OpenToWrite(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("open output %s: %w", name, err)
		}
		return &output{Writer: f, file: f}, nil
	default:
		mode = info.Mode().Perm()
		if target, err = filepath.EvalSymlinks(name); err != nil {
			return nil, fmt.Errorf("create output: %w", err)
		}
	}
	o := &output{temp: target + ".tmp-" + rand.Text()[:8], target: target, ending: endingOf(ctx)}
	f, err := os.OpenFile(o.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, fmt.Errorf("create output: %w", err)
	}
	o.Writer, o.file = pipe.Writer(ctx, f), f
	if !o.ending.keep(o) {
		return nil, errors.Join(context.Cause(ctx), f.Close(), os.Remove(o.temp))
	}
	return o, nil
}

// close completes the file. If err is not nil, it removes the temporary file and returns err.
func (o *output) close(err error) error {
	closing := o.file.Close()
	if err == nil && closing != nil {
		err = fmt.Errorf("write output: %w", closing)
	}
	if o.temp == "" {
		return err
	}
	defer o.ending.forget(o)
	if err == nil {
		err = os.Rename(o.temp, o.target)
	}
	if err != nil {
		_ = os.Remove(o.temp)
	}
	return err
}
