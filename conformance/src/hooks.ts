/**
 * What the proof and the generated pages take from the suite: the messages between suite and target, what stands between
 * them, and a run with it. Anything else the proof writes a second time. A door for them alone, which may change in any
 * release.
 */
export { chain } from './http/between.ts';
export type { Between, Hooks, Next } from './http/between.ts';
export type { HeaderPair } from './http/exchange.ts';
export {
  headerPairs,
  headerValue,
  isRecord,
  isSuccess,
  membersOf,
  parseJson,
  rawHeaders,
  redirectTarget,
} from './http/message.ts';
export type { Incoming, Outgoing } from './http/message.ts';
export { operationOf } from './http/operation-of.ts';
export { digest, keyBytes, matchingKey, signature } from './signing/signer.ts';
export type { SignedMessage } from './signing/signer.ts';
export { contractSchema } from './check-kit/schema.ts';
export { readArchive } from './checks/api/operations/archive.ts';
export { OWN_FIXTURES } from './options/facts.ts';
export { planFrom } from './options/plan.ts';
export { CONTRACT, runSuite } from './run-suite.ts';
export { harmless } from './report/characters.ts';
export { counted } from './report/wording.ts';
