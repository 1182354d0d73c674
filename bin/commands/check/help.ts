/** Printed after the list of options. */
export const CHECK_HELP = `
For few targets: --control-token --header --max-requests --listen --public-url
  --retry-window --secret-encoding --observer --fuzz --clean-up --prove
  --compare --update-baseline. conformance/docs/options.md explains each.
Exit codes: 0 conformant, 1 violated, 2 usage, 3 incomplete, 4 unreachable,
  5 error of the suite, 130 interrupted.
Examples:
  $ hookproof check --sender --allow-writes        the server that runs here
  $ hookproof check --base-url https://api.example.com
  $ hookproof check --receiver http://127.0.0.1:3000/ --report junit=junit.xml`;
