package generate

import "github.com/pingmill/pingmill/tools/generate/random"

// software is the setup of a client's browser. It depends on the client and on the number of changes of its
// environment.
type software struct {
	addons     []addon // active ones, system add-ons first
	disabled   []addon
	theme      addon
	plugins    []plugin
	engine     int // index in engines
	cohort     string
	experiment string // id of an experiment of the old kind
	branch     string
	studies    []study
	source     *attribution
	partner    string // its distribution, or none
	e10s       bool
	processes  int
	sandbox    int
	isDefault  int // 0 no, 1 yes, 2 not known
	update     bool
	download   bool
	telemetry  bool
	blocklist  bool
	sync       int  // devices
	measures   bool // it has an add-on that measures itself
	prefs      uint // which preferences are set, by bit
}

// attribution is the source of a download.
type attribution struct{ source, medium, campaign, content string }

var attributions = []attribution{
	{"www.google.com", "referral", "(not set)", "(not set)"},
	{"google", "cpc", "example-brand", "ad-17"},
	{"addons.example.org", "referral", "%2528not%2Bset%2529", ""},
	{"", "direct", "", ""},
	{"example.net", "email", "march", "a"},
}

// study is an experiment with its branches and the days between which it runs.
type study struct {
	id       string
	branches []string
	share    int // of clients, in a hundred
}

var studies = []study{
	{"pref-flip-example-1426091", []string{"control", "treatment"}, 12},
	{"example-tab-warming-release", []string{"on", "off", "lazy"}, 6},
	{"e10sCohort", []string{"multiBucket4", "multiBucket1", "webextensions-multiBucket4"}, 10},
	{"searchCohort", []string{"nov17-1", "nov17-2"}, 4},
	{"example-onboarding@shield.example.org", []string{"cohort-a", "cohort-b", "große Schrift"}, 2},
}

var distributions = []string{
	"example-isp", "example-isp", "canonical", "example-portal", "MozillaOnline", "yandex", "1und1", "euballot",
}

// software draws the setup of a client after a number of changes.
func (g *Generator) software(c *client, b *build, h *hardware, changes uint16) software {
	r := random.New(g.config.Seed, random.ForSoftware, c.number, 0)
	s := software{
		engine: drawEngine(&r, c), e10s: !r.Percent(6), processes: 4, telemetry: !r.Percent(2),
		isDefault: draw(&r, []weighted[int]{{60, 1}, {35, 0}, {5, 2}}),
		update:    !r.Percent(4), download: !r.Percent(7), blocklist: !r.OneIn(200),
		measures: r.OneIn(15), prefs: fewBits(&r),
	}
	if s.e10s && r.OneIn(10) || h.memory < 2048 {
		s.processes = 1
	}
	if b.current() {
		s.e10s, s.processes = true, 8
	}
	s.sandbox = sandboxLevel(b, h)
	if r.OneIn(25) {
		s.cohort = random.Pick(&r, []string{"nov17-1", "nov17-2", "jan18"})
	}
	if r.OneIn(60) {
		s.experiment, s.branch = "example-flash@experiments.example.org", random.Pick(&r, []string{"control", "ctp", "off"})
	}
	for i := range studies {
		if r.Percent(studies[i].share) {
			s.studies = append(s.studies, study{studies[i].id, []string{random.Pick(&r, studies[i].branches)}, 0})
		}
	}
	if r.OneIn(4) {
		s.source = &attributions[r.Below(len(attributions))]
	}
	if r.OneIn(12) {
		s.partner = random.Pick(&r, distributions)
	}
	if r.OneIn(6) {
		s.sync = r.Between(1, 4)
	}
	s.drawPlugins(&r, h)
	s.drawTheme(&r, c, b)
	if !g.config.Visitors {
		s.drawAddons(&r, c, b, changes) // last: how much it draws depends on the changes
	}
	return s
}

// sandboxLevel returns the level at which content processes are locked up.
func sandboxLevel(b *build, h *hardware) int {
	switch {
	case b.major < 56:
		return 1
	case h.os.name == darwin || h.os.name != windows:
		return 3
	case b.major > 59:
		return 5
	}
	return 4
}

// engine is a search engine.
type engine struct {
	id, name, path, origin, url string
	code                        string // by which the engine knows the browser
}

var engines = []engine{
	{"google", "Google", "jar:[app]/omni.ja!browser/google.xml", "default",
		"https://www.google.example/search?q=&ie=utf-8&oe=utf-8&client=firefox-b", "firefox-b"},
	{"google-2018", "Google", "jar:[app]/omni.ja!browser/google-2018.xml", "default",
		"https://www.google.example/search?q=&client=firefox-b-1-ab", "firefox-b-1-ab"},
	{"bing", "Bing", "jar:[app]/omni.ja!browser/bing.xml", "verified", "https://www.bing.example/search?q=&pc=MOZI&form=MOZSBR", "MOZI"},
	{"ddg", "DuckDuckGo", "jar:[app]/omni.ja!browser/ddg.xml", "verified", "https://duckduckgo.example/?q=&t=ffsb", "ffsb"},
	{"yahoo", "Yahoo", "jar:[app]/omni.ja!browser/yahoo-en-US.xml", "verified", "https://search.yahoo.example/yhs/search?p=&hspart=mozilla",
		"mozilla"},
	{"yandex", "Яндекс", "jar:[app]/omni.ja!browser/yandex-ru.xml", "default", "https://yandex.example/search/?text=&clid=2186618", "2186618"},
	{"baidu", "百度", "jar:[app]/omni.ja!browser/baidu.xml", "default", "https://www.baidu.example/baidu?wd=&tn=monline_dg", "monline_dg"},
	{"other-Ask Example", "Ask Example", "[https]ask.example.org/search.xml", "unverified", "", ""},
	{"", "", "", "", "", ""}, // broken
}

func drawEngine(r *random.Source, c *client) int {
	switch n := r.Below(100); {
	case n < 4:
		return 3
	case n < 9:
		return 7
	case n == 9 && r.OneIn(2):
		return 8
	case n < 18:
		return 2
	case n < 22:
		return 4
	}
	switch c.locale {
	case "ru":
		return 5
	case "zh-CN":
		return 6
	case "en-US":
		return 1
	}
	return 0
}

// fewBits returns a number with about a quarter of its bits set.
func fewBits(r *random.Source) uint {
	one, other := r.Uint64(), r.Uint64()
	return uint(one & other)
}
