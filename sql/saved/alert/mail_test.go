package alert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http/httptest"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
)

// session is one client of the mail server.
type session struct {
	server *mailServer
	signed bool
	to     []string
}

// mailServer keeps the mails that it gets.
type mailServer struct {
	mails  []string
	refuse []error // of the next recipients
}

func (m *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: m}, nil }
func (s *session) AuthMechanisms() []string                       { return []string{sasl.Plain} }
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "pingmill" || password != "secret" {
			return smtp.ErrAuthFailed
		}
		s.signed = true
		return nil
	}), nil
}
func (s *session) Mail(string, *smtp.MailOptions) error {
	if !s.signed {
		return smtp.ErrAuthRequired
	}
	return nil
}
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if len(s.server.refuse) > 0 {
		err := s.server.refuse[0]
		s.server.refuse = s.server.refuse[1:]
		return err
	}
	s.to = append(s.to, to)
	return nil
}
func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	s.server.mails = append(s.server.mails, strings.Join(s.to, ",")+"\n"+string(text))
	return err
}
func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// startMail starts a mail server that wants TLS and a password.
func startMail(t *testing.T) (*mailServer, Mail) {
	trusted := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(trusted.Close)
	m := &mailServer{}
	server := smtp.NewServer(m)
	server.TLSConfig = &tls.Config{Certificates: trusted.TLS.Certificates}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	roots := x509.NewCertPool()
	roots.AddCert(trusted.Certificate())
	return m, Mail{Server: l.Addr().String(), From: "pingmill@example.org", User: "pingmill", Password: "secret", TLS: "starttls",
		Domains: []string{"example.org"}, Roots: roots}
}

// parts returns the text and the attached file of a mail.
func parts(t *testing.T, message string) (text string, file []byte) {
	t.Helper()
	_, message, _ = strings.Cut(message, "\n") // the recipients
	m, err := mail.ReadMessage(strings.NewReader(message))
	require.NoError(t, err)
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.Equal(t, "multipart/mixed", kind)
	all := multipart.NewReader(m.Body, parameters["boundary"])
	body, err := all.NextPart() // decodes quoted-printable
	require.NoError(t, err)
	plain, err := io.ReadAll(body)
	require.NoError(t, err)
	attached, err := all.NextPart()
	require.NoError(t, err)
	require.Equal(t, "query-abc.csv", attached.FileName())
	require.Equal(t, "base64", attached.Header.Get("Content-Transfer-Encoding"))
	file, err = io.ReadAll(base64.NewDecoder(base64.StdEncoding, attached))
	require.NoError(t, err)
	return string(plain), file
}

// TestMail: a mail arrives, over a connection that is encrypted; refusals are tried again if they may pass.
func TestMail(t *testing.T) {
	server, m := startMail(t)
	waits := 0
	s := New(Config{Mail: m, Clock: clock.Clock{Now: time.Now, Wait: func(context.Context, time.Duration) error { waits++; return nil }}})
	require.Equal(t, []string{"mail"}, s.Kinds())
	send := func() error { return s.Send(t.Context(), Target{Kind: "mail", To: "ana@example.org"}, "", notice) }
	require.NoError(t, send())
	require.Len(t, server.mails, 1)
	for _, want := range []string{"ana@example.org\n", "Subject: =?UTF-8?", "Auto-Submitted: auto-generated",
		"https://pings.example.org/saved/abc", "rows > 3", "12.5"} {
		require.Contains(t, server.mails[0], want)
	}
	require.NotContains(t, server.mails[0], "multipart")
	server.mails = server.mails[:0]
	n := notice
	n.Attachment = &Attachment{Text: "rows: 2", CSV: []byte("n,country\n1,DE\n2,ä\n")}
	require.NoError(t, s.Send(t.Context(), Target{Kind: "mail", To: "ana@example.org"}, "", n))
	text, file := parts(t, server.mails[0])
	require.Contains(t, text, "Attached:    rows: 2")
	require.Equal(t, n.Attachment.CSV, file)
	n.Attachment = &Attachment{Text: "no rows: the reason"}
	require.NoError(t, s.Send(t.Context(), Target{Kind: "mail", To: "ana@example.org"}, "", n))
	require.NotContains(t, server.mails[1], "multipart")
	require.Contains(t, server.mails[1], "no rows: the reason")
	server.mails = server.mails[:1]
	server.refuse = []error{&smtp.SMTPError{Code: 451, Message: "later"}}
	require.NoError(t, send())
	require.Equal(t, 1, waits)
	server.refuse = []error{&smtp.SMTPError{Code: 550, Message: "no such person"}}
	err := send()
	require.ErrorContains(t, err, "did not take the mail")
	require.ErrorContains(t, errors.Unwrap(err), "no such person")
	require.Equal(t, 1, waits)
	for _, change := range []func(*Mail){
		func(m *Mail) { m.Roots = nil }, func(m *Mail) { m.Password = "wrong" }, func(m *Mail) { m.TLS = "none"; m.User = "" },
		func(m *Mail) { m.TLS = "tls" }, func(m *Mail) { m.Server = "127.0.0.1:1" },
	} {
		bad := m
		change(&bad)
		s.Mail = bad
		require.Error(t, send())
	}
	require.Len(t, server.mails, 2)
	for _, to := range []string{"", "ana", "ana@elsewhere.org", "Ana <ana@example.org>", "a@example.org\r\nBcc: b@example.org",
		"\"a b\"@example.org", "a@example.org,b@example.org"} {
		require.Error(t, s.Check(Target{Kind: "mail", To: to}), to)
	}
	require.ErrorContains(t, New(Config{}).Check(Target{Kind: "mail", To: "a@example.org"}), "mail.server")
}
