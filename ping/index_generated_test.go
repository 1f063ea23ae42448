package ping

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The assembly in the folder equals the generator's output.
func TestIndexGenerated(t *testing.T) {
	dir := t.TempDir()
	generator := filepath.Join(dir, "generator.exe")
	if out, err := exec.Command("go", "build", "-o", generator, "./avo").CombinedOutput(); err != nil {
		t.Fatalf("build the generator: %v\n%s", err, out)
	}
	files := []string{"index_amd64.s", "index_stubs_amd64.go"}
	cmd := exec.Command(generator, "-pkg", "ping", "-out", files[0], "-stubs", files[1])
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("run the generator: %v\n%s", err, out)
	}
	for _, name := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what avo writes; run go generate", name)
		}
	}
}
