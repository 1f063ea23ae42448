package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/store"
)

// formatName is an object at the top of the archive that names the formats of the installation. Without it they are 1. The
// first release that changes a format writes it, once no older server is needed any more.
const formatName = "_format.json"

// formatVersion is the version of the formats on disk that this program reads and writes.
const formatVersion = 1

// formats says which programs may use an installation.
type formats struct {
	Reads   int    `json:"reads"`   // version that a program must know to read all of it
	Writes  int    `json:"writes"`  // and to write to it
	Program string `json:"program"` // the first version of pingmill that does
}

// ErrFormat means that an installation has formats of a newer version of the program.
var ErrFormat = errors.New("the installation has formats of a newer version of pingmill")

func readFormats(ctx context.Context, b store.Bucket) (f formats, err error) {
	text, err := store.ReadFile(ctx, b, formatName)
	if errors.Is(err, fs.ErrNotExist) {
		return formats{1, 1, ""}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err == nil && (f.Reads < 1 || f.Writes < f.Reads) {
		err = fmt.Errorf("reads is %d and writes is %d", f.Reads, f.Writes)
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", store.Place(b, formatName), err)
	}
	return f, err
}

func (f *formats) needs(version int, to string) error {
	return fmt.Errorf("%w: %s it needs version %d, this program has %d: install pingmill %s or a later one", ErrFormat, to, version,
		formatVersion, f.Program)
}

// mayRead returns an error if the program does not know the formats of the installation.
func (d *Data) mayRead(ctx context.Context) error {
	f, err := readFormats(ctx, d.Archive)
	if errors.Is(err, fs.ErrPermission) {
		return nil // found when it is read
	}
	if err == nil && f.Reads > formatVersion {
		err = f.needs(f.Reads, "reading")
	}
	return err
}

// MayWrite returns an error that matches ErrFormat if the program must not change the installation. Whatever changes it asks
// before each step, since a newer server may have changed the formats meanwhile.
func (d *Data) MayWrite(ctx context.Context) error {
	f, err := readFormats(ctx, d.Archive)
	if err == nil && f.Writes > formatVersion {
		err = f.needs(f.Writes, "writing")
	}
	return err
}
