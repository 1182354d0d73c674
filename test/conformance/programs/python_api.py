"""A small platform, written from the text of the contract alone, with the standard library only.

One tenant, one key, no control interface. Prints
one line of JSON with its address, its key and what it knows. The environment variable MISSING names a path prefix
that it does not have. Ends when its standard input does.
"""

import hashlib
import io
import json
import os
import re
import secrets
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

KEY = 'pk_' + secrets.token_hex(20)
MISSING = os.environ.get('MISSING')
TIME = '2026-03-01T09:30:00Z'
MAX_OFFSET = 2**53 - 1
MAX_BODY = 1024 * 1024
STATUSES = ('draft', 'open', 'paused', 'closed')
CONTENT = b'%PDF-1.7 not really\n'
NAMES = ('invoice-1', 'invoice-2')
FOLDERS = {'fld-home': 'Finance/Invoices', 'fld-other': 'Archive'}
lock = threading.Lock()


class Refused(Exception):
    def __init__(self, status, message, field='<root>', code='invalid_value'):
        super().__init__(message)
        self.status = status
        self.issue = {'field': field, 'message': message, 'code': code, 'severity': 'error'}


def review(number, status):
    return {
        'id': f'rev-{number}', 'automationId': 'wf_invoices', 'title': f'Review {number}', 'instructions': 'Look closely.',
        'focusFields': [{'path': 'total.amount', 'reason': 'Often wrong'}], 'ignoredFields': ['notes'],
        'status': status, 'exampleNames': list(NAMES), 'createdBy': 'user-1', 'createdAt': TIME,
        'closedAt': TIME if status == 'closed' else None,
    }


REVIEWS = [review(number, status) for number, status in enumerate(('draft', 'open', 'paused', 'closed', 'open'))]
AGENTS = [
    {'id': f'agent_{name}', 'slug': name, 'name': name.title(), 'createdAt': TIME, 'config': {},
     'stats': {'exampleCount': 2, 'totalExecutions': 9, 'avgDurationMs': 12.5, 'avgCredits': 0.5}}
    for name in ('clerk', 'auditor', 'archivist')
]
TEMPLATES = [
    {'id': f'tpl-{number}', 'name': f'Letter {number}', 'filename': f'letter-{number}.docx', 'format': 'docx',
     'mimeType': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
     'tokens': [{'name': 'customer', 'path': ['customer'], 'kind': 'variable', 'type': 'string', 'required': True,
                 'description': 'Who gets the letter'}],
     'grammar': {'syntax': 'mustache', 'tokenDiscovery': True, 'capabilities': ['loops']}, 'createdAt': TIME,
     'currentRevision': {'id': f'rev-{number}', 'number': 1, 'sha256': '0' * 64, 'createdAt': TIME}}
    for number in range(3)
]
FILE = {'id': 'file-1', 'filename': 'invoice.pdf', 'contentType': 'application/pdf', 'size': len(CONTENT), 'createdAt': TIME}
USAGE = {'tokens': {'input': 10, 'output': 5, 'cacheRead': 0, 'cacheWrite': 0}, 'creditsCharged': 1.5,
         'durationMs': 900, 'llmCallCount': 2, 'ocrPagesProcessed': 1, 'agentTurns': 0}
IDENTITY = {'ok': True, 'tenantId': 't-1', 'tenantSlug': 'acme', 'tenantName': 'Acme', 'userId': 'user-1',
            'keyId': 'key-1', 'email': 'a@example.com', 'name': 'CI', 'scope': ['*'], 'wildcardGranted': True}


def number_in(query, name, low, high, default):
    values = query.get(name)
    if values is None:
        return default
    if len(values) != 1 or not re.fullmatch('[0-9]{1,16}', values[0]) or not low <= int(values[0]) <= high:
        raise Refused(400, f'{name} must be an integer from {low} to {high}', name)
    return int(values[0])


def page(query, entries):
    limit = number_in(query, 'limit', 1, 100, 50)
    offset = number_in(query, 'offset', 0, MAX_OFFSET, 0)
    return entries[offset:offset + limit], {'total': len(entries), 'limit': limit, 'offset': offset}


def progress(removed):
    return {'total': 2, 'pending': 1, 'approved': 1, 'edited': 0, removed: 0, 'remaining': 1, 'complete': False}


def automation_id(text):
    if text in ('wf_invoices', 'workflows.invoices'):
        return 'wf_invoices'
    for agent in AGENTS:
        if text in (agent['id'], f'agents.{agent["slug"]}'):
            return agent['id']
    raise Refused(404, 'no such automation', code='not_found')


def inbox(_body, query):
    wanted = ','.join(query['status']).split(',') if 'status' in query else list(STATUSES)
    if any(status not in STATUSES for status in wanted):
        raise Refused(400, 'status must be a list of review statuses', 'status')
    shown, counts = page(query, [one for one in REVIEWS if one['status'] in wanted])
    return {'data': [{**one, 'progress': progress('removed'), 'automationName': 'Invoices'} for one in shown], **counts}


def agents(_body, query):
    slug = query.get('slug')
    if query.get('includeArchived', ['true'])[0] not in ('true', 'false'):
        raise Refused(400, 'includeArchived must be true or false', 'includeArchived')
    shown, counts = page(query, [one for one in AGENTS if slug is None or one['slug'] in slug])
    return {'data': shown, **counts}


def templates(_body, query):
    shown, counts = page(query, TEMPLATES)
    return {'items': shown, 'total': counts['total']}


def text_in(body, name):
    if name in body and not isinstance(body[name], str):
        raise Refused(400, f'{name} must be a string', name)


def update_review(body, _query, automation, review_id):
    found = next((one for one in REVIEWS if one['id'] == review_id), None)
    if automation_id(automation) != 'wf_invoices' or found is None:
        raise Refused(404, 'no such review request', code='not_found')
    text_in(body, 'title')
    text_in(body, 'instructions')
    fields = body.get('focusFields', [])
    if not isinstance(fields, list) or not all(is_focus_field(one) for one in fields):
        raise Refused(400, 'focusFields must be a list of paths and reasons', 'focusFields')
    ignored = body.get('ignoredFields', [])
    if not isinstance(ignored, list) or not all(isinstance(one, str) for one in ignored):
        raise Refused(400, 'ignoredFields must be a list of strings', 'ignoredFields')
    if body.get('status', 'open') not in STATUSES:
        raise Refused(400, 'status must be a review status', 'status')
    if found['status'] == 'closed':
        raise Refused(409, 'the review request is closed', code='review_closed')
    for name in ('title', 'instructions', 'focusFields', 'ignoredFields', 'status'):
        if name in body:
            found[name] = body[name]
    if found['status'] == 'closed':
        found['closedAt'] = TIME
    return {**found, 'progress': progress('rejected'), 'items': [item(review_id)], 'events': [event(review_id)]}


def item(review_id):
    return {'id': 'item-1', 'reviewId': review_id, 'exampleName': NAMES[0], 'snapshotInputJson': {},
            'snapshotExpectedJson': None,
            'snapshotManifest': {'expectedFiles': [{'name': 'result.json'}], 'metadata': {}, 'inputFileHashes': []},
            'status': 'pending', 'currentExpectedJson': {'total': 12}, 'fieldDecisions': {}, 'inputDrifted': False,
            'updatedBy': 'user-1', 'updatedAt': TIME}


def event(review_id):
    return {'id': 'event-1', 'reviewId': review_id, 'itemId': 'item-1', 'actorUserId': 'user-1', 'action': 'created',
            'diffSummary': None, 'createdAt': TIME}


def is_focus_field(field):
    def is_text(value):
        return isinstance(value, str) and value != ''
    return isinstance(field, dict) and is_text(field.get('path')) and (field.get('reason') is None or is_text(field['reason']))


def known_only(value, *known):
    def handle(_body, _query, identity):
        if identity not in known:
            raise Refused(404, 'not found', code='not_found')
        return value
    return handle


EXAMPLES = {
    f'ex-{number}': {'name': name, 'input': {'invoice.pdf': CONTENT, 'notes/draft.txt': b'to be deleted'},
                     'expected': {'parts/result.json': b'{"total": 12}'}}
    for number, name in enumerate(NAMES)
}
WORKFLOW = {
    'id': 'wf_invoices', 'type': 'workflow', 'slug': 'invoices', 'name': 'Invoices', 'folderId': 'fld-home',
    'createdAt': TIME, 'description': '', 'status': 'active', 'version': '1',
    'triggers': {'api': True, 'email': False, 'manual': True, 'cron': False}, 'implementationAvailable': True,
    'updatedAt': TIME, 'inputSchema': {}, 'outputSchema': {},
}
OUTPUTS = {f'run-{number}': {'out.json'} for number in (1, 2, 3, 4)}
EXPECTED = {'run-1': set(), 'run-2': set(), 'run-3': {'corrected.json'}, 'run-4': {'corrected.json'}}
REVIEW = {
    'id': 'rr-1', 'verdict': 'correct', 'status': 'open', 'note': 'Total is wrong', 'reviewedBy': 'user-1',
    'reviewedByEmail': 'a@example.com', 'reviewedAt': TIME, 'createdAt': TIME, 'updatedAt': TIME,
    'corrections': [{'id': 'c-1', 'kind': 'field', 'path': 'total', 'label': 'Total', 'note': '', 'createdAt': TIME,
                     'updatedAt': TIME, 'originalValue': 1, 'correctedValue': 2}],
    'correctedOutput': {'total': 2},
}
RUN_REVIEWS = {'run-3': REVIEW, 'run-4': REVIEW}


def export(_body, _query, automation):
    if automation_id(automation) != 'wf_invoices':
        raise Refused(404, 'no dataset', code='not_found')
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w') as files:
        for example in EXAMPLES.values():
            for folder in ('input', 'expected'):
                for path, content in example[folder].items():
                    files.writestr(f'examples/{example["name"]}/{folder}/{path}', content)
    return archive.getvalue()


def move(body, _query, automation):
    text_in(body, 'folderPath')
    if not isinstance(body.get('folderId'), (str, type(None))):
        raise Refused(400, 'folderId must be a string or null', 'folderId')
    if automation_id(automation) != 'wf_invoices':
        raise Refused(400, 'agents have no folder')
    if 'folderPath' in body:
        path = body['folderPath'].strip('/')
        known = next((identity for identity, one in FOLDERS.items() if one == path), None)
        if known is None and path:
            known = f'fld-{len(FOLDERS)}'
            FOLDERS[known] = path
        WORKFLOW['folderId'] = known
    elif body.get('folderId') is not None and body['folderId'] not in FOLDERS:
        raise Refused(404, 'no such folder', 'folderId', 'not_found')
    else:
        WORKFLOW['folderId'] = body.get('folderId')
    return {**WORKFLOW, 'folderPath': FOLDERS.get(WORKFLOW['folderId'])}


def files_of(automation, example, folder, path):
    if automation_id(automation) != 'wf_invoices' or path not in EXAMPLES.get(example, {}).get(folder, {}):
        raise Refused(404, 'no such file', code='not_found')
    return EXAMPLES[example][folder]


def rename(body, _query, automation, example, path):
    if not isinstance(body.get('newFilename'), str):
        raise Refused(400, 'newFilename must be a string', 'newFilename')
    if not re.fullmatch('[^/]+', body['newFilename']):
        raise Refused(400, 'newFilename must be a name', 'newFilename')
    files = files_of(automation, example, 'expected', path)
    parent, slash, _ = path.rpartition('/')
    new = parent + slash + body['newFilename']
    files[new] = files.pop(path)
    return {'ok': True, 'filename': body['newFilename'], 'path': new}


def delete_input(_body, _query, automation, example, path):
    del files_of(automation, example, 'input', path)[path]
    return {'ok': True}


def of(known, identifier):
    if identifier not in known:
        raise Refused(404, 'no such thing', code='not_found')
    return known[identifier]


def clear_review(_body, _query, run):
    of(RUN_REVIEWS, run)
    RUN_REVIEWS[run] = None
    EXPECTED[run].clear()
    return {'review': None}


def expected(_body, _query, run):
    return {'files': [{'name': name} for name in sorted(of(EXPECTED, run))]}


def copy(body, _query, run):
    outputs = of(OUTPUTS, run)
    text_in(body, 'expectedName')
    if not isinstance(body.get('outputFileName'), str) or body['outputFileName'] not in outputs:
        raise Refused(400, 'outputFileName must name an output of the run', 'outputFileName')
    name = body.get('expectedName', body['outputFileName'])
    if name in EXPECTED[run]:
        raise Refused(409, 'there is a copy of that name', 'expectedName', 'name_taken')
    EXPECTED[run].add(name)
    return {'name': name}


FILES = {'file-1': FILE}
UPLOADS = {'up-1': {**FILE, 'id': 'file-2'}}


def file_of(_body, _query, identifier):
    return of(FILES, identifier)


def content_of(_body, _query, identifier):
    of(FILES, identifier)
    return CONTENT


def complete(_body, _query, upload):
    file = of(UPLOADS, upload)
    FILES[file['id']] = file
    return file


ROUTES = [
    ('GET', '/v1/dataset-review-requests', inbox),
    ('PATCH', '/v1/automations/([^/]+)/dataset-review-requests/([^/]+)', update_review),
    ('GET', '/v1/automations/([^/]+)/dataset/export', export),
    ('PATCH', '/v1/automations/([^/]+)', move),
    ('PATCH', '/v1/automations/([^/]+)/examples/([^/]+)/expected/(.+)', rename),
    ('DELETE', '/v1/automations/([^/]+)/examples/([^/]+)/input/(.+)', delete_input),
    ('DELETE', '/v1/runs/([^/]+)/reviews', clear_review),
    ('GET', '/v1/runs/([^/]+)/reviews/expected', expected),
    ('POST', '/v1/runs/([^/]+)/feedback/expected', copy),
    ('POST', '/api/v1/runs/([^/]+)/feedback/expected', copy),
    ('GET', '/v1/runs/([^/]+)/usage', known_only({'usage': USAGE}, *OUTPUTS)),
    ('GET', '/v1/auth/check', lambda _body, _query: IDENTITY),
    ('GET', '/v1/files/([^/]+)', file_of),
    ('GET', '/v1/files/([^/]+)/content', content_of),
    ('POST', '/v1/files/uploads/([^/]+)/complete', complete),
    ('GET', '/v1/templates', templates),
    ('GET', '/v1/experiments/([^/]+)', known_only({'id': 'exp-1', 'automationId': 'wf_invoices'}, 'exp-1')),
    ('GET', '/api/v1/agents', agents),
    ('GET', '/api/v1/runs/([^/]+)', known_only({'id': 'run-1', 'status': 'completed'}, *OUTPUTS)),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def handle_request(self):
        request_id = secrets.token_hex(8)
        raw = self.rfile.read(int(self.headers.get('content-length', 0)))
        try:
            result = self.result(raw)
            kind = 'application/json' if isinstance(result, dict) else 'application/octet-stream'
            data = json.dumps(result).encode() if isinstance(result, dict) else result
            self.reply(200, data, kind, request_id)
        except Refused as refused:
            envelope = {'issues': [refused.issue], 'requestId': request_id}
            self.reply(refused.status, json.dumps(envelope).encode(), 'application/json', request_id)

    def result(self, raw):
        scheme, _, key = self.headers.get('authorization', '').partition(' ')
        if scheme.lower() != 'bearer' or not secrets.compare_digest(key.encode(), KEY.encode()):
            raise Refused(401, 'a valid API key is required', code='unauthorized')
        url = urlsplit(self.path)
        for method, pattern, handler in ROUTES:
            match = re.fullmatch(pattern, url.path)
            if method != self.command or match is None or (MISSING and url.path.startswith(MISSING)):
                continue
            body = self.body(raw) if method in ('PATCH', 'POST') and handler is not complete else None
            with lock:
                return handler(body, parse_qs(url.query, keep_blank_values=True), *map(unquote, match.groups()))
        raise Refused(404, 'not found', code='not_found')

    def body(self, raw):
        if len(raw) > MAX_BODY:
            raise Refused(413, 'the body is too large')
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise Refused(400, 'the body must be a JSON object')
        return body

    def reply(self, status, data, kind, request_id):
        self.send_response(status)
        headers = {'content-type': kind, 'content-length': str(len(data)), 'x-request-id': request_id}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_PATCH = do_POST = do_PUT = do_DELETE = handle_request

    def log_message(self, *_arguments):
        pass


server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
FIXTURES = {
    'runId': 'run-1', 'fileId': 'file-1', 'fileSize': str(len(CONTENT)), 'fileSha256': hashlib.sha256(CONTENT).hexdigest(),
    'experimentId': 'exp-1', 'experimentAutomationId': 'wf_invoices', 'datasetAutomationId': 'wf_invoices',
    'datasetAutomationSlug': 'invoices', 'exampleName': NAMES[0], 'otherExampleName': NAMES[1],
    'inputFilePath': 'invoice.pdf', 'expectedFilePath': 'parts/result.json', 'exampleId': 'ex-0',
    'workflowId': 'wf_invoices', 'workflowSlug': 'invoices', 'folderId': 'fld-other', 'workflowFolderPath': 'Finance/Invoices',
    'outputFileName': 'out.json', 'fillableRunId': 'run-2', 'clearableRunId': 'run-3', 'reviewedRunId': 'run-4',
    'deletableInputPath': 'notes/draft.txt', 'uploadId': 'up-1',
}
print(json.dumps({'url': f'http://127.0.0.1:{server.server_port}', 'key': KEY, 'fixtures': FIXTURES}), flush=True)
sys.stdin.read()
