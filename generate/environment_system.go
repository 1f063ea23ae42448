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
	t.Put("memoryMB", h.memory)
	if h.os.name == windows {
		if h.bits == 32 {
			t.Put("virtualMaxMB", 4095)
		} else {
			t.Put("virtualMaxMB", 134_217_728)
		}
		t.Put("isWow64", h.wow64)
	} else {
		t.Put("virtualMaxMB", nil)
	}
	t.Put("appleModelId", jsontext.NonEmpty(h.model))
	h.writeCPU(t)
	h.writeOS(t, w.client.locale)
	t.Open("hdd")
	for i, name := range []string{"profile", "binary", "system"} {
		disk := disks[h.disk]
		if i > 0 && h.bits == 32 {
			disk = disks[len(disks)-1]
		}
		t.Object(name, "model", jsontext.NonEmpty(disk[0]), "revision", jsontext.NonEmpty(disk[1]))
	}
	t.Close()
	h.writeGraphics(t)
	if h.os.name == windows && h.os.version != "6.0" {
		t.Open("sec")
		for i, name := range []string{"antivirus", "antispyware", "firewall"} {
			if list := securities[h.security][i]; list == nil {
				t.Put(name, nil)
			} else {
				t.Put(name, list)
			}
		}
		t.Close()
	}
	t.Close()
}

func (h *hardware) writeCPU(t *jsontext.Text) {
	c := &h.cpu
	t.Object("cpu",
		"count", c.count, "cores", jsontext.NonZero(c.cores), "vendor", jsontext.NonEmpty(c.vendor),
		"family", jsontext.NonZero(c.family), "model", jsontext.NonZero(c.model),
		"stepping", jsontext.NonZero(c.stepping), "l2cacheKB", jsontext.NonZero(c.l2),
		"l3cacheKB", jsontext.NonZero(c.l3), "speedMHz", jsontext.NonZero(c.speed),
		"extensions", extensions[:c.extensions],
	)
}

func (h *hardware) writeOS(t *jsontext.Text, locale string) {
	t.Open("os")
	t.Put("name", h.os.name, "version", h.os.version, "locale", locale)
	if h.os.name == windows {
		t.Put("servicePackMajor", h.os.pack, "servicePackMinor", 0, "windowsBuildNumber", h.os.build)
		if h.os.version == "10.0" {
			t.Put("windowsUBR", h.os.ubr)
		} else {
			t.Put("windowsUBR", nil)
		}
		t.Put("installYear", h.year)
	}
	t.Close()
}

func (h *hardware) writeGraphics(t *jsontext.Text) {
	onWindows := h.os.name == windows
	t.Open("gfx")
	if onWindows {
		t.Put("D2DEnabled", h.features > 1, "DWriteEnabled", true)
	} else {
		t.Put("D2DEnabled", nil, "DWriteEnabled", nil)
	}
	t.Put("ContentBackend", "Skia")
	t.OpenList("adapters")
	for i := range h.adapters {
		a := &h.adapters[i]
		t.Begin()
		t.Put(
			"description", jsontext.NonEmpty(a.description), "vendorID", jsontext.NonEmpty(a.vendor),
			"deviceID", jsontext.NonEmpty(a.device), "subsysID", jsontext.NonEmpty(a.subsystem),
			"RAM", jsontext.NonZero(a.ram), "driver", jsontext.NonEmpty(a.driver),
			"driverVersion", jsontext.NonEmpty(a.version), "driverDate", jsontext.NonEmpty(a.date), "GPUActive", i == 0,
		)
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
		t.Put("screenWidth", m.width, "screenHeight", m.height)
		if onWindows {
			t.Put("refreshRate", 60, "pseudoDisplay", false)
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
		t.Put("compositor", otherCompositors[h.features])
		t.Object("gpuProcess", "status", "unused")
		t.Close()
		return
	}
	t.Put("compositor", compositors[h.features])
	t.Open("d3d11")
	t.Put("status", d3d11Statuses[h.features])
	if h.features > 1 {
		t.Put("version", 45056, "warp", false, "textureSharing", true, "blacklisted", false)
	}
	t.Close()
	t.Open("d2d")
	t.Put("status", d2dStatuses[h.features])
	if h.features > 1 {
		t.Put("version", "1.1")
	}
	t.Close()
	t.Open("gpuProcess")
	if h.gpu {
		t.Put("status", "available")
	} else {
		t.Put("status", "unavailable")
	}
	t.Close()
	t.Object("advancedLayers", "status", layersStatuses[h.features])
	t.Close()
}
