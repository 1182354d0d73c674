/** Printed after the list of options. */
export const CHECK_HELP = `
Exit codes:
  0 conformant   1 violated, or outdated baseline   2 usage   3 incomplete or nothing established
  4 target unreachable   5 error of the suite   130 interrupted

Ctrl-C puts back what the run changed and writes the reports. A second Ctrl-C ends at once; then use --clean-up.

Every option can also be set in hookproof.config.json, in the section "check" and in camelCase.
The command line overrides the environment, and the environment overrides the file.

Examples:
  $ hookproof check --sender --allow-writes             the running server
  $ hookproof check --base-url https://api.example.com  with the key in HOOKPROOF_KEY
  $ hookproof check --receiver http://127.0.0.1:3000/   with the secret in WEBHOOK_SECRET
  $ hookproof check … --only api.inbox --report html=report.html --report json=report.json
  $ hookproof check … --report junit=junit.xml --report markdown=report.md
  $ hookproof check … --baseline known.json --update-baseline --reason 'old gateway' --owner team-a
  $ hookproof check … --clean-up

In GitHub Actions, the violations become annotations and the report becomes a summary of the step.`;
