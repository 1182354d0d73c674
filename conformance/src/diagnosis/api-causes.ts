import type { CauseTable } from './diagnosis.ts';

const ALIAS = [
  'The path parameter is looked up by id only, without the form workflows.<slug>.',
  'Resolve workflows.<slug> to the id in one place, before every operation that takes the id of an automation.',
] as const;
const LIMIT = [
  'limit is parsed leniently (parseInt, Number) or silently moved into its range.',
  'Accept decimal integers from 1 to 100 only, and respond to every other value with 400 and an issue whose field is limit.',
] as const;
const OFFSET = [
  'offset is parsed leniently, or as a number that loses digits above 2^53 - 1.',
  'Accept decimal integers from 0 to 9007199254740991 only, and respond to every other value with 400.',
] as const;
const PAGE = [
  'The list is cut or counted by another query than the one that selects its entries.',
  'Take entries and total from the same filter, sort by a unique column, and apply limit and offset last.',
] as const;
const ITEM = [
  'The serializer of an entry omits a member, renames it or sends another type.',
  'Send each member that the message names with the documented name and type.',
] as const;
const MEMBERS = [
  'The response is built from the stored record without mapping it to the documented members.',
  'Map the record to the documented members and types; the message names those that differ.',
] as const;
const NO_BODY = [
  'A body parser or a content-type filter refuses requests that have no body.',
  'Let the operation accept an empty body and a missing content-type.',
] as const;

/** Likely causes on the API side. */
export const API_CAUSES: CauseTable = {
  auth: [
    'Authentication does not run before this operation, or accepts what it should refuse.',
    'Run one authentication step before all routes, and respond with 401 without a known key.',
  ],
  'auth.missing-key': [
    'The route is registered outside the router that authenticates, or looks at the request first.',
    'Authenticate before routing, parsing and lookups, and respond with 401 when the header authorization is missing.',
  ],
  'auth.invalid-key': [
    'The key is checked for its presence or form, but not looked up; or an unknown key gives 403 or 500.',
    'Look up every key before the route runs, and respond with 401 when it is unknown.',
  ],
  'auth.tenant': [
    'The resource is looked up by its id alone, without the tenant of the key.',
    'Add the tenant of the key to the condition of every query, so that a foreign id is like an unknown one.',
  ],
  'auth-check': [
    'GET /v1/auth/check returns constants or data of another key instead of the calling key.',
    'Build the response from the record of the key that sent the request.',
  ],
  scope: [
    'The scopes of the key are not compared with the scope that the operation needs.',
    'Compare them once for each operation: a wildcard key has every scope; without the scope, respond with 403.',
  ],
  'scope.wildcard': [
    'The scope check compares names only, and a wildcard key does not list them.',
    'Let a wildcard key pass every scope check, and report wildcardGranted from the key.',
  ],
  versioning: [
    'The operation has another path or another form of body than version 1 documents.',
    'Serve it under /v1 (or /api/v1 at the app address) as JSON.',
  ],
  envelope: [
    'This error does not pass through the error handler that writes the envelope.',
    'Write every error, those of the framework and the router included, in one handler: issues and requestId, as JSON.',
  ],
  'envelope.request-id': [
    'The header x-request-id and requestId of the body are made in two places.',
    'Make the id once per request, and write the same value to header and body.',
  ],
  'envelope.issue': [
    'The issues of the validation library are passed through without mapping them.',
    'Map each to field, message, code and severity (error or warning), all strings.',
  ],
  'envelope.closed': [
    'The error handler adds members such as a stack, a status or a timestamp.',
    'Send issues, requestId, hint, docsUrl and conflictingWorkflowId only.',
  ],
  'envelope.conflicting-workflow-id': [
    'The conflict is reported without the workflow that has the name.',
    'Look up the workflow with the name, and send its id as conflictingWorkflowId.',
  ],
  'inbox.limit': LIMIT,
  'inbox.offset': OFFSET,
  'inbox.page': PAGE,
  'inbox.item': ITEM,
  'inbox.progress': [
    'remaining or complete is stored or counted separately from the examples.',
    'Compute remaining from the pending examples, and complete as none pending.',
  ],
  'inbox.status-filter': [
    'Only one value of the status filter is read, or it is compared as one text.',
    'Read every value of the parameter, and select requests whose status is any of them.',
  ],
  'inbox.list': [
    'The list has a default filter, for example on status or on the caller.',
    'Without parameters, select all review requests of the tenant.',
  ],
  'template.limit': LIMIT,
  'template.offset': OFFSET,
  'template.page': PAGE,
  'template.item': ITEM,
  'template.list': [
    'The list query has no condition on the tenant of the key.',
    'Select the templates of the tenant of the key.',
  ],
  'agent.limit': LIMIT,
  'agent.offset': OFFSET,
  'agent.page': PAGE,
  'agent.item': ITEM,
  'agent.slug': [
    'slug is ignored or compared as a part of the slug.',
    'Select the agent whose slug equals the parameter.',
  ],
  'agent.search': [
    'search is ignored, or compares whole names or another column.',
    'Select agents whose name contains the text, and none when no agent does.',
  ],
  'agent.include-archived': [
    'includeArchived is read as a truthy text, or replaces the list by the archived agents.',
    'Accept true and false only; true adds archived agents to the others.',
  ],
  'review-update.alias': ALIAS,
  'review-update.body': [
    'The member is not in the list of those that an update stores, or its type is not validated.',
    'Validate the whole body first, respond with 400 to a wrong type, then store and return each given member.',
  ],
  'review-update.closed': [
    'The update does not look at the current status before it writes.',
    'Refuse every update of a closed review request with a 4xx, in the same transaction as the write.',
  ],
  'review-update.close': [
    'The change of status to closed is refused or not stored from this status.',
    'Allow closing from draft, open and paused, and return the new status.',
  ],
  'review-update.editable': [
    'The update is allowed in fewer statuses than documented.',
    'Allow updates in draft, open and paused.',
  ],
  'review-update.detail': MEMBERS,
  'review-update.item': MEMBERS,
  'review-update.event': MEMBERS,
  'review-update.progress': [
    'The detail form reuses the progress of the inbox, or counts it separately.',
    'Send the same counters, with rejected in place of removed.',
  ],
  'automation-move': [
    'The move resolves folderId or folderPath in another way than documented.',
    'Validate both first, let folderPath win, and treat an empty path and / as the root.',
  ],
  'automation-move.alias': ALIAS,
  'automation-move.automation': MEMBERS,
  'automation-move.response': MEMBERS,
  'automation-move.agent-rejected': [
    'The move looks only at the id and not at the type of the automation.',
    'Refuse agents with a 4xx, by id and by alias, before anything is written.',
  ],
  'automation-move.folder-id': [
    'folderId is stored without looking up the folder, or skipped when folderPath is given.',
    'Look up folderId in the tenant whenever it is present, and refuse an unknown one with a 4xx.',
  ],
  'automation-move.folder-path': [
    'folderPath is split or matched so that a segment is lost, doubled or ignored.',
    'Split at /, drop empty segments, and find or create each folder in turn in one transaction.',
  ],
  run: [
    'The run is returned from the event or a summary, where a large output is omitted.',
    'Return the stored output in full under /api/v1/runs/{id}.',
  ],
  'run-usage': [
    'The usage is returned without its wrapper, or with numbers as texts or missing.',
    'Send { "usage": { … } } with integers for tokens and numbers for the rest, 0 where nothing was used.',
  ],
  file: MEMBERS,
  'file.metadata': [
    'The route does not find the file by its id, or returns another one.',
    'Look up the file by the id in the path and the tenant of the key.',
  ],
  'file.purpose': [
    'The purpose has another type, or temporary and durable files expire alike.',
    'Send a string, null or nothing; remove run-input and builder-attachment files after 24 hours, and no others.',
  ],
  'file-content': [
    'The download is changed on the way (text decoding, compression, truncation) or its redirect leads nowhere.',
    'Send the stored bytes unchanged, or redirect to a storage URL that needs no key.',
  ],
  'file-content.redirect': [
    'The redirect leads to a URL that needs a key, has expired, or never expires.',
    'Sign the storage URL for a few minutes, and let it respond without the API key.',
  ],
  'upload-complete': [
    'The completion does not compare the stored bytes with the declared ones, or is not repeatable.',
    'Verify size and digest first; then return the file, the same one each time.',
  ],
  'upload-complete.no-request-body': NO_BODY,
  'upload-complete.retry-safe': [
    'Each completion inserts a new file, and nothing makes the upload unique.',
    'Keep the id of the file with the upload under a unique constraint, and return that file when it exists.',
  ],
  'upload-complete.verifies': [
    'The completion trusts the declaration of the upload.',
    'Compare size and digest of the stored bytes with the declaration, and refuse with a 4xx when they differ.',
  ],
  experiment: [
    'The experiment is returned with other members, or without the automation that owns it.',
    'Send id and automationId as strings, from the record with the id in the path.',
  ],
  export: [
    'The archive is built from other files than the selected examples, or in other folders.',
    'Write examples/<name>/input/… and examples/<name>/expected/… for exactly the selected examples.',
  ],
  'export.alias': ALIAS,
  'export.zip': [
    'The response is not the archive itself: JSON, an incomplete stream, or a redirect that needs a key.',
    'Send the bytes of the ZIP archive with 200, or redirect to a signed URL.',
  ],
  'export.chosen-examples': [
    'The list of example ids is read as one id, or ignored.',
    'Split the parameter at commas, and export exactly these examples.',
  ],
  'expected-rename': [
    'The rename treats newFilename as a path, or renames more than the file in the path.',
    'Replace the last segment of the path of this one file, and keep its folder.',
  ],
  'expected-rename.alias': ALIAS,
  'expected-rename.body': [
    'newFilename is turned into a text without looking at its type.',
    'Refuse anything but a string with 400, before the file is touched.',
  ],
  'input-delete': [
    'The delete removes nothing, or every file that begins with the path.',
    'Delete exactly the file whose decoded path equals the rest of the URL.',
  ],
  'input-delete.alias': ALIAS,
  'input-delete.no-request-body': NO_BODY,
  'feedback-copy': [
    'The copy is not written, has another name, or its body is not validated.',
    'Require outputFileName as the name of an output of the run; name the copy expectedName, else as the output.',
  ],
  'run-review': [
    'The review of the run is returned without its wrapper or with other members.',
    'Send { "review": { … } } with the documented members.',
  ],
  'run-review.clear': [
    'Clearing removes only a part of the review.',
    'Remove note, reviewer, corrections and corrected files in one transaction, and return the empty review.',
  ],
  'run-review.clear.no-request-body': NO_BODY,
  'run-review.corrected-files': [
    'The corrected files are not listed, or the list is that of the outputs.',
    'List the names of the corrected files of this run.',
  ],
  'limits.temporary-uploads': [
    'Temporary files are removed too early, or never.',
    'Remove run-input and builder-attachment files 24 hours after their creation.',
  ],
  'status-code.404': [
    'An unknown id is taken for an empty result, for a server error, or for a refused one.',
    'Respond with 404 and the envelope when the lookup of the id in the path finds nothing.',
  ],
  'status-code.409': [
    'The uniqueness of the name is not checked, or its error becomes a 500.',
    'Check the name in the target folder in the transaction, and respond with 409.',
  ],
  'status-code.413': [
    'The body limit is missing, or the error of the body parser is mapped to another status.',
    'Map the error of the parser that reports a too large body to 413.',
  ],
  'status-code.429': [
    'The rate limiter responds without Retry-After, or with a fraction.',
    'Send Retry-After in whole seconds, rounded up, with every 429.',
  ],
  'status-code.500': [
    'An internal failure is caught and reported as another status.',
    'Respond with 500 and the envelope to every failure that is not the caller’s.',
  ],
  'status-code.503': [
    'The response has no Retry-After, or a part of the request was processed before it.',
    'Decide on 503 before anything is written, and send Retry-After with it.',
  ],
};
