import type { AutomationRecord, VersionRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';

type Versioned = DeepReadonly<Pick<AutomationRecord, 'version' | 'versions'>>;

/** The word that names the current version. */
export const LATEST = 'latest';

/**
 * Returns the version that a caller names, or undefined if the automation has none like it.
 *
 * @param text - the id, the label, the source reference, the commit or the tag of a version, looked up in
 * this order; undefined and `latest` are the current version. Of several with the same source reference or
 * commit, the newest is returned
 */
export function resolveVersion(
  automation: Versioned,
  text: string | undefined,
): DeepReadonly<VersionRecord> | undefined {
  if (text === undefined || text === LATEST) return currentVersion(automation);
  const { versions } = automation;
  return (
    versions.find(({ id }) => id === text) ??
    versions.find(({ version }) => version === text) ??
    versions.find(({ sourceRef }) => sourceRef === text) ??
    versions.find(({ commit }) => commit === text) ??
    versions.find(({ version }) => tagOf(version) === text)
  );
}

/** Returns the git tag of the version with a label. */
export function tagOf(label: string): string {
  return `v${label}`;
}

/** Returns the version that runs use by default; undefined without versions. */
export function currentVersion({
  version,
  versions,
}: Versioned): DeepReadonly<VersionRecord> | undefined {
  return versions.find((candidate) => candidate.version === version) ?? versions[0];
}
