package alert

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// checkSlack returns the error that Slack's reference of blocks gives a message.
func checkSlack(body []byte) error {
	var m struct {
		Text   string
		Blocks []struct {
			Type string
			Text *struct {
				Type, Text string
			}
			Fields []struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	if m.Text == "" || len(m.Blocks) == 0 || len(m.Blocks) > 50 {
		return errors.New("no_text")
	}
	for _, b := range m.Blocks {
		switch {
		case b.Type != "section", b.Text == nil && len(b.Fields) == 0, len(b.Fields) > 10:
			return errors.New("invalid_blocks")
		case b.Text != nil && (b.Text.Type != "mrkdwn" || b.Text.Text == "" || len([]rune(b.Text.Text)) > 3000):
			return errors.New("invalid text")
		}
		for _, f := range b.Fields {
			if f.Type != "mrkdwn" || f.Text == "" || len([]rune(f.Text)) > 2000 {
				return errors.New("invalid field")
			}
		}
	}
	return nil
}

// checkTeams returns the error that the schema of Adaptive Cards gives a message of Teams.
func checkTeams(body []byte) error {
	var m struct {
		Type        string
		Attachments []struct {
			ContentType string
			Content     struct {
				Schema        string `json:"$schema"`
				Type, Version string
				Body          []struct {
					Type    string
					Inlines []struct{ Type, Text, Weight, Size string }
				}
				Actions []struct{ Type, Title, URL string }
			}
		}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	if m.Type != "message" || len(m.Attachments) != 1 || m.Attachments[0].ContentType != "application/vnd.microsoft.card.adaptive" {
		return errors.New("no message with a card")
	}
	c := m.Attachments[0].Content
	if c.Type != "AdaptiveCard" || c.Version != "1.4" || !strings.HasSuffix(c.Schema, "/adaptive-card.json") || len(body) > 28<<10 {
		return errors.New("no card")
	}
	for _, e := range c.Body {
		if e.Type != "RichTextBlock" || len(e.Inlines) == 0 {
			return errors.New("invalid element")
		}
		for _, run := range e.Inlines {
			if run.Type != "TextRun" || run.Text == "" {
				return errors.New("invalid run")
			}
		}
	}
	if len(c.Actions) != 1 || c.Actions[0].Type != "Action.OpenUrl" || c.Actions[0].Title == "" ||
		!strings.HasPrefix(c.Actions[0].URL, "https://") {
		return errors.New("invalid action")
	}
	return nil
}

// TestForms: Slack and Teams get documents of their forms, signed like the others, in which no text is markup.
func TestForms(t *testing.T) {
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		check := map[string]func([]byte) error{"/slack": checkSlack, "/teams": checkTeams}[r.URL.Path]
		if err := check(body); err != nil || r.Header.Get("Content-Type") != "application/json" ||
			r.Header.Get(SignatureHeader) != Sign("secret", r.Header.Get(TimeHeader), body) {
			t.Errorf("%s: %v: %s", r.URL.Path, err, body)
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer server.Close()
	s := sender(true, nil, server.URL)
	send := func(format string, n Notice) string {
		require.NoError(t, s.Send(t.Context(), Target{"webhook", server.URL + "/" + format, format}, "secret", n))
		var text any
		require.NoError(t, json.Unmarshal(body, &text))
		plain, err := marshalPlain(text)
		require.NoError(t, err)
		return plain
	}
	before := int64(9)
	n := notice
	n.Saved.Title, n.Condition, n.RowsBefore, n.Before = "<!channel> & *all* | `x`", "_n_ > `3`", &before, 11.5
	slack := send("slack", n)
	require.Contains(t, slack, `[pingmill] Alert: &lt;!channel&gt; &amp; *all* | `+"`x`")
	require.Contains(t, slack, `*Alert*: <https://pings.example.org/saved/abc|&lt;!channel&gt; &amp; *all* | `+"`x`>")
	for _, want := range []string{"*Condition*\\n`_n_ &gt; '3'`", "*Rows*\\n`4`", "*Rows before*\\n`9`", "*Value*\\n`12.5`",
		"*Before*\\n`11.5`", "*Time*\\n`Fri, 02 Mar 2018 07:00:00 UTC`"} {
		require.Contains(t, slack, want)
	}
	require.NotContains(t, slack, "<!channel>")
	teams := send("teams", n)
	for _, want := range []string{"[pingmill] Alert: <!channel> & *all* | `x`", `"text":"Before: "`, `"text":"11.5"`, `"text":"Rows before: "`,
		`"url":"https://pings.example.org/saved/abc"`} {
		require.Contains(t, teams, want)
	}
	long := Notice{Event: Failed, Saved: Saved{"abc", strings.Repeat("&", 1000), "https://pings.example.org/saved/a|b"}, At: at,
		Error: "line one\n\tline two " + strings.Repeat("<&ä", 3000), Condition: strings.Repeat(">", 900), Value: 1.0, Before: 2.0,
		RowsBefore: &before}
	slack = send("slack", long)
	require.Contains(t, slack, "line one line two")
	require.Contains(t, slack, "saved/a%7Cb|")
	require.Contains(t, slack, "…")
	require.Contains(t, send("teams", long), "line one line two")
	for _, e := range Events {
		n.Event = e
		require.Contains(t, send("slack", n), "*"+words[e]+"*")
		require.Contains(t, send("teams", n), words[e])
	}
	require.ErrorContains(t, s.Check(Target{"webhook", server.URL, "discord"}), "json, slack or teams")
	require.ErrorContains(t, s.Check(Target{"mail", "a@example.org", "slack"}), "only webhooks")
	require.NoError(t, s.Check(Target{"webhook", server.URL, "json"}))
}

// marshalPlain writes a document without escapes of HTML.
func marshalPlain(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.String(), err
}

// TestFacts: mails, Slack and Teams have the same lines.
func TestFacts(t *testing.T) {
	n := Notice{Event: Paused, Error: "no such column", At: at.Add(time.Hour), Rows: 3}
	require.Equal(t, []fact{{"State", "paused"}, {"Error", "no such column"}, {"Time", "Fri, 02 Mar 2018 08:00:00 UTC"}}, n.facts())
}
