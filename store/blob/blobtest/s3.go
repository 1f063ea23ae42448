package blobtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// The versions of the servers.
const (
	versitygw        = "github.com/versity/versitygw/cmd/versitygw"
	versitygwVersion = "v1.8.0"
)

// Key and Secret are of the S3 server; S3 sets them in the environment.
const (
	Key    = "pingmill-test"
	Secret = "pingmill-test-secret"
)

var s3 struct {
	sync.Mutex
	*server
	buckets int
}

// S3 returns the URL of a fresh bucket of versitygw, which keeps objects as files of a folder.
func S3(t testing.TB) (root string) {
	t.Helper()
	s3.Lock()
	defer s3.Unlock()
	if s3.server == nil {
		program := goInstall(t, versitygw, versitygwVersion)
		s3.server = start(t, nil, func(addr, dir string) []string {
			require.NoError(t, os.Mkdir(filepath.Join(dir, "buckets"), 0o755))
			return []string{program, "--port", addr, "--access", Key, "--secret", Secret, "--quiet", "--keep-alive", "posix",
				filepath.Join(dir, "buckets")}
		})
		credentials(t, map[string]string{
			"AWS_ACCESS_KEY_ID": Key, "AWS_SECRET_ACCESS_KEY": Secret, "AWS_REGION": "us-east-1",
			"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
		})
	}
	s3.buckets++
	name := fmt.Sprintf("bucket-%d", s3.buckets)
	require.NoError(t, os.Mkdir(filepath.Join(s3.dir, "buckets", name), 0o755))
	return fmt.Sprintf("s3://%s?endpoint=http://%s&path-style=true", name, s3.addr)
}

// credentials sets them for the whole process, and those that it starts: the server is for all of it, too.
func credentials(t testing.TB, env map[string]string) {
	for name, value := range env {
		require.NoError(t, os.Setenv(name, value)) //nolint:usetesting // the server outlives the test
	}
}
