"""A Firefox with a profile of its own, driven by Marionette, Firefox's side of WebDriver."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

from marionette_driver import errors
from marionette_driver.by import By
from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette

# What docs/glean.md has for a Firefox that sends to pingmill.
SENDS = {
    "toolkit.telemetry.send.overrideOfficialCheck": True,
    "datareporting.healthreport.uploadEnabled": True,
    "datareporting.usage.uploadEnabled": True,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
}
# Shorter waits, no windows that ask, and the preferences of people in the place of those of tests.
QUICK = {
    "toolkit.telemetry.initDelay": 1,
    "telemetry.fog.test.activity_limit": 2,
    "remote.prefs.recommended": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "browser.startup.page": 0,
    "browser.warnOnQuit": False,
    "app.normandy.enabled": False,
    "browser.crashReports.unsubmittedCheck.enabled": False,
    "browser.search.separatePrivateDefault": False,
}
QUIT = """const {setTimeout} = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
setTimeout(() => Services.startup.quit(Ci.nsIAppStartup.eAttemptQuit), 300);"""
LOAD = """gBrowser.selectedBrowser.fixupAndLoadURIString(arguments[0],
  {triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal()});"""
ENGINE = """const [url, done] = arguments;
const {SearchService} = ChromeUtils.importESModule("moz-src:///toolkit/components/search/SearchService.sys.mjs");
const search = Services.search ?? SearchService;
search.init().then(() => search.addUserEngine({name: "Local", url, alias: "local"})).then(
  () => search.setDefault(search.getEngineByName("Local"), 0)).then(
  () => done(search.defaultEngine.name), e => done(String(e)));"""


class Firefox:
    def __init__(self, program, folder, recorder, prefs, preload):
        self.program, self.folder, self.recorder, self.preload = program, pathlib.Path(folder), recorder, preload
        self.profile, self.home = self.folder / "profile", self.folder / "home"
        self.profile.mkdir(parents=True)
        self.home.mkdir()
        port = recorder.server_port
        self.prefs = SENDS | QUICK | {
            "toolkit.telemetry.server": f"http://{recorder.address}", "telemetry.fog.test.localhost_port": port,
            "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": port,
            "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": port,
        } | prefs
        self.process = self.driver = None

    def start(self, zone="UTC"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        prefs = self.prefs | {"marionette.port": port}
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in prefs.items()]
        (self.profile / "user.js").write_text("\n".join(lines) + "\n")
        proxy = f"http://127.0.0.1:{self.recorder.server_port}"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MOZ_", "XDG_", "DISPLAY", "GLEAN_"))}
        environment |= {"HOME": str(self.home), "TZ": zone, "https_proxy": proxy, "http_proxy": proxy, "no_proxy": "localhost"}
        if self.preload:
            environment["LD_PRELOAD"] = str(self.preload)
        arguments = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.profile]
        with open(self.folder / "firefox.log", "ab") as log:
            self.process = subprocess.Popen([self.program, *arguments], env=environment, stdout=log, stderr=log)
        self.driver = Marionette("127.0.0.1", port, startup_timeout=120)
        self.driver.start_session()
        self.driver.timeout.page_load = 60

    def script(self, text, *arguments):
        """Runs a script with the rights of the browser."""
        with self.driver.using_context("chrome"):
            return self.driver.execute_script(text, script_args=arguments, sandbox="system")

    def waited(self, text, *arguments):
        """The same for one that calls its last argument when it is done."""
        with self.driver.using_context("chrome"):
            return self.driver.execute_async_script(text, script_args=arguments, sandbox="system", script_timeout=60000)

    def visit(self, *pages):
        for page in pages:
            self.driver.navigate(f"http://{self.recorder.address}/page/{page}")

    def follow(self, times):
        for _ in range(times):
            self.driver.find_element(By.ID, "next").click()
            time.sleep(0.3)

    def load(self, address):
        """Loads a page that may end its process, which WebDriver would wait for."""
        with contextlib.suppress(OSError, errors.MarionetteException):
            self.script(LOAD, address)

    def own_engine(self):
        """Makes the recorder's page the default search engine."""
        name = self.waited(ENGINE, f"http://{self.recorder.address}/search?q=%s")
        if name != "Local":
            raise RuntimeError(f"the search engine cannot be set: {name}")

    def search(self, *all_words):
        """Types words into the address bar."""
        for words in all_words:
            with self.driver.using_context("chrome"):
                self.driver.execute_script("gURLBar.focus(); gURLBar.select();", sandbox="system")
                self.driver.find_element(By.CSS_SELECTOR, ".urlbar-input").send_keys(words + Keys.ENTER)
            time.sleep(1)

    def quit(self):
        self.script(QUIT)
        self.close(90)

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.close(30)

    def close(self, seconds):
        """Waits until the process has ended."""
        with contextlib.suppress(OSError, errors.MarionetteException):
            self.driver.client.close()
        self.driver.cleanup_ran = True
        self.process.wait(seconds)
        time.sleep(2)  # the pingsender is a process of its own

    def running(self):
        return self.process is not None and self.process.poll() is None

    def crash_pings(self):
        """The pings that the crash reporter keeps because it cannot reach the host that is compiled in: path, body, headers."""
        for file in sorted(self.home.glob(".config/mozilla/firefox/Crash Reports/glean/pending_pings/*")):
            lines = file.read_text().splitlines()
            headers = json.loads(lines[2])["headers"] if len(lines) > 2 else {}
            yield lines[0], lines[1].encode(), {"Content-Type": "application/json; charset=utf-8"} | headers
