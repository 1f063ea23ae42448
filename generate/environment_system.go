package generate

import "github.com/pingmill/pingmill/generate/jsontext"

// securities are what protects a machine: virus, spyware, firewall. An empty
// member is not known.
var securities = [][3][]string{
	{{"Windows Defender"}, {"Windows Defender"}, {"Windows Firewall"}},
	{{"Windows Defender Antivirus"}, {"Windows Defender Antivirus"}, nil},
	{{"Example Antivirus"}, {"Example Antivirus", "Windows Defender"}, {"Example Firewall"}},
	{{"Guard 360", "Windows Defender"}, {"Guard 360"}, {}},
	{{}, {"Windows Defender"}, {}},
}

func (w *writer) writeSystem(t *jsontext.Text) {
	h := &w.hardware
	t.Open("system")
	t.Num("memoryMB", h.memory)
	if h.os.name == windows {
		if h.bits == 32 {
			t.Num("virtualMaxMB", 4095)
		} else {
			t.Num("virtualMaxMB", 134_217_728)
		}
		t.Bool("isWow64", h.wow64)
	} else {
		t.Null("virtualMaxMB")
	}
	t.StrOrNull("appleModelId", h.model)
	h.writeCPU(t)
	h.writeOS(t, w.client.locale)
	t.Open("hdd")
	for i, name := range []string{"profile", "binary", "system"} {
		disk := disks[h.disk]
		if i > 0 && h.bits == 32 {
			disk = disks[len(disks)-1]
		}
		t.Open(name)
		t.StrOrNull("model", disk[0])
		t.StrOrNull("revision", disk[1])
		t.Close()
	}
	t.Close()
	h.writeGraphics(t)
	if h.os.name == windows && h.os.version != "6.0" {
		t.Open("sec")
		for i, name := range []string{"antivirus", "antispyware", "firewall"} {
			if list := securities[h.security][i]; list == nil {
				t.Null(name)
			} else {
				t.List(name, list)
			}
		}
		t.Close()
	}
	t.Close()
}

func (h *hardware) writeCPU(t *jsontext.Text) {
	c := &h.cpu
	t.Open("cpu")
	t.Num("count", c.count)
	t.NumOrNull("cores", c.cores)
	t.StrOrNull("vendor", c.vendor)
	t.NumOrNull("family", c.family)
	t.NumOrNull("model", c.model)
	t.NumOrNull("stepping", c.stepping)
	t.NumOrNull("l2cacheKB", c.l2)
	t.NumOrNull("l3cacheKB", c.l3)
	t.NumOrNull("speedMHz", c.speed)
	t.List("extensions", extensions[:c.extensions])
	t.Close()
}

func (h *hardware) writeOS(t *jsontext.Text, locale string) {
	t.Open("os")
	t.Str("name", h.os.name)
	t.Str("version", h.os.version)
	t.Str("locale", locale)
	if h.os.name == windows {
		t.Num("servicePackMajor", h.os.pack)
		t.Num("servicePackMinor", 0)
		t.Num("windowsBuildNumber", h.os.build)
		if h.os.version == "10.0" {
			t.Num("windowsUBR", h.os.ubr)
		} else {
			t.Null("windowsUBR")
		}
		t.Num("installYear", h.year)
	}
	t.Close()
}

func (h *hardware) writeGraphics(t *jsontext.Text) {
	onWindows := h.os.name == windows
	t.Open("gfx")
	if onWindows {
		t.Bool("D2DEnabled", h.features > 1)
		t.Bool("DWriteEnabled", true)
	} else {
		t.Null("D2DEnabled")
		t.Null("DWriteEnabled")
	}
	t.Str("ContentBackend", "Skia")
	t.OpenList("adapters")
	for i := range h.adapters {
		a := &h.adapters[i]
		t.Begin()
		t.StrOrNull("description", a.description)
		t.StrOrNull("vendorID", a.vendor)
		t.StrOrNull("deviceID", a.device)
		t.StrOrNull("subsysID", a.subsystem)
		t.NumOrNull("RAM", a.ram)
		t.StrOrNull("driver", a.driver)
		t.StrOrNull("driverVersion", a.version)
		t.StrOrNull("driverDate", a.date)
		t.Bool("GPUActive", i == 0)
		t.Close()
	}
	t.CloseList()
	h.writeMonitors(t, onWindows)
	h.writeFeatures(t, onWindows)
	t.Close()
}

func (h *hardware) writeMonitors(t *jsontext.Text, onWindows bool) {
	t.OpenList("monitors")
	for _, m := range h.monitors {
		t.Begin()
		t.Num("screenWidth", m.width)
		t.Num("screenHeight", m.height)
		if onWindows {
			t.Num("refreshRate", 60)
			t.Bool("pseudoDisplay", false)
		}
		if h.scale > 4 {
			t.Key("scale")
			t.Raw([...]string{"1.25", "1.5", "1.75", "2"}[min(h.scale, 8)-5])
			t.Raw(",")
		}
		t.Close()
	}
	t.CloseList()
}

var (
	d3d11Statuses    = []string{"blacklisted", "unavailable", "available", "available"}
	d2dStatuses      = []string{"disabled", "unavailable", "available", "available"}
	compositors      = []string{"basic", "d3d9", "d3d11", "d3d11"}
	otherCompositors = []string{"none", "basic", "opengl", "opengl"}
	layersStatuses   = []string{"unused", "blocked-no-texture-sharing", "available", "available"}
)

func (h *hardware) writeFeatures(t *jsontext.Text, onWindows bool) {
	t.Open("features")
	if !onWindows {
		t.Str("compositor", otherCompositors[h.features])
		t.Open("gpuProcess")
		t.Str("status", "unused")
		t.Close()
		t.Close()
		return
	}
	t.Str("compositor", compositors[h.features])
	t.Open("d3d11")
	t.Str("status", d3d11Statuses[h.features])
	if h.features > 1 {
		t.Num("version", 45056)
		t.Bool("warp", false)
		t.Bool("textureSharing", true)
		t.Bool("blacklisted", false)
	}
	t.Close()
	t.Open("d2d")
	t.Str("status", d2dStatuses[h.features])
	if h.features > 1 {
		t.Str("version", "1.1")
	}
	t.Close()
	t.Open("gpuProcess")
	if h.gpu {
		t.Str("status", "available")
	} else {
		t.Str("status", "unavailable")
	}
	t.Close()
	t.Open("advancedLayers")
	t.Str("status", layersStatuses[h.features])
	t.Close()
	t.Close()
}
