import { findOwner } from '../../api/auth/check-auth.ts';
import { findAutomation } from '../../api/automations/automation.ts';
import { findRun } from '../../api/runs/runs.ts';
import type { ApiRequest, Handler, Services } from '../../api/services.ts';
import type { RunDetails } from '../../events/run-change.ts';
import type { JsonResponse } from '../../http/response.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { UserId } from '../../store/ids.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { RunRecord, RunVersion } from '../../store/runs.ts';
import { findVersion } from './run-target.ts';
import { beginAndRespond, readTriggerType, refuseUnstartable } from './started-run.ts';
import type { StartQuery } from './started-run.ts';

/** Names the version of the run that is run again. */
const ORIGINAL = 'original';

/** `POST /v1/runs/{id}/rerun`: begins a run with the stored input of another, which may still be open. */
export function rerunRun(services: Services): Handler<StartQuery> {
  const { store } = services;
  return async function handle(request: ApiRequest<StartQuery>): Promise<JsonResponse> {
    const { key, query } = request;
    const source = findRun(store.state, request);
    const automation = findAutomation(store.state, key.tenantId, source.automationId);
    const version = versionOfRerun(automation, source, query.version);
    refuseUnstartable(automation, 'id');
    const { tenant, user } = findOwner(store.state, key);
    // Its value, because the run may be deleted before the rerun is stored.
    const input = source.input;
    const order = {
      worldId: tenant.worldId,
      automation,
      origin: 'top-level',
      triggerType: readTriggerType(request.incoming),
      input: typeof input === 'object' && input !== null ? input : {},
      details: detailsOf(source, user.id, version),
    } as const;
    return beginAndRespond(
      services,
      request,
      order,
      (state) => void findRun(state, request),
      (state, run) => {
        state.runs.edit(source.id).nextRunId = run.id;
      },
    );
  };
}

function versionOfRerun(
  automation: DeepReadonly<AutomationRecord>,
  { version }: DeepReadonly<RunRecord>,
  text: string | undefined,
): RunVersion | undefined {
  if (text !== ORIGINAL) return findVersion(automation, text);
  return version === undefined ? findVersion(automation, undefined) : { ...version };
}

/** The input files are shared: stored bytes never change. */
function detailsOf(
  { id, retry, inputFiles, overrides, metadata }: DeepReadonly<RunRecord>,
  startedBy: UserId,
  version: RunVersion | undefined,
): RunDetails {
  return {
    startedBy,
    retry: { number: (retry?.number ?? 0) + 1, previousRunId: id },
    ...(version === undefined ? {} : { version }),
    ...(inputFiles === undefined ? {} : { inputFiles: inputFiles.map((file) => ({ ...file })) }),
    ...(overrides === undefined ? {} : { overrides: structuredClone(overrides) }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
