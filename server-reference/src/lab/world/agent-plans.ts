import type { AutomationPlan } from './registry-row.ts';

export interface AgentPlan extends AutomationPlan {
  readonly tools: readonly string[];
  readonly executions: number;
  /** When it last began to work; absent for one that never has. */
  readonly lastHoursAgo?: number;
  readonly archived?: true;
}

export const AGENT_PLANS: readonly AgentPlan[] = [
  {
    slug: 'freight-quote',
    name: 'Freight quote agent',
    description: 'Answers quote requests from the rate sheets.',
    version: '5.2.0',
    takes: { message: 'string' },
    gives: { from: 'string', to: 'string', price: 'object' },
    tools: ['rate-sheets', 'calendar'],
    executions: 412,
    lastHoursAgo: 0.1,
  },
  {
    slug: 'claims-assistant',
    name: 'Claims assistant',
    description: 'Gathers the papers of a transport claim.',
    version: '2.0.1',
    takes: { claimNumber: 'string' },
    gives: { missing: 'array' },
    tools: ['claims', 'mail'],
    executions: 57,
    lastHoursAgo: 39.9,
  },
  {
    slug: 'supplier-mail',
    name: 'Supplier mail agent',
    description: 'Sorts the mail of suppliers and drafts replies.',
    version: '8.0.0',
    takes: { mail: 'object' },
    gives: { topic: 'string', draft: 'string' },
    tools: ['mail', 'purchase-orders', 'templates'],
    executions: 1904,
    lastHoursAgo: 17,
  },
  {
    slug: 'tariff-finder',
    name: 'Tariff finder',
    description: 'Looks for the customs code of a product.',
    version: '0.3.0',
    takes: { product: 'string' },
    gives: { code: 'string' },
    tools: [],
    executions: 0,
  },
  {
    slug: 'rate-sheet-2019',
    name: 'Rate sheet agent (2019)',
    description: 'Superseded by the freight quote agent.',
    version: '1.9.4',
    takes: { lane: 'string' },
    gives: { price: 'number' },
    tools: ['rate-sheets'],
    executions: 88,
    lastHoursAgo: 1000,
    archived: true,
  },
];
