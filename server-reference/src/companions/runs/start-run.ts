import type { RunOverrides, RunStart } from '../../generated/companions.ts';
import { findOwner } from '../../api/auth/check-auth.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import { readFileLabel } from '../../api/files/file-label.ts';
import { OUTCOME_FIELD, outcomeOf, OUTCOMES } from './simulate-run.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import { invalidValue } from '../../errors.ts';
import type { FormFile } from '../../http/read-form.ts';
import type { JsonResponse } from '../../http/response.ts';
import { shorten } from '../../json.ts';
import { ingestInput } from './ingest-input.ts';
import type { GivenInput } from './ingest-input.ts';
import { findVersion, readTarget } from './run-target.ts';
import { beginAndRespond, readTriggerType, refuseUnstartable } from './started-run.ts';
import type { StartQuery } from './started-run.ts';

/** The texts of a form that starts a run. */
type StartTexts = Pick<RunStart, 'target' | 'input' | 'overrides' | 'metadata'>;
type StartRequest = ApiRequest<StartQuery, RunStart, StartTexts>;

/** `POST /v1/runs`: begins a simulated run, from JSON or a form. It makes its transitions on the clock. */
export function startRun(services: Services): Handler<StartQuery, RunStart, StartTexts> {
  return async function handle(request: StartRequest): Promise<JsonResponse> {
    const { form, body } = request;
    if (form === null) return start(services, request, { ...body, formFiles: [] });
    const { texts, files } = await form();
    return start(services, request, { ...texts, formFiles: files.map(readFormFile) });
  };
}

type GivenStart = RunStart & Pick<GivenInput, 'formFiles'>;

async function start(
  services: Services,
  request: StartRequest,
  { target, input = {}, files = {}, formFiles, overrides, metadata }: GivenStart,
): Promise<JsonResponse> {
  const { store, clock } = services;
  const { key, query, incoming } = request;
  refuseUnknownOutcome(input);
  const { automation, version: text } = readTarget(
    store.state,
    key.tenantId,
    target,
    query.version,
  );
  const version = findVersion(automation, text);
  refuseUnstartable(automation, 'target');
  const { tenant, user } = findOwner(store.state, key);
  const given = { tenantId: tenant.id, input, files, formFiles };
  const { input: args, inputFiles, refuseLost } = await ingestInput(services, given);
  const order = {
    worldId: tenant.worldId,
    automation,
    origin: 'top-level',
    triggerType: readTriggerType(incoming),
    input: args,
    details: {
      startedBy: user.id,
      ...(version === undefined ? {} : { version }),
      ...(inputFiles.length === 0 ? {} : { inputFiles }),
      ...(overrides === undefined ? {} : { overrides: readOverrides(overrides) }),
      ...(metadata === undefined ? {} : { metadata }),
    },
  } as const;
  return beginAndRespond(services, request, order, (state) => {
    findAutomation(state, tenant.id, automation.id, 'target');
    refuseLost(state, clock.now());
  });
}

const FIELD_PREFIX = 'files.';

function readFormFile(file: FormFile): GivenInput['formFiles'][number] {
  const field = file.name.slice(FIELD_PREFIX.length);
  return { ...readFileLabel(file, 'file'), bytes: file.bytes, field };
}

/** Drops what the document does not describe. */
function readOverrides({ steps }: RunOverrides): RunOverrides {
  return steps === undefined ? {} : { steps };
}

function refuseUnknownOutcome(input: object): void {
  if (outcomeOf(input) !== undefined) return;
  const given: unknown = Reflect.get(input, OUTCOME_FIELD);
  throw invalidValue(
    `input.${OUTCOME_FIELD}`,
    `must be one of ${OUTCOMES.join(', ')}, got ${shorten(given)}`,
  );
}
