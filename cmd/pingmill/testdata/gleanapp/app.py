"""An application with the Glean SDK, which sends pings to a server and ends: app.py SERVER FOLDER"""

import datetime
import pathlib
import sys
import time
import uuid

from glean import Configuration, Glean, load_metrics, load_pings
from glean import metrics as types
from glean._uniffi import DualLabeledCounterMetric
from glean import glean

here = pathlib.Path(__file__).parent


def data(name):
    """Describe a metric of a type that load_metrics does not make."""
    return types.CommonMetricData(
        category="example", name=name, send_in_pings=["every-type"], lifetime=types.Lifetime.PING, disabled=False
    )


def record(m):
    """Record a value of every metric type."""
    m.dark.set(True)
    m.clicks.add(3)
    m.started.set(datetime.datetime(2026, 11, 21, 9, 30, 0, 123000, tzinfo=datetime.timezone(datetime.timedelta(hours=2))))
    m.theme.set("größer")
    m.fonts.set(["Sans", "Serif"])
    m.height.set(1080)
    m.loading.set_raw_nanos(1_234_000_000)
    m.answers.accumulate_samples([1000, 2000, 2000])
    m.pages.accumulate(4096)
    m.tabs.accumulate_samples([1, 2, 50])
    m.install.set(uuid.UUID("5e6c8e3a-2d9a-4b56-8a51-00000000000a"))
    m.layout.set(m.LayoutObject(name="wide", columns=3))
    m.open["left"].set(True)
    m.used["first"].add(1)
    m.used["second"].add(2)
    m.width["right"].set(640)
    m.title["left"].set("Files")
    m.rows["left"].accumulate_samples([7])
    m.sizes["right"].accumulate(2)
    m.waits["left"].accumulate_samples([5])
    types.TextMetricType(data("note")).set("A note,\nof two lines.")
    types.UrlMetricType(data("home")).set("https://example.org/a?b=c")
    hits = types.RateMetricType(data("hits"))
    hits.add_to_numerator(2)
    hits.add_to_denominator(5)
    moves = DualLabeledCounterMetric(data("moves"), ["left", "right"], ["up", "down"])
    moves.get("left", "up").add(4)
    m.opened.record(m.OpenedExtra(panel="left", order=2, again=True))
    m.opened.record()


class Events(glean.OnGleanEventsImpl):
    """The SDK's events, with uploads only once it is initialized.

    Without a process of its own, an upload that begins earlier replaces the SDK's state with that of an uploader, which
    has no database: recording panics then.
    """

    def trigger_upload(self):
        while not Glean.is_initialized():
            time.sleep(0.001)
        super().trigger_upload()


def main(server, folder):
    glean.OnGleanEventsImpl = Events
    configuration = Configuration(server_endpoint=server, channel="nightly", allow_multiprocessing=False)
    Glean.initialize(
        application_id="org.example.App",
        application_version="1.2.3-beta",
        application_build_id="20261124",
        upload_enabled=True,
        data_dir=pathlib.Path(folder),
        configuration=configuration,
    )
    Glean.set_experiment_active("trial", "control", {"type": "rollout"})
    pings = load_pings(here / "pings.yaml")
    metrics = load_metrics(here / "metrics.yaml").example
    record(metrics)
    pings.every_type.submit(0)  # the first of its reasons
    pings.without_info.submit()
    Glean.handle_client_active()
    Glean.handle_client_inactive()
    Glean.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
