import type { Handler, Services } from '../app/handler.ts';
import { checkAuth } from './check-auth.ts';
import { deleteInputFile } from './delete-input-file.ts';
import { exportDataset } from './export-dataset.ts';
import { getRun } from './get-run.ts';
import { listAgents } from './list-agents.ts';
import { listReviewRequests } from './list-review-requests.ts';
import { listTemplates } from './list-templates.ts';
import { moveAutomation } from './move-automation.ts';
import { renameExpectedFile } from './rename-expected-file.ts';
import { updateReviewRequest } from './update-review-request.ts';

/** The operations that this server has, by the operationId of the contract. */
export function apiHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    checkAuth: checkAuth(services),
    listDatasetReviewRequests: listReviewRequests(services),
    updateDatasetReviewRequest: updateReviewRequest(services),
    moveAutomation: moveAutomation(services),
    renameExpectedFile: renameExpectedFile(services),
    deleteInputFile: deleteInputFile(services),
    exportDataset: exportDataset(services),
    listTemplates: listTemplates(services),
    listAgents: listAgents(services),
    getRun: getRun(services),
    getRunApp: getRun(services),
  };
}
