import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, expectSuccess, violation } from '../../../check-kit/expect.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { sentDirectly } from './content.ts';
import { requestExport } from '../operations/export.ts';
import { fileIn, filePath, isRedirect, isWithheld, requestContent } from '../operations/files.ts';

const FRAME = {
  access: 'write',
  exclusive: 'on-virtual-clock',
  needs: ['control.virtual-clock', 'fixture.fileId'],
} as const;

const fileArea = area('api.file', FRAME);
const fileContent = area('api.file-content', FRAME);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Temporary = 'run-input' | 'builder-attachment';

/** The lifetime of files and storage URLs, in their own world and on a virtual clock. */
export const fileLifetimeChecks: readonly Check[] = [
  expires('run-input', 'runInputFileId'),
  expires('builder-attachment', 'builderAttachmentFileId'),
  fileArea.check({
    name: 'temporary-lives',
    requirements: ['limits.temporary-uploads'],
    title: 'temporary files still exist a minute before they are 24 hours old',
    needs: ['control.virtual-clock', 'fixture.runInputFileId', 'fixture.builderAttachmentFileId'],
    async run(context) {
      const sandbox = await openSandbox(context);
      const files = [
        { id: sandbox.fixture('runInputFileId'), purpose: 'run-input' },
        { id: sandbox.fixture('builderAttachmentFileId'), purpose: 'builder-attachment' },
      ] as const;
      const ages = await Promise.all(
        files.map(async ({ id, purpose }) => ageOf(context, await temporary(sandbox, id, purpose))),
      );
      await context.control.advanceClock({ milliseconds: DAY - MINUTE - Math.max(...ages) });
      for (const { id } of files) {
        expectSuccess(await sandbox.api.send({ path: filePath(id) }));
      }
    },
  }),
  fileArea.check({
    name: 'durable',
    requirements: ['file.purpose.durable-when-absent'],
    title: 'a file without a purpose still exists after a week, with its content',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('fileId');
      const file = fileIn(await sandbox.api.send({ path: filePath(id) }));
      if (file['purpose'] != null) throw otherPurpose('fileId', 'no purpose');
      await context.control.advanceClock({ milliseconds: 7 * DAY + HOUR });
      expectSuccess(await sandbox.api.send({ path: filePath(id) }));
      const content = await requestContent(sandbox.api, id);
      if (isWithheld(content)) {
        throw violation('its content', `status ${content.status}`, content);
      }
    },
  }),
  fileContent.check({
    name: 'short-lived',
    requirements: ['file-content.redirect.short-lived'],
    title: 'the storage URL of a redirect gives no bytes after a week',
    async run(context) {
      const sandbox = await openSandbox(context);
      // A temporary file would be gone by then, whatever happens to the URL.
      const redirect = await requestContent(sandbox.api, sandbox.fixture('fileId'));
      if (!isRedirect(redirect)) throw sentDirectly();
      await expectShortLived(context, sandbox, redirect);
    },
  }),
  area('api.export', {
    ...FRAME,
    needs: ['control.virtual-clock', 'fixture.datasetAutomationId'],
  }).check({
    name: 'short-lived',
    requirements: ['export.redirect.short-lived'],
    title: 'the storage URL of an export gives no bytes after a week',
    async run(context) {
      const sandbox = await openSandbox(context);
      const automation = sandbox.fixture('datasetAutomationId');
      const redirect = await requestExport(sandbox.api, { automation });
      if (!isRedirect(redirect)) throw new NotApplicable('the API redirects no export');
      await expectShortLived(context, sandbox, redirect);
    },
  }),
];

async function expectShortLived(
  { control }: CheckContext,
  { api }: CheckContext,
  redirect: ApiResponse,
): Promise<void> {
  if (!staysOnSameOrigin(redirect)) {
    throw new NotApplicable('the storage is on another host, whose clock is not virtual');
  }
  assumeSuccess(await api.follow(redirect));
  await control.advanceClock({ milliseconds: 7 * DAY + HOUR });
  const later = await api.followAgain(redirect);
  if (!isWithheld(later)) throw violation('no bytes', `status ${later.status}`, later);
}

function expires(purpose: Temporary, fixture: 'runInputFileId' | 'builderAttachmentFileId'): Check {
  return fileArea.check({
    name: `${purpose}-expires`,
    requirements: [`file.purpose.${purpose}-expires`, 'limits.temporary-uploads'],
    title: `a file of purpose ${purpose} is gone after 25 hours`,
    needs: ['control.virtual-clock', `fixture.${fixture}`],
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture(fixture);
      await temporary(sandbox, id, purpose);
      await context.control.advanceClock({ milliseconds: DAY + HOUR });
      const file = await sandbox.api.send({ path: filePath(id) });
      if (!isWithheld(file)) throw violation('no file', `status ${file.status}`, file);
      const content = await requestContent(sandbox.api, id);
      if (!isWithheld(content)) {
        throw violation('no content', `status ${content.status}`, content);
      }
    },
  });
}

/** When a file was created. Throws a violation for another purpose. */
async function temporary(sandbox: CheckContext, id: string, purpose: Temporary): Promise<number> {
  const response = await sandbox.api.send({ path: filePath(id) });
  const file = fileIn(response);
  if (file['purpose'] !== purpose) {
    // Its own control interface says what it is.
    const actual = `purpose ${JSON.stringify(file['purpose'])}`;
    throw violation(`purpose ${purpose}, as the control interface says`, actual, response);
  }
  return Date.parse(String(file['createdAt']));
}

/** The age of a file in milliseconds, by the clock of the deployment. The contract states no format of the time. */
async function ageOf({ control }: CheckContext, createdAt: number): Promise<number> {
  const age = Date.parse((await control.getClock()).now) - createdAt;
  if (age >= 0 && age < DAY - HOUR) return age;
  throw new CouldNotRun(
    'the temporary files in the world of the control interface must be less than 23 hours old',
    'create them in POST /worlds of the control interface, with an ISO 8601 createdAt',
  );
}

function staysOnSameOrigin(redirect: ApiResponse): boolean {
  const { url } = redirect.exchange.request;
  return new URL(redirect.header('location') ?? '', url).origin === new URL(url).origin;
}

function otherPurpose(file: string, purpose: string): CouldNotRun {
  return new CouldNotRun(
    `${file} in the world of the control interface must have ${purpose}, got another`,
    `create it with ${purpose} in POST /worlds of the control interface`,
  );
}
