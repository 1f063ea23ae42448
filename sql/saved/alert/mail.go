package alert

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

const mailTimeout = 15 * time.Second

// send sends a mail of plain text.
func (m Mail) send(ctx context.Context, to string, n Notice) *Problem {
	msg := mail.NewMsg()
	if err := errors.Join(msg.From(m.From), msg.To(to)); err != nil {
		return &Problem{What: "the mail cannot be written", Final: true, Cause: err}
	}
	msg.Subject(n.headline())
	msg.SetDate()
	msg.SetMessageID()
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // no answers of absent people
	msg.SetBodyString(mail.TypeTextPlain, n.text())
	if a := n.Attachment; a != nil && a.CSV != nil {
		err := msg.AttachReader("query-"+n.Saved.ID+".csv", bytes.NewReader(a.CSV), mail.WithFileContentType("text/csv; charset=utf-8"))
		if err != nil {
			return &Problem{What: "the rows cannot be attached", Final: true, Cause: err}
		}
	}
	client, err := m.client()
	if err != nil {
		return &Problem{What: "the mail server of the configuration is none", Final: true, Cause: err}
	}
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		var refused *mail.SendError
		if errors.As(err, &refused) {
			return &Problem{What: "the mail server did not take the mail", Final: !refused.IsTemp(), Cause: err}
		}
		return &Problem{What: "the mail server could not be reached, or not safely", Cause: err}
	}
	return nil
}

func (m Mail) client() (*mail.Client, error) {
	host, port, err := net.SplitHostPort(m.Server)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	o := []mail.Option{mail.WithPort(n), mail.WithTimeout(mailTimeout),
		mail.WithTLSConfig(&tls.Config{ServerName: host, RootCAs: m.Roots, MinVersion: tls.VersionTLS12})}
	switch m.TLS {
	case "tls":
		o = append(o, mail.WithSSL())
	case "none":
		o = append(o, mail.WithTLSPolicy(mail.NoTLS))
	default:
		o = append(o, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if m.User != "" {
		o = append(o, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(m.User), mail.WithPassword(m.Password))
	}
	return mail.NewClient(host, o...)
}

// text returns the mail.
func (n Notice) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", n.Saved.Title, n.Saved.URL)
	for _, f := range n.facts() {
		fmt.Fprintf(&b, "%-12s %s\n", f.name+":", f.value)
	}
	if n.Attachment != nil {
		fmt.Fprintf(&b, "%-12s %s\n", "Attached:", n.Attachment.Text)
	}
	return b.String()
}
