package ingest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pingmill/pingmill/ping"
)

// firefoxDesktop is the application id of Firefox for desktops.
const firefoxDesktop = "firefox-desktop"

// AllApplications in Glean.Applications stands for every namespace except telemetry.
const AllApplications = "*"

// FirefoxApplications returns the application ids of a Firefox for desktops.
func FirefoxApplications() []string {
	return []string{
		firefoxDesktop, "firefox-desktop-background-update", "firefox-desktop-background-defaultagent", "firefox-desktop-background-tasks",
		"firefox-crashreporter",
	}
}

// InfoSections reports whether pings of a type have the members client_info and ping_info.
type InfoSections uint8

// The kinds of ping types.
const (
	InfoUnknown InfoSections = iota // both or neither
	WithInfo                        // both
	WithoutInfo                     // neither
)

// Glean configures the pings of applications that use the Glean SDK.
type Glean struct {
	// Applications lists the application ids, which are namespaces of paths, or has AllApplications.
	Applications []string
	// InfoSections returns what is known of a ping type; nil: nothing is.
	InfoSections func(application, docType string) InfoSections
}

// takes reports whether a namespace is of a Glean application.
func (g *Glean) takes(namespace []byte) bool {
	return slices.ContainsFunc(g.Applications, func(name string) bool {
		return name == string(namespace) || name == AllApplications && !bytes.Equal(namespace, telemetryNamespace)
	})
}

// gleanRules checks the pings of Glean applications.
type gleanRules struct {
	Glean
	withInfo, withoutInfo *checker
}

// gleanSchema is the file with the rules.
const gleanSchema = "schemas/glean.json"

func newGleanRules(g Glean) (gleanRules, error) {
	r := gleanRules{Glean: g}
	if len(g.Applications) == 0 {
		return r, nil
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft4)
	compiler.UseLoader(schemaLoader{embedded})
	for form, to := range map[string]**checker{"with-info": &r.withInfo, "without-info": &r.withoutInfo} {
		s, err := compiler.Compile(schemaURL(gleanSchema) + "#/definitions/" + form)
		if err != nil {
			return r, fmt.Errorf("compile %s: %w", gleanSchema, oneLine(err))
		}
		*to = newChecker(s)
		(*to).plain = true
	}
	return r, nil
}

// violation describes how a document violates the rules; see checker.violation.
func (r *gleanRules) violation(doc *ping.Doc, u *URI) string {
	known := InfoUnknown
	if r.InfoSections != nil {
		known = r.InfoSections(string(u.Namespace), string(u.DocType))
	}
	neither := doc.Value(gleanFields.pingInfo).Kind() == ping.Missing && doc.Value(gleanFields.clientInfo).Kind() == ping.Missing
	if known == WithoutInfo || known == InfoUnknown && neither {
		return r.withoutInfo.violation(doc)
	}
	return r.withInfo.violation(doc)
}

// gleanDocument works like Decoder.document for a ping of a Glean application. It does not check deletion requests: they
// count in whatever form they come.
func (d *Decoder) gleanDocument(s *Submission, u *URI, out *Outcome) (class, message string) {
	body, err := d.scan(s, out, gleanFields.program)
	if err != nil {
		return ClassJSON, "invalid submission: " + err.Error()
	}
	setGlean(&out.Meta, &out.doc, u)
	forgets, err := d.requests.Clients(&out.Meta, body)
	if err != nil {
		return ClassJSON, "invalid submission: " + err.Error()
	}
	if len(forgets) == 0 {
		if v := d.gleanViolation(&out.doc, u); v != "" {
			return ClassSchema, fmt.Sprintf("%s version %s: %s", u.DocType, u.DocVersion, v)
		}
	}
	out.Body = body
	return "", ""
}

// gleanViolation describes how a document violates its schema: the folder's schema for the ping type if there is one,
// else the rules of all Glean pings.
func (d *Decoder) gleanViolation(doc *ping.Doc, u *URI) string {
	if schema := d.schemas.find(u.Namespace, u.DocType, wholeNumber(string(u.DocVersion))); schema != nil {
		return schema.violation(doc)
	}
	return d.glean.violation(doc, u)
}

// identify removes the query string from the document id, and reports whether that is a UUID.
func (u *URI) identify() bool {
	u.DocumentID, _, _ = bytes.Cut(u.DocumentID, []byte("?"))
	return isUUID(u.DocumentID)
}

// uuidPattern is the pattern of UUIDs in either case.
const uuidPattern = "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$"

// notHex holds 1 for each byte that is no hexadecimal digit.
var notHex = func() (not [256]uint8) {
	for c := range not {
		if !isHex(byte(c)) {
			not[c] = 1
		}
	}
	return not
}()

func isHex(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }

// isUUID reports whether a text is a UUID in either case.
func isUUID(text []byte) bool {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return false
	}
	wrong := uint8(0)
	for _, part := range [...][]byte{text[:8], text[9:13], text[14:18], text[19:23], text[24:36]} {
		for ; len(part) >= 4; part = part[4:] {
			wrong |= notHex[part[0]] | notHex[part[1]] | notHex[part[2]] | notHex[part[3]]
		}
	}
	return wrong == 0
}

// lowered returns an ASCII text in lower case: text itself if it has no capitals.
func lowered(text []byte) []byte {
	if slices.ContainsFunc(text, func(c byte) bool { return c-'A' < 26 }) {
		return bytes.ToLower(text)
	}
	return text
}
