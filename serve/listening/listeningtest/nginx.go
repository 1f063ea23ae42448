package listeningtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const nginxConfig = `
daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log error;
events {}
http {
	access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
	upstream behind { server %[2]s; keepalive 1; }
	server {
		listen %[3]s%[6]s; client_max_body_size 0; client_body_timeout 6s;
		location / {
			proxy_pass %[5]s://behind; proxy_http_version 1.1; proxy_request_buffering %[4]s; proxy_ssl_verify off;
			proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
		}
	}
}
`

// Nginx starts nginx as a proxy before the listener at an address, with one kept-alive connection, and returns the
// proxy's address. Without request buffering it forwards bodies while they arrive.
func Nginx(t *testing.T, scheme, address string, buffering bool) string {
	t.Helper()
	return nginx(t, scheme, address, buffering, "")
}

// NginxHTTP2 is Nginx for clients that speak HTTP/2 in clear text. The proxy speaks HTTP/1.1 with the listener.
func NginxHTTP2(t *testing.T, scheme, address string, buffering bool) string {
	t.Helper()
	return nginx(t, scheme, address, buffering, " http2")
}

func nginx(t *testing.T, scheme, address string, buffering bool, protocol string) string {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			t.Skip("nginx is missing, and this test is of a proxy before the listener: install nginx")
		}
	}
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at, dir := own.Addr().String(), t.TempDir()
	_ = own.Close()
	config := filepath.Join(dir, "nginx.conf")
	text := fmt.Sprintf(nginxConfig, dir, address, at, map[bool]string{true: "on", false: "off"}[buffering], scheme, protocol)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, "-c", config, "-p", dir, "-e", filepath.Join(dir, "error.log"))
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	for range 500 {
		if probe, err := net.Dial("tcp", at); err == nil {
			_ = probe.Close()
			return at
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("nginx does not listen")
	return ""
}
