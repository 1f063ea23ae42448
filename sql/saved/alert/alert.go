// Package alert notifies people and external programs of a schedule's result, by webhook or mail, but only where the
// configuration allows it.
package alert

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
)

// Config describes where alerts may be sent.
type Config struct {
	// Hosts lists the allowed hosts of webhooks: hook.example.org, *.example.org, or with a port. Requests use HTTPS, and
	// plain HTTP for hosts written as http://host.
	Hosts []string
	// Private allows webhooks to addresses that are not public, such as those of this machine and its network.
	Private     bool
	Mail        Mail
	clock.Clock // for pauses between tries
}

// Mail configures the server that sends mail.
type Mail struct {
	Server   string // host:port; "": no mail is sent
	From     string // address of the sender
	User     string // "": no authentication
	Password string
	TLS      string         // starttls (upgrade to TLS), tls (from the start) or none
	Domains  []string       // allowed domains of recipients; none: all
	Rows     bool           // schedules may attach rows
	Roots    *x509.CertPool // trusted roots of the server's certificate; nil: the system's
}

// Target is a recipient of notifications.
type Target struct {
	Kind string `json:"kind" enum:"webhook,mail"`
	To   string `json:"to" minLength:"1" maxLength:"1000" doc:"address of a webhook, or of a person"`
	// Format is the form of a webhook's body; "": json.
	Format string `json:"format,omitempty" enum:"json,slack,teams" doc:"of the body of a webhook: JSON of its own, a message of Slack, or an Adaptive Card of Microsoft Teams; default: json"`
}

// IsMail reports whether a target gets mail.
func (t Target) IsMail() bool { return t.Kind == "mail" }

// TargetKinds lists the kinds of targets.
var TargetKinds = []string{"webhook", "mail"}

// Event is the reason of a notification.
type Event string

// The events.
const (
	Alert    Event = "alert"    // the condition holds
	Resolved Event = "resolved" // it held before, and no longer does
	Report   Event = "report"   // there is no condition
	Failed   Event = "failed"   // the query failed
	Paused   Event = "paused"   // the schedule runs no more until somebody starts it again
)

// Events are all of them.
var Events = []Event{Alert, Resolved, Report, Failed, Paused}

// Notice is a notification: the body of a webhook as JSON.
type Notice struct {
	Event     Event     `json:"event"`
	Saved     Saved     `json:"saved"`
	Planned   time.Time `json:"planned"`
	At        time.Time `json:"at"`
	Condition string    `json:"condition,omitempty"`
	Rows      int64     `json:"rows"`
	Value     any       `json:"value,omitempty"`
	// RowsBefore is the number of rows of the last run that succeeded; nil if there is none.
	RowsBefore *int64 `json:"rowsBefore,omitempty"`
	Before     any    `json:"before,omitempty"` // the value of the run before
	Error      string `json:"error,omitempty"`
	Query      string `json:"query,omitempty"` // id of the query that ran

	Attachment *Attachment `json:"-"` // of mails only; nil if there is none
}

// Attachment has rows of a result as CSV, or only the reason why there are none.
type Attachment struct {
	Text string // such as "3 rows"
	CSV  []byte // nil: no rows
}

// Saved is the saved query of a Notice.
type Saved struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Sender sends notices. It is safe for concurrent use.
type Sender struct {
	Config

	web *webhook
}

// New makes a Sender.
func New(c Config) *Sender { return &Sender{c, newWebhook(c)} }

// Kinds returns the kinds of targets that the configuration lets alerts go to.
func (s *Sender) Kinds() []string {
	kinds := []string{}
	if len(s.Hosts) > 0 {
		kinds = append(kinds, "webhook")
	}
	if s.Mail.Server != "" {
		kinds = append(kinds, "mail")
	}
	return kinds
}

// Check returns the reason why nothing can be sent to a target.
func (s *Sender) Check(t Target) error {
	switch t.Kind {
	case "webhook":
		if formOf(t.Format) == nil {
			return fmt.Errorf("no format of webhooks is called %.40q: want json, slack or teams", t.Format)
		}
		_, err := s.web.target(t.To)
		return err
	case "mail":
		if t.Format != "" {
			return errors.New("only webhooks have a format")
		}
		return s.Mail.check(t.To)
	}
	return fmt.Errorf("no kind of target is called %.40q: want webhook or mail", t.Kind)
}

// pauses are between tries.
var pauses = []time.Duration{2 * time.Second, 15 * time.Second}

// Send notifies a target. Its error is a *Problem or one of Check. secret is the signing key of a webhook.
func (s *Sender) Send(ctx context.Context, t Target, secret string, n Notice) error {
	if err := s.Check(t); err != nil {
		return err
	}
	send := func() *Problem {
		if t.Kind == "webhook" {
			return s.web.send(ctx, t, secret, n)
		}
		return s.Mail.send(ctx, t.To, n)
	}
	for i := 0; ; i++ {
		p := send()
		if p == nil {
			return nil
		}
		if p.Final || i == len(pauses) || s.Wait(ctx, pauses[i]) != nil {
			return p
		}
	}
}

// Problem holds the reason that a notification failed. What can be shown to people, Cause is for the log: it may name parts of the
// network.
type Problem struct {
	What  string
	Final bool // another try will not help
	Cause error
}

func (p *Problem) Error() string { return p.What }

// Unwrap gives the cause.
func (p *Problem) Unwrap() error { return p.Cause }

func (m Mail) check(to string) error {
	if m.Server == "" {
		return errors.New("no mail is sent: mail.server of the configuration is empty")
	}
	a, err := mail.ParseAddress(to)
	if err != nil || a.Address != to || len(to) > 254 || strings.ContainsAny(to, "\r\n\"") {
		return fmt.Errorf("%.60q is no address of mail", to)
	}
	_, domain, _ := strings.Cut(to, "@")
	if len(m.Domains) > 0 && !slices.ContainsFunc(m.Domains, func(d string) bool { return strings.EqualFold(d, domain) }) {
		return errors.New("mail to this domain is not allowed: mail.domains of the configuration has those that are")
	}
	return nil
}
