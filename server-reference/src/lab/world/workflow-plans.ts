import type { AutomationRecord } from '../../platform/state/automations.ts';
import type { AutomationPlan } from './registry-row.ts';

export interface WorkflowPlan extends AutomationPlan {
  /** Absent for a workflow outside all folders. */
  readonly folder?: string;
  readonly triggers: Partial<AutomationRecord['triggers']>;
  readonly implementationMissing?: true;
}

/** Two of them bear one name, in different folders: moving one to the other is a conflict. */
export const WORKFLOW_PLANS: readonly WorkflowPlan[] = [
  {
    slug: 'invoice-matcher',
    name: 'Invoice matcher',
    description: 'Matches supplier invoices with purchase orders.',
    version: '14',
    takes: { invoices: 'array', tolerance: 'number' },
    gives: { matched: 'integer', differing: 'array', rows: 'array' },
    triggers: { api: true, email: true },
  },
  {
    slug: 'delivery-note-reader',
    name: 'Delivery note reader',
    description: 'Reads scanned delivery notes into rows.',
    version: '31',
    takes: { document: 'string' },
    gives: { rows: 'array' },
    folder: 'Inbound/Delivery notes',
    triggers: { api: true, email: true, manual: true },
  },
  {
    slug: 'bank-statement-import',
    name: 'Statement importer',
    description: 'Imports bank statements every morning.',
    version: '6',
    takes: { day: 'string' },
    gives: { imported: 'integer' },
    folder: 'Finance/Statements',
    triggers: { cron: true, manual: true },
  },
  {
    slug: 'card-statement-import',
    name: 'Statement importer',
    description: 'Imports card statements that somebody uploads.',
    version: '2',
    takes: { statement: 'string' },
    gives: { imported: 'integer' },
    triggers: { manual: true },
  },
  {
    slug: 'customs-declaration',
    name: 'Customs declaration',
    description: 'Fills customs forms from packing lists.',
    version: '9',
    takes: { packingList: 'string', incoterm: 'string' },
    gives: { form: 'string' },
    folder: 'Inbound',
    triggers: { api: true },
  },
  {
    slug: 'claim-intake',
    name: 'Claim intake',
    description: 'Opens a claim from a mail and asks for the papers that are missing.',
    version: '11',
    takes: { mail: 'object' },
    gives: { claimNumber: 'string', missing: 'array' },
    folder: 'Claims/Inbound mail/Transport damage',
    triggers: { email: true, api: true },
  },
  {
    slug: 'premium-reconciliation',
    name: 'Premium reconciliation',
    description: 'Compares booked premiums with the policies, at the end of each month.',
    version: '4',
    takes: { month: 'string' },
    gives: { differences: 'array' },
    folder: 'Finance/Premiums',
    triggers: { cron: true },
  },
  {
    slug: 'fax-intake',
    name: 'Fax intake',
    description: 'Its row is left in the registry; the workflow itself is gone.',
    version: '1',
    takes: {},
    gives: {},
    triggers: {},
    implementationMissing: true,
  },
];
