package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

// registry returns the URL of the user's npm registry, or npm's default.
func registry() string {
	if r := os.Getenv("npm_config_registry"); r != "" {
		return strings.TrimSuffix(r, "/")
	}
	return "https://registry.npmjs.org"
}

// install downloads a package into a folder below dir. The folder appears only when it is complete.
func (p pack) install(dir string) error {
	to := filepath.Join(dir, p.dir())
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	url := fmt.Sprintf("%s/%s/-/%s.tgz", registry(), p.name, p.dir())
	fmt.Fprintf(os.Stderr, "Fetching %s\n", url)
	body, err := get(url)
	if err != nil {
		return err
	}
	if sum := sha512.Sum512(body); "sha512-"+base64.StdEncoding.EncodeToString(sum[:]) != p.integrity {
		return fmt.Errorf("%s: the checksum differs from the pinned one", url)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(dir, "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	packed, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	if err := untar(packed, part, filepath.Join("package", p.only)); err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	if err := unbrotli(part); err != nil {
		return err
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(part, "package"), to); err != nil && !errors.Is(err, os.ErrExist) { // another process was first
		return err
	}
	return nil
}

func get(url string) ([]byte, error) {
	r, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, r.Status)
	}
	return io.ReadAll(r.Body)
}

// untar writes the regular files below a folder of an archive.
func untar(r io.Reader, dir, below string) error {
	archive := tar.NewReader(r)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || !strings.HasPrefix(name, below) {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s leaves the folder", h.Name)
		}
		if err := write(filepath.Join(dir, name), archive, os.FileMode(h.Mode)&0o755|0o200); err != nil {
			return err
		}
	}
}

// unbrotli unpacks the files that a package contains in compressed form: archives, each into a folder, and programs.
func unbrotli(dir string) error {
	packed, err := filepath.Glob(filepath.Join(dir, "package", "bin", "*.br"))
	if err != nil {
		return err
	}
	for _, path := range packed {
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r := brotli.NewReader(bytes.NewReader(body))
		to := strings.TrimSuffix(path, ".br")
		if name, ok := strings.CutSuffix(to, ".tar"); ok {
			err = errors.Join(untar(r, name, ""), fonts(name))
		} else {
			err = write(to, r, 0o755)
		}
		if err := errors.Join(err, os.Remove(path)); err != nil {
			return err
		}
	}
	return nil
}

// fontsFile lists the fonts beside it. The package's own file names folders of other machines.
const fontsFile = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

func fonts(dir string) error {
	path := filepath.Join(dir, "fonts.conf")
	if _, err := os.Stat(path); err != nil {
		return nil // an archive of something else
	}
	return os.WriteFile(path, []byte(fontsFile), 0o644)
}

func write(path string, r io.Reader, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
