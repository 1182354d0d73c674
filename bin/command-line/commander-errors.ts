/** What commander says about a value or an option, and how every other message here says it. */
const SENTENCES: readonly (readonly [commander: RegExp, ours: string])[] = [
  [
    /option '.*' value '(.*)' from env '(.*)' is invalid\. Expected (.*)\./s,
    '$2 must be $3, got $1.',
  ],
  [
    /option '.*' value '(.*)' from env '(.*)' is invalid\. Allowed choices are (.*)\./s,
    '$2 must be one of $3, got $1.',
  ],
  [
    /option '.*?(--[a-z-]+).*?' argument '(.*)' is invalid\. Expected (.*)\./s,
    '$1 must be $3, got $2.',
  ],
  [
    /option '.*?(--[a-z-]+).*?' argument '(.*)' is invalid\. Allowed choices are (.*)\./s,
    '$1 must be one of $3, got $2.',
  ],
  [
    /command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\./s,
    '$2 must be one of $3, got $1.',
  ],
  [/option '.*?(--[a-z-]+) ?(.*?)' argument missing/, '$1 requires a value. Add $2 after it.'],
  [
    /option '.*?(--[a-z-]+).*?' cannot be used with option '.*?(--[a-z-]+).*?'/,
    '$1 and $2 exclude each other. Leave one out.',
  ],
];

/** Says an error of commander in the form of ours: subject, expected, actual, fix. */
export function inOurWords(message: string): string {
  const [commander, ours] = SENTENCES.find(([sentence]) => sentence.test(message)) ?? [];
  return commander === undefined || ours === undefined ? message : message.replace(commander, ours);
}
