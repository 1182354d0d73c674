import type { Handler, Services } from '../app/handler.ts';
import { cancelRun } from './cancel-run.ts';
import { checkAuth } from './check-auth.ts';
import { clearRunReviews } from './clear-run-reviews.ts';
import { completeFileUpload } from './complete-file-upload.ts';
import { copyOutputToExpected } from './copy-output-to-expected.ts';
import { createFileUpload } from './create-file-upload.ts';
import { deleteInputFile } from './delete-input-file.ts';
import { exportDataset } from './export-dataset.ts';
import { getAutomation } from './get-automation.ts';
import { getExperiment } from './get-experiment.ts';
import { getFileContent } from './get-file-content.ts';
import { getFile } from './get-file.ts';
import { getRunUsage } from './get-run-usage.ts';
import { getRun } from './get-run.ts';
import { listAgents } from './list-agents.ts';
import { listAutomations } from './list-automations.ts';
import { listExpectedReviewFiles } from './list-expected-review-files.ts';
import { listReviewRequests } from './list-review-requests.ts';
import { listRuns } from './list-runs.ts';
import { listTemplates } from './list-templates.ts';
import { moveAutomation } from './move-automation.ts';
import { renameExpectedFile } from './rename-expected-file.ts';
import { startRun } from './start-run.ts';
import { updateReviewRequest } from './update-review-request.ts';
import { uploadFile } from './upload-file.ts';

/** The operations that this server has, by the operationId of the contract. */
export function apiHandlers(services: Services): Readonly<Record<string, Handler>> {
  return {
    checkAuth: checkAuth(services),
    listDatasetReviewRequests: listReviewRequests(services),
    updateDatasetReviewRequest: updateReviewRequest(services),
    listAutomations: listAutomations(services),
    getAutomation: getAutomation(services),
    moveAutomation: moveAutomation(services),
    renameExpectedFile: renameExpectedFile(services),
    deleteInputFile: deleteInputFile(services),
    exportDataset: exportDataset(services),
    getExperiment: getExperiment(services),
    listTemplates: listTemplates(services),
    listAgents: listAgents(services),
    listRuns: listRuns(services),
    startRun: startRun(services),
    cancelRun: cancelRun(services),
    getRun: getRun(services),
    getRunApp: getRun(services),
    getRunUsage: getRunUsage(services),
    clearRunReviews: clearRunReviews(services),
    listExpectedReviewFiles: listExpectedReviewFiles(services),
    copyOutputToExpected: copyOutputToExpected(services),
    copyOutputToExpectedApp: copyOutputToExpected(services),
    uploadFile: uploadFile(services),
    createFileUpload: createFileUpload(services),
    completeFileUpload: completeFileUpload(services),
    getFile: getFile(services),
    getFileContent: getFileContent(services),
  };
}
