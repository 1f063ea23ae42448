package main

import (
	"context"
	_ "embed" // the program in Lua
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// nginxConfig makes nginx answer every request without a backend. `return` first reads and discards the body, 4 KB at
// a time; a header buffer for the whole request makes that a single read.
const nginxConfig = `daemon off; master_process off; worker_processes 1; pid %[1]s/nginx.pid; error_log stderr crit;
events { worker_connections 4096; }
http {
	access_log off; client_max_body_size 1m; keepalive_requests 1000000000; %[3]s
	client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; scgi_temp_path %[1]s/4; uwsgi_temp_path %[1]s/5;
	server { listen %[2]s; location / { %[4]s } }
}
`

// nginxLua loads Debian's module; the other lines go into the configuration.
const (
	nginxLua     = "/usr/lib/nginx/modules/ngx_http_lua_module.so"
	nginxLuaHead = "load_module /usr/lib/nginx/modules/ndk_http_module.so; load_module " + nginxLua + ";\n"
	nginxLuaHTTP = "client_body_buffer_size 128k; lua_package_path '%[1]s/?.lua;;'; " +
		"init_worker_by_lua_block { require('floor').start('%[1]s/log') }"
)

//go:embed floor.lua
var floorProgram []byte

// startNginx starts nginx; exec.ErrNotFound when it is not installed.
func startNginx(ctx context.Context, dir, name string) (*edgeServer, error) {
	path, err := exec.LookPath("nginx")
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			return nil, exec.ErrNotFound
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	head, more, location := "", "", `return 200 "OK";`
	switch name {
	case "nginx-32k":
		more = "client_header_buffer_size 32k;"
	case "nginx-lua":
		if _, err := os.Stat(nginxLua); err != nil {
			return nil, exec.ErrNotFound
		}
		if err := os.WriteFile(filepath.Join(dir, "floor.lua"), floorProgram, 0o644); err != nil {
			return nil, err
		}
		head, more = nginxLuaHead, fmt.Sprintf(nginxLuaHTTP, dir)
		location = "content_by_lua_block { require('floor').take() }"
	}
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf([]byte(head), nginxConfig, dir, addr, more, location), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, "-p", dir, "-e", "stderr", "-c", config)
	cmd.Stderr = os.Stderr
	if err := startOn(serverCore, cmd); err != nil {
		return nil, err
	}
	s := &edgeServer{addr: addr, pid: cmd.Process.Pid, stop: func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }}
	for range 100 {
		if c, err := net.Dial("tcp", addr); err == nil {
			return s, c.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.stop()
	return nil, fmt.Errorf("nginx does not listen on %s", addr)
}
