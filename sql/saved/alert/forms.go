package alert

import (
	"fmt"
	"strings"
	"time"
)

// forms make the body of a webhook, by the format of its target. The first format is the default.
var forms = []struct {
	format string
	body   func(Notice) any
}{
	{"json", func(n Notice) any { return n }},
	{"slack", func(n Notice) any { return n.slack() }},
	{"teams", func(n Notice) any { return n.teams() }},
}

// formOf returns the function that makes the body for a format; nil if there is no such format.
func formOf(format string) func(Notice) any {
	for i, f := range forms {
		if f.format == format || format == "" && i == 0 {
			return f.body
		}
	}
	return nil
}

// words describe the event.
var words = map[Event]string{Alert: "Alert", Resolved: "Resolved", Report: "Report", Failed: "Failed", Paused: "Paused"}

// fact is a line of a notice for people.
type fact struct{ name, value string }

// facts returns the lines of a notice in the order in which people read them.
func (n Notice) facts() (all []fact) {
	add := func(name string, value any) { all = append(all, fact{name, fmt.Sprint(value)}) }
	add("State", strings.ToLower(words[n.Event]))
	if n.Condition != "" {
		add("Condition", n.Condition)
	}
	if n.Error != "" {
		add("Error", n.Error)
	} else {
		add("Rows", n.Rows)
	}
	if n.RowsBefore != nil {
		add("Rows before", *n.RowsBefore)
	}
	if n.Value != nil {
		add("Value", n.Value)
	}
	if n.Before != nil {
		add("Before", n.Before)
	}
	add("Time", n.At.UTC().Format(time.RFC1123))
	return all
}

// headline returns the notice in one line.
func (n Notice) headline() string {
	return fmt.Sprintf("[pingmill] %s: %s", words[n.Event], n.Saved.Title)
}

// maxText is the number of characters that chat programs get of a text: escaped, it stays below the 2000 of a field of Slack.
const maxText = 300

// short returns a text as one line of at most maxText characters.
func short(text string) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > maxText {
		return string(r[:maxText-1]) + "…"
	}
	return string(r)
}

// slackMarkup escapes the characters that begin links and mentions in Slack's markup.
var slackMarkup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func slackText(text string) string { return slackMarkup.Replace(short(text)) }

// slackLink escapes a URL in Slack's markup, where a vertical bar ends it.
func slackLink(url, text string) string {
	return "<" + strings.ReplaceAll(slackMarkup.Replace(url), "|", "%7C") + "|" + slackText(text) + ">"
}

type (
	slackMessage struct {
		Text   string       `json:"text"` // of notifications, and for programs that read aloud
		Blocks []slackBlock `json:"blocks"`
	}
	slackBlock struct {
		Type   string      `json:"type"`
		Text   *slackMark  `json:"text,omitempty"`
		Fields []slackMark `json:"fields,omitempty"`
	}
	slackMark struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Verbatim bool   `json:"verbatim"` // no names or addresses become links
	}
)

// slack returns the notice as a message of Slack: its title as a link, and a field for each fact. Values are code, in which no
// character formats.
func (n Notice) slack() slackMessage {
	mark := func(text string) slackMark { return slackMark{"mrkdwn", text, true} }
	head := mark("*" + words[n.Event] + "*: " + slackLink(n.Saved.URL, n.Saved.Title))
	var fields []slackMark
	for _, f := range n.facts() {
		fields = append(fields, mark("*"+f.name+"*\n`"+strings.ReplaceAll(slackText(f.value), "`", "'")+"`"))
	}
	return slackMessage{slackText(n.headline()), []slackBlock{{Type: "section", Text: &head}, {Type: "section", Fields: fields}}}
}

type (
	teamsMessage struct {
		Type        string            `json:"type"`
		Attachments []teamsAttachment `json:"attachments"`
	}
	teamsAttachment struct {
		ContentType string    `json:"contentType"`
		Content     teamsCard `json:"content"`
	}
	teamsCard struct {
		Schema  string        `json:"$schema"`
		Type    string        `json:"type"`
		Version string        `json:"version"`
		Body    []teamsText   `json:"body"`
		Actions []teamsAction `json:"actions"`
	}
	teamsText struct {
		Type    string     `json:"type"`
		Inlines []teamsRun `json:"inlines"`
	}
	teamsRun struct {
		Type   string `json:"type"`
		Text   string `json:"text"`
		Weight string `json:"weight,omitempty"`
		Size   string `json:"size,omitempty"`
	}
	teamsAction struct {
		Type  string `json:"type"`
		Title string `json:"title"`
		URL   string `json:"url"`
	}
)

// teams returns the notice as an Adaptive Card of Microsoft Teams. Its texts are runs, which are the ones without markup.
func (n Notice) teams() teamsMessage {
	card := teamsCard{Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.4",
		Actions: []teamsAction{{"Action.OpenUrl", "Open the query", n.Saved.URL}}}
	line := func(runs ...teamsRun) { card.Body = append(card.Body, teamsText{"RichTextBlock", runs}) }
	line(teamsRun{"TextRun", short(n.headline()), "bolder", "medium"})
	for _, f := range n.facts() {
		line(teamsRun{Type: "TextRun", Text: f.name + ": ", Weight: "bolder"}, teamsRun{Type: "TextRun", Text: short(f.value)})
	}
	return teamsMessage{"message", []teamsAttachment{{"application/vnd.microsoft.card.adaptive", card}}}
}
