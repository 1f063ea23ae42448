package generate

import "github.com/pingmill/pingmill/tools/generate/random"

// addon is an add-on or a theme.
type addon struct {
	id, name, version, description, creator string
	system, web, legacy                     bool
	from                                    int // first major version of the browser that has it
	installed, updated                      int // days
	foreign                                 bool
	signed                                  int
}

// systemAddons lists the add-ons that are part of the browser.
var systemAddons = []addon{
	{id: "aushelper@mozilla.org", name: "Application Update Service Helper", version: "2.0",
		description: "Changes the address of updates where checks ask for it."},
	{id: "firefox@getpocket.com", name: "Pocket", version: "1.0.5", description: "Keeps pages for later."},
	{id: "webcompat@mozilla.org", name: "Web Compat", version: "1.1", description: "Late fixes for pages that do not work."},
	{id: "screenshots@mozilla.org", name: "Firefox Screenshots", version: "25.0.0", from: 55, web: true},
	{id: "onboarding@mozilla.org", name: "Photon onboarding", version: "1.0", description: "Shows new users around.", from: 56},
	{id: "formautofill@mozilla.org", name: "Form Autofill", version: "1.0", description: "Fills in forms.", from: 56},
	{id: "activity-stream@mozilla.org", name: "Activity Stream", version: "2018.01.04.0062", description: "A home page and new tab page.",
		from: 56},
	{id: "followonsearch@mozilla.com", name: "Follow-on Search Telemetry", version: "0.9.6",
		description: "Counts searches that follow on searches.", from: 52},
	{id: "shield-recipe-client@mozilla.org", name: "Shield Recipe Client", version: "80", description: "Fetches and runs recipes.", from: 55},
	{id: "e10srollout@mozilla.org", name: "Multi-process staged rollout", version: "3.05", description: "Switches on several processes.",
		from: 50},
}

// userAddons lists add-ons that users install.
var userAddons = []addon{
	{id: "blocker@example.org", name: "Example Blocker", version: "1.15.10", description: "Blocks what you do not want to see.",
		creator: "Ada Example", web: true},
	{id: "{d10d0bf8-f5b5-4f0f-8a1e-1f3c8c5d0001}", name: "Quiet Tabs", version: "3.0.3",
		description: "Puts tabs to sleep that are not looked at.", creator: "Quiet Software", web: true},
	{id: "passwords@vault.example", name: "Vault – passwords", version: "4.7.2", description: "Keeps your \"secrets\" in one place.",
		creator: "Vault Example, Inc.", web: true},
	{id: "{b9db16a4-6edc-47ec-a1f4-b86292ed0002}", name: "Video Keeper", version: "7.0.0", description: "Saves moving pictures.",
		creator: "M. Muster", web: true},
	{id: "translate@example.net", name: "Übersetzer", version: "2.8.1", description: "Übersetzt Seiten, Absätze und Wörter.",
		creator: "Wörter GmbH", web: true},
	{id: "notes@example.com", name: "Side Notes", version: "0.6", description: "", creator: "N. N.", web: true},
	{id: "jid1-ExampleReader@jetpack", name: "Plain Reader", version: "1.4.1-signed", description: "Shows a page as text.", creator: "Plain",
		legacy: true},
	{id: "mouse-gestures@example.org", name: "Gestures", version: "3.1", description: "Draw to go back.", creator: "Mouse Lab", web: true},
	{id: "{a0d7ccb3-214d-498b-b4aa-0e8fda9a0003}", name: "Safe Site Rating", version: "17.2.1", description: "Rates what a search finds.",
		creator: "Antivirus Example Ltd.", web: true},
	{id: "wrc@antivirus.example", name: "Antivirus Online Security", version: "12.2.20", description: "Warns of pages.",
		creator: "Antivirus Example", web: true, foreign: true},
	{id: "toolbar@portal.example", name: "Portal Toolbar", version: "3.7.8", description: "Portal, mail and weather.", creator: "Portal AG",
		legacy: true, foreign: true},
	{id: "dictionary-de@example.org", name: "Deutsches Wörterbuch", version: "2.0.6.1", description: "Rechtschreibung", creator: "Frei",
		legacy: true},
	{id: "downloads@example.org", name: "Download Panel", version: "4.2", description: "All downloads in one place.", creator: "Panel Authors",
		legacy: true},
	{id: "theme-switch@example.org", name: "Day and Night", version: "1.0", description: "Dark at night.", creator: "夜", web: true},
	{id: "measured@example.org", name: "Example Addon", version: "1.3.0", description: "Measures how it is used.", creator: "Example",
		web: true},
	{id: "{e4a8a97b-f2ed-450b-b12d-ee082ba20004}", name: "Script Runner", version: "4.2", description: "Runs scripts of your own.",
		creator: "S. Cript", web: true},
	{id: "rss@example.org", name: "Feed Reader", version: "0.9", description: "News as they come.", creator: "Feeds", web: true},
	{id: "json@example.org", name: "Structured View", version: "1.2", description: "{ \"a\": [1, 2] } as a tree.", creator: "Tree\\Root",
		web: true},
}

const measuredAddon = 14 // index in userAddons

var defaultTheme = addon{
	id: "{972ce4c6-7e08-4474-a285-3208198ce6fd}", name: "Default", description: "The theme of the browser.",
}

var otherThemes = []addon{
	{id: "firefox-compact-dark@mozilla.org", name: "Dark", version: "1.0", description: "A theme with dark colours."},
	{id: "firefox-compact-light@mozilla.org", name: "Light", version: "1.0", description: "A theme with light colours."},
	{id: "18066@personas.example.org", name: "Dark Fox", version: "0", description: "Night sky", foreign: true},
}

// drawAddons draws the add-ons. Every change of the environment adds or removes
// one.
func (s *software) drawAddons(r *random.Source, c *client, b *build, changes uint16) {
	for _, a := range systemAddons {
		if b.major >= a.from && (a.id != "followonsearch@mozilla.com" || !r.OneIn(8)) {
			a.system, a.installed, a.updated = true, c.born, c.born+b.major%7
			s.addons = append(s.addons, a)
		}
	}
	count := r.Below(3)
	if r.OneIn(3) {
		count += r.Between(1, len(userAddons)-4)
	}
	count += int(changes % 2)
	first := r.Below(len(userAddons))
	for n := range count {
		a := userAddons[(first+n)%len(userAddons)]
		a.installed = max(c.born-2, c.born+r.Below(400)-r.Below(400))
		a.updated = a.installed + r.Below(200)
		a.signed = draw(r, []weighted[int]{{90, 2}, {4, 0}, {3, 1}, {2, -1}})
		if off, refused := r.OneIn(12), !r.OneIn(6); off || refused && a.legacy && b.major >= 57 {
			s.disabled = append(s.disabled, a)
			continue
		}
		s.addons = append(s.addons, a)
	}
	if s.measures {
		a := userAddons[measuredAddon]
		a.installed, a.updated, a.signed = c.born, c.born, 2
		s.addons = append(without(s.addons, a.id), a)
	}
}

func without(list []addon, id string) []addon {
	rest := list[:0]
	for _, a := range list {
		if a.id != id {
			rest = append(rest, a)
		}
	}
	return rest
}

func (s *software) drawTheme(r *random.Source, c *client, b *build) {
	s.theme = defaultTheme
	s.theme.version = b.version
	if r.OneIn(8) {
		s.theme = random.Pick(r, otherThemes)
	}
	s.theme.installed, s.theme.updated = c.born, c.born+b.major%11
}

// plugin is a plug-in of the old kind.
type plugin struct {
	name, version, description, mime string
	click, disabled                  bool
	day                              int
}

var flashVersions = []string{"28.0.0.161", "28.0.0.161", "28.0.0.137", "27.0.0.187", "26.0.0.151", "23.0.0.162", "11.2.202.644",
	"28,0,0,161"}

var otherPlugins = []plugin{
	{name: "Silverlight Plug-In", version: "5.1.50907.0", description: "5.1.50907.0", mime: "application/x-silverlight-2"},
	{name: "Java(TM) Platform SE 8 U161", version: "11.161.2.12", description: "Plug-in of the Java runtime",
		mime: "application/x-java-applet"},
	{name: "Default Browser Helper", version: "604", description: "Tells about the default browser",
		mime: "application/apple-default-browser"},
}

func (s *software) drawPlugins(r *random.Source, h *hardware) {
	day := mustPluginDay + r.Below(300)
	if r.Percent(62) {
		s.plugins = append(s.plugins, plugin{
			name: "Shockwave Flash", version: random.Pick(r, flashVersions), description: "Shockwave Flash 28.0 r0",
			mime: "application/x-shockwave-flash", click: true, disabled: r.OneIn(15), day: day,
		})
	}
	if h.os.name == windows && r.OneIn(20) { // two versions side by side
		s.plugins = append(s.plugins, plugin{name: "Shockwave Flash", version: "9.0.0", mime: "application/futuresplash", day: day - 90})
	}
	if r.OneIn(8) {
		p := random.Pick(r, otherPlugins)
		p.day = day
		s.plugins = append(s.plugins, p)
	}
}

var mustPluginDay = mustDay("2017-04-01")
