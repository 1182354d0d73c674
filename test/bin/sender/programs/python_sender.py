"""A sender by the rules of the contract, without any library, whose first retry comes after an hour, or after FIRST_RETRY_SECONDS.

It prints its port, and ends with its standard input. It performs the step of the environment that is posted to it.
"""

import hashlib
import hmac
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FIRST_RETRY_SECONDS = float(os.environ.get("FIRST_RETRY_SECONDS", "3600"))
OPEN = {"pending", "running", "waiting", "finalizing"}
SILENT = {"invoke-workflow", "evaluation"}
NAMES = {
    "name": "STEP",
    "url": "URL",
    "headers": "HEADERS",
    "type": "RUN_TYPE",
    "origin": "RUN_ORIGIN",
    "run": "RUN_ID",
    "status": "STATUS",
    "event": "EVENT_ID",
}
endpoints, runs, events = {}, {}, {}


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def attempt(endpoint, event_id, retries=True):
    body = events[event_id]
    stamp = str(int(time.time()))
    message = f"{event_id}.{stamp}.".encode() + body
    digest = hmac.new(endpoint["secret"].encode(), message, hashlib.sha256).hexdigest()
    headers = {
        "content-type": "application/json",
        "user-agent": "python-sender/1",
        "webhook-id": event_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{digest}",
        **endpoint["headers"],
    }
    request = urllib.request.Request(endpoint["url"], body, headers, method="POST")
    try:
        status = urllib.request.urlopen(request, timeout=10).status
    except urllib.error.HTTPError as error:
        status = error.code
    except OSError:
        status = None
    if retries and (status is None or status >= 500 or status in (408, 425, 429)):
        timer = threading.Timer(FIRST_RETRY_SECONDS, attempt, [endpoint, event_id])
        timer.daemon = True
        timer.start()


def emit(run, type_, test=False, **more):
    event_id = f"whev_{uuid.uuid4().hex}"
    shown = {name: value for name, value in run.items() if name != "origin"}
    event = {
        "id": event_id,
        "type": type_,
        "apiVersion": "2026-07-01",
        "createdAt": now(),
        "test": test,
        "data": {"run": shown, **more},
    }
    events[event_id] = json.dumps(event).encode()
    for endpoint in list(endpoints.values()):
        threading.Thread(target=attempt, args=(endpoint, event_id), daemon=True).start()
    return event_id


def new_run(kind, origin="top-level"):
    return {
        "id": f"exec_{uuid.uuid4().hex}",
        "automationId": ("wf_" if kind == "workflow" else "agent_") + "1",
        "type": kind,
        "status": "pending",
        "triggerType": "api",
        "createdAt": now(),
        "startedAt": None,
        "completedAt": None,
        "origin": origin,
    }


def perform(step):
    name = step["name"]
    if name == "create-endpoint":
        made = {"secret": f"whsec_{uuid.uuid4().hex}", "url": step["url"], "headers": json.loads(step["headers"])}
        endpoints["e1"] = made
        return {"endpointId": "e1", "secret": made["secret"], "headers": True}
    if name == "create-run":
        run = new_run(step["type"], step["origin"])
        runs[run["id"]] = run
        if run["origin"] not in SILENT:
            emit(run, "run.created")
        return {"runId": run["id"]}
    if name == "move-run":
        run, status = runs[step["run"]], step["status"]
        previous = run["status"]
        if previous not in OPEN:
            return None
        run["status"] = status
        if status == "running" and run["startedAt"] is None:
            run["startedAt"] = now()
        if status not in OPEN:
            run["completedAt"] = now()
        if run["origin"] not in SILENT:
            emit(run, "run.status_changed", previousStatus=previous, currentStatus=status)
        return {}
    if name == "send-test":
        return {"eventId": emit({**new_run("workflow"), "automationId": "wf_test"}, "run.created", test=True)}
    if name == "redeliver":
        attempt(endpoints["e1"], step["event"], retries=False)
        return {}
    if name == "delete-endpoint":
        endpoints.clear()
        return {}
    return None


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        lines = self.rfile.read(int(self.headers["content-length"])).decode().splitlines()
        given = dict(line.split("=", 1) for line in lines if line.startswith("HOOKPROOF_"))
        done = perform({name: given.get(f"HOOKPROOF_{variable}") for name, variable in NAMES.items()})
        self.send_response(409 if done is None else 200)
        self.end_headers()
        self.wfile.write(json.dumps(done).encode())

    def log_message(self, *_args):
        pass


def serve():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


serve()
