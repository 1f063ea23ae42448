package service

import "testing"

func TestURLOf(t *testing.T) {
	for listen, want := range map[string]string{
		":8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://127.0.0.1:80", "[::]:80": "http://[::1]:80",
		"10.0.0.5:80": "http://10.0.0.5:80", "localhost:80": "http://localhost:80",
	} {
		if got := URLOf(listen, ""); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
	if got := URLOf(":443", "cert.pem"); got != "https://127.0.0.1:443" {
		t.Errorf("with TLS: %s", got)
	}
}
