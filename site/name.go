package site

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
)

// nameFile keeps the name of a server for which no other was chosen.
const nameFile = "server-name"

var serverNames = lazy.Regexp(`^[A-Za-z0-9_]{1,100}$`)

// Share registers this server under its name as one of several that publish into the same buckets. If the data
// is on a local disk and the server has no name, it is the only server. If the data is in buckets and there is
// no name, a name is generated once and stored in the data folder.
func (s *Site) Share(ctx context.Context, name string, now func() time.Time) (err error) {
	if name == "" && s.remote && !s.reading {
		if name, err = s.serverName(ctx); err != nil {
			return fmt.Errorf("name this server: %w", err)
		}
	}
	if name != "" {
		s.Sharing = &Sharing{Holder: name, Now: now}
	}
	return nil
}

// Remote reports whether some of the data is in buckets.
func (s *Site) Remote() bool { return s.remote }

// serverName returns the name generated for this server. Several processes may call it at once.
func (s *Site) serverName(ctx context.Context) (string, error) {
	lock, err := s.WaitLock(ctx, nameFile)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	file := filepath.Join(s.Dir, nameFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte("server_" + strings.ToLower(rand.Text()) + "\n")
		err = os.WriteFile(file, text, 0o644)
	}
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(string(text))
	if !serverNames().MatchString(name) {
		return "", fmt.Errorf("%s has no name of letters, digits and _: write one that no other server has, or remove the file", file)
	}
	return name, nil
}
