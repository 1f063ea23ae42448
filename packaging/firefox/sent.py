"""The pings that were sent, as the recorder wrote them."""

import base64
import collections
import gzip
import json


class Ping:
    def __init__(self, client, status, line):
        self.client, self.status, self.uri = client, status, line["uri"]
        headers = {k.lower(): v for k, v in line["headers"].items()}
        body = base64.b64decode(line["body"])
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self.text = body.decode()
        self.body = json.loads(self.text)
        path = self.uri.split("?")[0].split("/")[2:]
        if path[0] == "telemetry":
            self.application, self.id, self.type = path[0], path[1], path[2]
            self.client_id = self.body.get("clientId")
        else:
            self.application, self.type, self.id = path[0], path[1], path[3]
            self.client_id = self.body.get("client_info", {}).get("client_id")
        self.kind = f"{self.application}/{self.type}"
        self.deletes = self.type in ("deletion-request", "usage-deletion-request")

    def forgets(self):
        """The ids that a deletion request names."""
        ids = {self.client_id}
        if self.application != "telemetry":
            ids.add(self.body.get("metrics", {}).get("string", {}).get("deletion.request.impression_id", "").strip("{}"))
        for name, value in self.body.get("metrics", {}).get("uuid", {}).items():
            if name.endswith("client_id") or name == "usage.profile_id":
                ids.add(value)
        return {i.lower() for i in ids if i}


class Sent:
    """All pings, each once: a copy has the same id."""

    def __init__(self, folder):
        clients = [json.loads(line) for line in (folder / "clients.json").read_text().splitlines()]
        lines = [json.loads(line) for line in (folder / "submissions.ndjson").read_text().splitlines()]
        if [c[1] for c in clients] != [line["uri"] for line in lines]:
            raise RuntimeError("clients.json is of other submissions")
        self.all = [Ping(c[0], c[2], line) for c, line in zip(clients, lines)]
        once = {}
        for ping in self.all:
            once.setdefault((ping.application, ping.id), ping)
        self.pings = list(once.values())
        self.forgotten = set().union(*(p.forgets() for p in self.pings if p.deletes))

    def kept(self, ping):
        """Whether tables have the ping: no deletion request, and no id in it is forgotten."""
        return not ping.deletes and not any(i in ping.text.lower() for i in self.forgotten)

    def by_kind(self):
        kinds = collections.defaultdict(list)
        for ping in self.pings:
            kinds[ping.kind].append(ping)
        return dict(sorted(kinds.items()))
