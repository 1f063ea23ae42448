package clienttest

import (
	"bufio"
	"context"
	_ "embed" // the program
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed RestCatalog.java
var restCatalog string

// restParts lists the jars of the server: the catalog of Iceberg's own tests, the reference implementation of the
// protocol.
var restParts = []string{
	"org.apache.iceberg:iceberg-core:1.9.2", "org.apache.iceberg:iceberg-core:1.9.2:tests",
	"org.eclipse.jetty:jetty-servlet:11.0.25", "org.apache.hadoop:hadoop-client-api:3.3.4", "org.slf4j:slf4j-nop:2.0.16",
}

// RESTCatalog starts an empty REST catalog of Iceberg tables on a port, 0 for any, which has its state in memory. stop
// ends it, if the end of the test does not.
func RESTCatalog(t *testing.T, port int) (uri string, stop func()) {
	t.Helper()
	java, libs := jars(t, "iceberg-rest-1", restParts)
	program := filepath.Join(t.TempDir(), "RestCatalog.java")
	require.NoError(t, os.WriteFile(program, []byte(restCatalog), 0o644))
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, java, "-Xmx256m", "-cp", filepath.Join(libs, "*"), program, fmt.Sprint(port))
	_, err := cmd.StdinPipe() // it ends with this process
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var output strings.Builder
	cmd.Stderr = &output
	require.NoError(t, cmd.Start())
	stop = func() { cancel(); _ = cmd.Wait() }
	t.Cleanup(stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, output.String())
	return "http://127.0.0.1:" + strings.TrimSpace(strings.TrimPrefix(line, "ready ")), stop
}

// jars returns java and a folder with libraries of Maven Central and their dependencies. A library is
// group:name:version, with an optional classifier.
func jars(t *testing.T, name string, libraries []string) (java, libs string) {
	t.Helper()
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("java is missing: install a JDK")
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		t.Skip("mvn is missing: install Maven")
	}
	dir, unlock := cached(t, name)
	defer unlock()
	libs = filepath.Join(dir, "libs")
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return java, libs
	}
	var pom strings.Builder
	pom.WriteString("<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</" +
		"version><packaging>pom</packaging><dependencies>")
	for _, l := range libraries {
		p := append(strings.Split(l, ":"), "")
		fmt.Fprintf(&pom, "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version><classifier>%s</classifier></"+
			"dependency>", p[0], p[1], p[2], p[3])
	}
	pom.WriteString("</dependencies></project>")
	file := filepath.Join(dir, "pom.xml")
	require.NoError(t, os.WriteFile(file, []byte(pom.String()), 0o644))
	out, err := exec.Command(mvn, "--batch-mode", "--quiet", "-f", file, "dependency:copy-dependencies",
		"-DoutputDirectory="+libs).CombinedOutput()
	if err != nil {
		t.Skipf("Maven Central does not give %s: %v\n%s", libraries, err, out)
	}
	require.NoError(t, os.WriteFile(done, nil, 0o644))
	return java, libs
}

// Jars returns the paths of jars of Maven Central, without their dependencies.
func Jars(t *testing.T, names ...string) (paths []string) {
	t.Helper()
	for _, name := range names {
		_, path := Jar(t, name)
		paths = append(paths, path)
	}
	return paths
}
