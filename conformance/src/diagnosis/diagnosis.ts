/** Why a target breaks a requirement, where the evidence excludes other causes, and what to change. One or two sentences each. */
export interface Diagnosis {
  readonly cause: string;
  readonly fix: string;
}
