package generate

import (
	"strings"

	"github.com/pingmill/pingmill/tools/generate/random"
)

// system is an operating system.
type system struct {
	name, version string
	build, ubr    int // of Windows
	pack          int // service pack of Windows
	year          int // of the oldest installation
}

var systems = []weighted[system]{
	{300, system{name: "Windows_NT", version: "10.0", build: 16299, ubr: 248, year: 2017}},
	{90, system{name: "Windows_NT", version: "10.0", build: 15063, ubr: 909, year: 2017}},
	{60, system{name: "Windows_NT", version: "10.0", build: 14393, ubr: 2068, year: 2016}},
	{330, system{name: "Windows_NT", version: "6.1", build: 7601, pack: 1, year: 2010}},
	{20, system{name: "Windows_NT", version: "6.1", build: 7600, year: 2009}},
	{60, system{name: "Windows_NT", version: "6.3", build: 9600, year: 2014}},
	{8, system{name: "Windows_NT", version: "6.2", build: 9200, year: 2013}},
	{30, system{name: "Darwin", version: "17.4.0"}},
	{20, system{name: "Darwin", version: "16.7.0"}},
	{12, system{name: "Darwin", version: "15.6.0"}},
	{5, system{name: "Darwin", version: "13.4.0"}},
	{15, system{name: "Linux", version: "4.13.0-36-generic"}},
	{12, system{name: "Linux", version: "4.4.0-112-generic"}},
	{8, system{name: "Linux", version: "4.15.6-1-ARCH"}},
	{4, system{name: "Linux", version: "3.16.0-4-amd64"}},
	{2, system{name: "FreeBSD", version: "11.1-RELEASE-p6"}},
	{1, system{name: "SunOS", version: "unknown"}},
}

// normalized returns the start of the version: up to three numbers.
func (s *system) normalized() string {
	end := 0
	for dots := 0; end < len(s.version); end++ {
		c := s.version[end]
		if c == '.' {
			dots++
		}
		if dots == 3 || c != '.' && (c < '0' || c > '9') {
			break
		}
	}
	return strings.TrimSuffix(s.version[:end], ".")
}

// processor is a CPU.
type processor struct {
	vendor                  string
	family, model, stepping int
	cores, count            int
	l2, l3, speed           int
	extensions              int // how many of the list it has
}

var extensions = []string{
	"hasMMX", "hasSSE", "hasSSE2", "hasSSE3", "hasSSSE3", "hasSSE4_1", "hasSSE4_2", "hasAVX", "hasAVX2", "hasAES",
}

const (
	intel = "GenuineIntel"
	amd   = "AuthenticAMD"
)

var processors = []weighted[processor]{
	{40, processor{intel, 6, 78, 3, 2, 4, 256, 3072, 2400, 10}},
	{40, processor{intel, 6, 60, 3, 4, 8, 256, 8192, 3592, 9}},
	{35, processor{intel, 6, 42, 7, 4, 4, 256, 6144, 3292, 8}},
	{35, processor{intel, 6, 58, 9, 2, 4, 256, 3072, 2594, 8}},
	{30, processor{intel, 6, 69, 1, 2, 4, 256, 4096, 1696, 9}},
	{25, processor{intel, 6, 94, 3, 4, 8, 256, 8192, 2808, 10}},
	{25, processor{intel, 6, 23, 10, 2, 2, 3072, 0, 2926, 6}},
	{20, processor{intel, 6, 142, 9, 2, 4, 256, 3072, 2712, 10}},
	{15, processor{intel, 15, 4, 9, 1, 2, 1024, 0, 2992, 4}},
	{10, processor{intel, 6, 55, 8, 2, 2, 1024, 0, 2166, 7}},
	{10, processor{intel, 6, 158, 10, 6, 12, 256, 12288, 3696, 10}},
	{15, processor{amd, 21, 2, 0, 4, 8, 2048, 8192, 4013, 9}},
	{12, processor{amd, 16, 6, 3, 2, 2, 1024, 0, 2793, 5}},
	{8, processor{amd, 23, 1, 1, 8, 16, 512, 16384, 3394, 10}},
	{6, processor{amd, 20, 2, 0, 2, 2, 512, 0, 1646, 5}},
	{3, processor{"", 0, 0, 0, 0, 4, 0, 0, 0, 0}}, // not recognised
}

// adapter is a graphics card.
type adapter struct {
	description, vendor, device, subsystem string
	ram                                    int
	driver, version, date                  string
}

var windowsAdapters = []adapter{
	{"Intel(R) HD Graphics 4600", "0x8086", "0x0412", "05a41028", 0, "igdumdim64 igd10iumd64", "20.19.15.4531", "9-29-2016"},
	{"Intel(R) HD Graphics 520", "0x8086", "0x1916", "380217aa", 0, "igdumdim64 igd10iumd64", "21.20.16.4550", "11-16-2016"},
	{"Intel(R) HD Graphics 3000", "0x8086", "0x0116", "04b01025", 0, "igdumd64 igd10umd64", "9.17.10.4459", "5-19-2016"},
	{"Mobile Intel(R) 4 Series Express Chipset", "0x8086", "0x2a42", "30f7103c", 0, "igdumd32", "8.15.10.2702", "3-19-2012"},
	{"NVIDIA GeForce GTX 1060 6GB", "0x10de", "0x1c03", "85ac1043", 6144, "nvd3dumx", "23.21.13.9077", "1-23-2018"},
	{"NVIDIA GeForce GT 730", "0x10de", "0x1287", "36383842", 2048, "nvd3dumx", "22.21.13.8494", "8-22-2017"},
	{"NVIDIA GeForce 840M", "0x10de", "0x1341", "381617aa", 2048, "nvd3dumx,nvwgf2umx", "21.21.13.7557", "10-1-2016"},
	{"AMD Radeon HD 7500M/7600M Series", "0x1002", "0x6841", "184a103c", 1024, "aticfx64", "15.200.1062.1004", "8-3-2015"},
	{"AMD Radeon (TM) R7 Graphics", "0x1002", "0x130f", "85cb1043", 512, "aticfx64", "22.19.662.4", "5-24-2017"},
	{"Microsoft Basic Display Adapter", "", "", "", 0, "", "", ""},
}

var otherAdapters = []adapter{
	{"", "0x8086", "0x162b", "", 0, "", "", ""},
	{"", "0x1002", "0x6821", "", 0, "", "", ""},
	{"Intel Open Source Technology Center -- Mesa DRI Intel(R) HD Graphics 620", "Intel Open Source Technology Center",
		"Mesa DRI Intel(R) HD Graphics 620", "", 0, "", "3.0 Mesa 17.2.8", ""},
	{"X.Org -- AMD POLARIS10", "X.Org", "AMD POLARIS10", "", 0, "", "3.0 Mesa 17.3.3", ""},
}

// monitor is a display.
type monitor struct{ width, height int }

var monitors = []monitor{
	{1366, 768}, {1366, 768}, {1920, 1080}, {1920, 1080}, {1920, 1080}, {1280, 1024}, {1440, 900}, {1600, 900},
	{1680, 1050}, {1280, 800}, {2560, 1440}, {1024, 768}, {3840, 2160},
}

// hardware is the machine of a client and its operating system.
type hardware struct {
	os       system
	cpu      processor
	memory   int // in MB
	bits     int // of the browser
	wow64    bool
	model    string // of a machine by Apple
	adapters []adapter
	monitors []monitor
	disk     int // index in disks
	security int // index in securities
	scale    int // of monitors, in quarters
	gpu      bool
	features int // how well the graphics work, 0 to 3
	year     int
}

var memories = []weighted[int]{
	{30, 2047}, {20, 3071}, {90, 4095}, {40, 4005}, {25, 6143}, {85, 8191}, {40, 8075}, {40, 16383}, {8, 32767}, {3, 1014}, {1, 65451},
}

var appleModels = []string{"MacBookPro11,4", "MacBookAir7,2", "iMac14,1", "Macmini6,2", "MacBook9,1"}

var disks = [][2]string{
	{"ST3160316AS", "JC45"}, {"WDC WD10EZEX-08WN4A0", "01.01A01"}, {"TOSHIBA MQ01ABD100", "AX001U"},
	{"Samsung SSD 850 EVO 250GB", "EMT02B6Q"}, {"KINGSTON SA400S37240G", "SBFK71E0"}, {"HGST HTS545050A7E680", "GR2OA230"}, {"", ""},
}

// hardware draws the machine of a client.
func (g *Generator) hardware(c *client) hardware {
	r := random.New(g.config.Seed, random.ForHardware, c.number, 0)
	h := hardware{
		os: draw(&r, systems), cpu: draw(&r, processors), memory: draw(&r, memories), bits: 64,
		disk: r.Below(len(disks)), security: r.Below(len(securities)), scale: 4, features: r.Below(4),
	}
	switch h.os.name {
	case windows:
		h.drawWindows(&r)
	case darwin:
		h.cpu = processors[r.Below(4)].value
		h.model = random.Pick(&r, appleModels)
		h.adapters = append(h.adapters, otherAdapters[r.Below(2)])
		h.scale = 4 * r.Between(1, 2)
	default:
		h.adapters = append(h.adapters, otherAdapters[2+r.Below(2)])
	}
	for n := 1 + r.Few(3); n > 0; n-- {
		h.monitors = append(h.monitors, random.Pick(&r, monitors))
	}
	return h
}

const (
	windows = "Windows_NT"
	darwin  = "Darwin"
)

func (h *hardware) drawWindows(r *random.Source) {
	if r.Percent(35) {
		h.bits = 32
		h.wow64 = r.Percent(60)
	}
	h.gpu = h.bits == 64 && r.Percent(40)
	h.year = min(h.os.year+r.Below(8), 2018)
	h.os.ubr = max(h.os.ubr-r.Below(200), 0)
	for n := 1 + r.Below(5)/4; n > 0; n-- {
		h.adapters = append(h.adapters, random.Pick(r, windowsAdapters))
	}
	h.scale = draw(r, []weighted[int]{{80, 4}, {10, 5}, {7, 6}, {3, 8}})
}
