/** A batch of evaluation runs over a dataset. */
export interface ExperimentRecord {
  /** `exp_…` */
  id: string;
  tenantId: string;
  automationId: string;
  name: string;
  createdAt: string;
}
