package clienttest

import (
	"context"
	_ "embed" // the program
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ShortJava has flags for programs that run for some seconds: the optimizing compiler and a parallel garbage collector cost them more than
// they gain.
var ShortJava = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}

//go:embed Metadata.java
var metadata string

// Metadata runs the metadata requests of DBeaver and a query with a JDBC driver, a jar of Maven Central such as
// org.postgresql:postgresql:42.7.4. properties are names and values of the connection. It returns a line for each
// answer.
func Metadata(t *testing.T, driver, url string, properties ...string) string {
	t.Helper()
	java, jar := Jar(t, driver)
	program := filepath.Join(t.TempDir(), "Metadata.java")
	require.NoError(t, os.WriteFile(program, []byte(metadata), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, java,
		slices.Concat(ShortJava, []string{"--add-opens=java.base/java.nio=ALL-UNNAMED", "-cp", jar, program, url}, properties)...)
	var output strings.Builder
	cmd.Stderr = &output
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, &output)
	return string(out)
}

// Jar returns java and the path of a jar of Maven Central, such as org.postgresql:postgresql:42.7.4, or of one with a
// classifier: io.trino:trino-cli:476:jar:executable.
func Jar(t *testing.T, name string) (java, path string) {
	t.Helper()
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("java is missing: install a JDK")
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		t.Skip("mvn is missing: install Maven")
	}
	dir, unlock := cached(t, "jars")
	defer unlock()
	parts := strings.Split(name, ":")
	path = filepath.Join(dir, strings.Join(append(parts[1:3:3], parts[min(4, len(parts)):]...), "-")+".jar")
	if _, err := os.Stat(path); err == nil {
		return java, path
	}
	args := []string{"--batch-mode", "--quiet", "dependency:copy", "-Dartifact=" + name, "-DoutputDirectory=" + dir}
	if out, err := exec.Command(mvn, args...).CombinedOutput(); err != nil {
		t.Skipf("Maven Central does not give %s: %v\n%s", name, err, out)
	}
	return java, path
}
