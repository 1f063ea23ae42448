"""Stands between Firefox and the edge: serves the pages that are browsed, writes down every submission as it was sent,
and passes it on. As a proxy of Firefox it refuses every other host, so nothing leaves the machine."""

import base64
import http.client
import http.server
import json
import threading
import time
import urllib.parse

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body><h1>{title}</h1><p><a id="next" href="/page/{next}">next</a></p><p>{text}</p></body></html>"""
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "expect"}


class Recorder(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, path, edge):
        super().__init__(("127.0.0.1", 0), Handler)
        self.edge, self.file, self.lock = edge, open(path, "ab"), threading.Lock()
        self.client, self.submissions, self.refused = "", [], {}
        self.address = f"localhost:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A browser that closes a connection early is no error."""

    def submit(self, method, uri, headers, body):
        """Passes a submission on, and writes it with the edge's status as a line that pingmill load takes."""
        kept = {k: v for k, v in headers if k.lower() not in HOP}
        edge = http.client.HTTPConnection(self.edge, timeout=60)
        try:
            edge.request(method, uri, body, kept)
            answer = edge.getresponse()
            status, said = answer.status, answer.read()
        finally:
            edge.close()
        line = {
            "uri": uri, "timestamp": time.time_ns(), "headers": dict(headers), "remoteAddr": "127.0.0.1",
            "body": base64.b64encode(body).decode(),
        }
        with self.lock:
            self.file.write(json.dumps(line).encode() + b"\n")
            self.file.flush()
            self.submissions.append((self.client, uri, status))
        return status, said

    def crash_pings(self, firefox, count):
        """Sends the pings that a crash reporter keeps, as whoever answers for its host does, once there are so many."""
        for _ in range(120):
            pings = list(firefox.crash_pings())
            if len(pings) >= count:
                break
            time.sleep(0.25)
        else:
            raise RuntimeError(f"the crash reporter has {len(pings)} pings, not {count}")
        for path, body, headers in pings:
            self.submit("POST", path, list(headers.items()), body)

    def write(self, path):
        """Writes which client sent each line, and what the edge answered."""
        path.write_text("\n".join(json.dumps(s) for s in self.submissions) + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="text/html; charset=utf-8"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_CONNECT(self):
        self.refuse(self.path)

    def refuse(self, host):
        refused = self.server.refused
        refused[host] = refused.get(host, 0) + 1
        self.close_connection = True
        self.answer(502, b"only this machine")

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.netloc and not url.netloc.startswith("localhost:"):
            return self.refuse(url.netloc)
        match url.path.split("/")[1:]:
            case ["page", n] if n.isdigit():
                text = "words of a page " * 40
                return self.answer(200, PAGE.format(title=f"Page {n}", next=int(n) + 1, text=text).encode())
            case ["search"]:
                query = urllib.parse.parse_qs(url.query).get("q", [""])[0]
                return self.answer(200, PAGE.format(title="Results", next=1, text=f"{len(query)} letters").encode())
        self.answer(404, b"no such page")

    do_HEAD = do_GET

    def do_POST(self):
        url = urllib.parse.urlsplit(self.path)
        if url.netloc and not url.netloc.startswith("localhost:"):
            return self.refuse(url.netloc)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(*self.server.submit(self.command, self.path, self.headers.items(), body))

    do_PUT = do_POST
