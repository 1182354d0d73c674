/** Internal modules that tests import, because no public export reaches them closely enough. */
interface CoreGroup {
  readonly reason: string;
  readonly modules: readonly string[];
}

/** The list may become shorter. A test of anything else uses public exports. */
export const MAX_CORES = 84;

/** Programs that load internal modules by their compiled path, each with the reason. */
export const LOADS_COMPILED: Readonly<Record<string, string>> = {
  'test/architecture/files-visited/programs/check.ts':
    'It counts the compiled files that one check visits, from the engine inwards.',
  'test/conformance/programs/suite.ts':
    'It runs checks of a test instead of the catalogue, which the public entry point does not offer.',
};

export const CORES: readonly CoreGroup[] = [
  {
    reason:
      'Pure decisions and formats. Their tests enumerate cases that requests could only sample.',
    modules: [
      'conformance/src/check-kit/area.ts',
      'conformance/src/checks/api/operations/archive.ts',
      'conformance/src/checks/api/operations/dataset-files.ts',
      'conformance/src/checks/api/operations/expected-files.ts',
      'conformance/src/checks/receiver/signature.ts',
      'conformance/src/checks/receiver/vector-family.ts',
      'conformance/src/diagnosis/diagnose.ts',
      'conformance/src/driver/wait-strategy.ts',
      'conformance/src/http/message.ts',
      'conformance/src/options/plan.ts',
      'conformance/src/redaction/redactor.ts',
      'conformance/src/report/reproduce/reproduction.ts',
      'conformance/src/select/select.ts',
      'conformance/src/signing/signer.ts',
      'conformance/src/verdict/verdict.ts',
      'conformance/src/wire/gate-rules.ts',
      'conformance/src/wire/rate.ts',
      'receiver/src/order/run-edge.ts',
      'receiver/src/receive/responses.ts',
      'receiver/src/verify/errors.ts',
      'receiver/src/worker/next-event.ts',
      'server-reference/src/lab/api-faults/api-fault-plan.ts',
      'server-reference/src/lab/api-faults/api-fault.ts',
      'server-reference/src/lab/control/wait-conditions.ts',
      'server-reference/src/lab/delivery-faults/alter-request.ts',
      'server-reference/src/lab/delivery-faults/delivery-fault-plan.ts',
      'server-reference/src/lab/sinks/exchange.ts',
      'server-reference/src/lab/sinks/script.ts',
      'server-reference/src/lab/sinks/view.ts',
      'server-reference/src/platform/access/api-key.ts',
      'server-reference/src/platform/access/rate-limit.ts',
      'server-reference/src/platform/clock/due-queue.ts',
      'server-reference/src/platform/datasets/artifact-path.ts',
      'server-reference/src/platform/files/content-disposition.ts',
      'server-reference/src/platform/files/read-range.ts',
      'server-reference/src/platform/http/request.ts',
      'server-reference/src/platform/resources/present.ts',
      'server-reference/src/platform/runs/change-run.ts',
      'server-reference/src/platform/runs/events.ts',
      'server-reference/src/platform/runs/scheduled-transitions.ts',
      'server-reference/src/platform/runs/simulate-run.ts',
      'server-reference/src/platform/sender/attempt-result.ts',
      'server-reference/src/platform/sender/custom-headers.ts',
      'server-reference/src/platform/sender/headers.ts',
      'server-reference/src/platform/sender/outbox.ts',
      'server-reference/src/platform/sender/retry.ts',
      'server-reference/src/platform/sender/settle.ts',
      'server-reference/src/platform/sender/target/address.ts',
      'server-reference/src/platform/sender/target/url.ts',
      'server-reference/src/platform/state/run-transitions.ts',
      'server-reference/src/platform/state/state.ts',
      'server-reference/src/platform/state/table.ts',
      'server-reference/src/platform/access/signed-url.ts',
      'server-reference/src/platform/store/prune-history.ts',
      'server-reference/src/platform/store/cache-until-commit.ts',
      'server-reference/src/platform/store/seed.ts',
    ],
  },
  {
    reason:
      'Parts with a clock, disk or socket. Their tests cause failures that no request can: full disks, ' +
      'torn files, hostile endpoints, stuck work.',
    modules: [
      'conformance/src/clients/http-control-client.ts',
      'conformance/src/listener/listener-server.ts',
      'receiver/src/stores/sqlite/driver.ts',
      'server-reference/src/lab/control/wait.ts',
      'server-reference/src/open-server.ts',
      'server-reference/src/lab/delivery-faults/interceptor.ts',
      'server-reference/src/lab/sinks/sinks.ts',
      'server-reference/src/platform/clock/tracked-work.ts',
      'server-reference/src/platform/datasets/zip-archive.ts',
      'server-reference/src/platform/files/reaper.ts',
      'server-reference/src/platform/http/http-server.ts',
      'server-reference/src/platform/http/schema.ts',
      'server-reference/src/platform/sender/post.ts',
      'server-reference/src/platform/sender/sender.ts',
      'server-reference/src/platform/sender/target/guarded-lookup.ts',
      'server-reference/src/platform/sender/target/target.ts',
      'server-reference/src/platform/store/folder-blobs.ts',
      'server-reference/src/platform/store/folder-store.ts',
      'server-reference/src/platform/store/group-commit.ts',
      'server-reference/src/platform/store/memory-blobs.ts',
    ],
  },
  {
    reason: 'Tables that a document or another table must repeat.',
    modules: [
      'conformance/src/options/facts.ts',
      'server-reference/src/lab/control/control-interface.ts',
      'server-reference/src/lab/delivery-faults/delivery-fault.ts',
      'server-reference/src/lab/error-codes.ts',
      'server-reference/src/platform/http/api-error.ts',
    ],
  },
  {
    reason: 'The parts of an app that needs no address: test/server-reference/open-app.ts.',
    modules: [],
  },
  {
    reason: 'The data of the seeded worlds, whose variety is the subject of the tests.',
    modules: [
      'server-reference/src/lab/world/assets.ts',
      'server-reference/src/lab/world/create-world.ts',
      'server-reference/src/lab/world/seed-data.ts',
    ],
  },
];
