package generate

import "github.com/pingmill/pingmill/tools/generate/jsontext"

// securities lists security products of a machine: virus, spyware, firewall. An empty member is unknown.
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
	onWindows, most := h.os.name == windows, 134_217_728
	if h.bits == 32 {
		most = 4095
	}
	t.Put("virtualMaxMB", when(onWindows, most))
	t.PutIf(onWindows, "isWow64", h.wow64)
	t.Put("appleModelId", orNull(h.model))
	t.PutIf(w.build.current(), "hasWinPackageId", when(onWindows, false))
	h.writeCPU(t)
	h.writeOS(t, w.client.locale, w.build.current())
	t.Open("hdd")
	for i, name := range []string{"profile", "binary", "system"} {
		disk := disks[h.disk]
		if i > 0 && h.bits == 32 {
			disk = disks[len(disks)-1]
		}
		t.Object(name, "model", orNull(disk[0]), "revision", orNull(disk[1]))
	}
	t.Close()
	h.writeGraphics(t)
	if h.os.name == windows && h.os.version != "6.0" {
		t.Open("sec")
		for i, name := range []string{"antivirus", "antispyware", "firewall"} {
			list := securities[h.security][i]
			t.Put(name, when(list != nil, list))
		}
		t.Close()
	}
	t.Close()
}

func (h *hardware) writeCPU(t *jsontext.Text) {
	c := &h.cpu
	t.Object("cpu",
		"count", c.count, "cores", orNull(c.cores), "vendor", orNull(c.vendor),
		"family", orNull(c.family), "model", orNull(c.model),
		"stepping", orNull(c.stepping), "l2cacheKB", orNull(c.l2),
		"l3cacheKB", orNull(c.l3), "speedMHz", orNull(c.speed),
		"extensions", extensions[:c.extensions],
	)
}

func (h *hardware) writeOS(t *jsontext.Text, locale string, current bool) {
	t.Open("os")
	t.Put("name", h.os.name, "version", h.os.version, "locale", locale)
	t.PutIf(current && h.os.name == "Linux", "distro", "Debian", "distroVersion", "12")
	if h.os.name == windows {
		t.Put("servicePackMajor", h.os.pack, "servicePackMinor", 0, "windowsBuildNumber", h.os.build)
		t.Put("windowsUBR", when(h.os.version == "10.0", h.os.ubr), "installYear", h.year)
	}
	t.Close()
}

func (h *hardware) writeGraphics(t *jsontext.Text) {
	onWindows := h.os.name == windows
	t.Open("gfx")
	t.Put("D2DEnabled", when(onWindows, h.features > 1), "DWriteEnabled", when(onWindows, true), "ContentBackend", "Skia")
	t.OpenList("adapters")
	for i := range h.adapters {
		a := &h.adapters[i]
		t.Add(jsontext.Members{
			"description", orNull(a.description), "vendorID", orNull(a.vendor),
			"deviceID", orNull(a.device), "subsysID", orNull(a.subsystem),
			"RAM", orNull(a.ram), "driver", orNull(a.driver),
			"driverVersion", orNull(a.version), "driverDate", orNull(a.date), "GPUActive", i == 0,
		})
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
		t.PutIf(onWindows, "refreshRate", 60, "pseudoDisplay", false)
		if h.scale > 4 {
			t.Put("scale", [...]jsontext.Raw{"1.25", "1.5", "1.75", "2"}[min(h.scale, 8)-5])
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
		t.Put("compositor", otherCompositors[h.features], "gpuProcess", jsontext.Members{"status", "unused"})
		t.Close()
		return
	}
	t.Put("compositor", compositors[h.features])
	t.Open("d3d11")
	t.Put("status", d3d11Statuses[h.features])
	t.PutIf(h.features > 1, "version", 45056, "warp", false, "textureSharing", true, "blacklisted", false)
	t.Close()
	t.Open("d2d")
	t.Put("status", d2dStatuses[h.features])
	t.PutIf(h.features > 1, "version", "1.1")
	t.Close()
	gpu := "unavailable"
	if h.gpu {
		gpu = "available"
	}
	t.Put("gpuProcess", jsontext.Members{"status", gpu}, "advancedLayers", jsontext.Members{"status", layersStatuses[h.features]})
	t.Close()
}
