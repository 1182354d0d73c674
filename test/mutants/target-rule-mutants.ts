import type { RuleMutant } from './rule-mutant.ts';

const ADDRESS = 'server-reference/dist/platform/sender/target/address.js';
const LIST = 'server-reference/dist/platform/sender/target/address.js';
const URL_CHECK = 'server-reference/dist/platform/sender/target/url.js';
const TARGET = 'server-reference/dist/platform/sender/target/target.js';
const HEADERS = 'server-reference/dist/platform/sender/custom-headers.js';
const ROUTES = 'server-reference/dist/lab/control/endpoints.js';

/** Where events are sent, and with which headers. */
export const targetRuleMutants: readonly RuleMutant[] = [
  {
    id: 'link-local-ipv6-fine',
    defect: 'Link-local addresses of IPv6 are fine.',
    file: ADDRESS,
    find: "    'fe80::/10',\n",
    replace: '',
    breaks: ['target.link-local'],
  },
  {
    id: 'link-local-only-metadata',
    defect: 'Of the link-local addresses only that of the credentials is refused.',
    file: ADDRESS,
    find: "'169.254.0.0/16'",
    replace: "'169.254.169.254/32'",
    breaks: ['target.link-local'],
  },
  ...['100.100.100.200/32', 'fd00:ec2::254/128'].map((network) => ({
    id: `metadata-fine-${network.replaceAll(/[^0-9a-f]/g, '-')}`,
    defect: `The metadata address ${network} is fine.`,
    file: ADDRESS,
    find: `    '${network}',\n`,
    replace: '',
    breaks: ['target.metadata'],
  })),
  {
    id: 'host-read-as-text',
    defect: 'An address is judged as it is written in the URL.',
    file: URL_CHECK,
    find: 'addressRefusal(host)',
    replace: 'addressRefusal(text.includes(host) ? host : "10.0.0.1")',
    breaks: ['target.spelled-otherwise', 'target.wrapped'],
  },
  ...(
    [
      ['nat64', '64:ff9b::${high}:${low}'],
      ['six-to-four', '2002:${high}:${low}::'],
    ] as const
  ).map(([name, form]) => ({
    id: `wrapped-fine-${name}`,
    defect: `An IPv4 address wrapped as ${name} is fine.`,
    file: LIST,
    find: `[\`${form}\``,
    replace: `[\`2001:db8::\${high}:\${low}\``,
    breaks: ['target.wrapped'],
  })),
  {
    id: 'own-port-anywhere-else',
    defect: 'The own port is refused at 127.0.0.1 alone.',
    file: ADDRESS,
    find: "'127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'",
    replace: "'127.0.0.1/32'",
    breaks: ['target.itself'],
  },
  {
    id: 'own-port-by-name',
    defect: 'The own port may be named by localhost.',
    file: URL_CHECK,
    find: 'const own = LOCALHOST.test(host) &&',
    replace: 'const own = false &&',
    breaks: ['target.itself'],
  },
  {
    id: 'own-port-not-known',
    defect: 'The ports that the server listens at are not known.',
    file: 'server-reference/dist/create-server.js',
    find: 'ownPorts.add(listener.port);',
    replace: '',
    breaks: ['target.changed', 'target.itself'],
  },
  {
    id: 'changed-url-not-judged',
    defect: 'A URL that is changed is not judged.',
    file: ROUTES,
    find: 'refuseUnsendable(body, ownPorts);\n            const endpoint = await store.commit((state) => {\n                const found',
    replace:
      'refuseUnsendable({ headers: body.headers }, ownPorts);\n            const endpoint = await store.commit((state) => {\n                const found',
    breaks: ['target.changed'],
  },
  {
    id: 'changed-headers-not-judged',
    defect: 'Headers that are changed are not judged.',
    file: ROUTES,
    find: 'refuseUnsendable(body, ownPorts);\n            const endpoint = await store.commit((state) => {\n                const found',
    replace:
      'refuseUnsendable({ url: body.url }, ownPorts);\n            const endpoint = await store.commit((state) => {\n                const found',
    breaks: ['header.changed'],
  },
  {
    id: 'headers-never-replaced',
    defect: 'Headers that are changed are added to those that are there.',
    file: ROUTES,
    find: 'Object.assign(found, body);',
    replace: 'Object.assign(found, body, { headers: { ...found.headers, ...body.headers } });',
    breaks: ['header.replaced'],
  },
  {
    id: 'url-with-fragment',
    defect: 'A URL may carry a fragment.',
    file: URL_CHECK,
    find: "url.hash !== ''",
    replace: 'false',
    breaks: ['target.form'],
  },
  ...(
    [
      ['control-characters', '[\\s\\p{Cc}]', ' '],
      ['blanks', '[\\s\\p{Cc}]', '\\p{Cc}'],
    ] as const
  ).map(([name, find, replace]) => ({
    id: `url-with-${name}`,
    defect: `A URL may have ${name}.`,
    file: URL_CHECK,
    find,
    replace,
    breaks: ['target.form'],
  })),
  {
    id: 'url-of-any-scheme',
    defect: 'A URL may have any scheme.',
    file: URL_CHECK,
    find: "url.protocol !== 'http:' &&",
    replace: 'false &&',
    breaks: ['target.form'],
  },
  {
    id: 'private-networks-refused',
    defect: 'Private networks are refused.',
    file: ADDRESS,
    find: "'169.254.0.0/16',",
    replace: "'169.254.0.0/16', '10.0.0.0/8',",
    breaks: ['target.fine'],
  },
  {
    id: 'address-not-judged-when-sent',
    defect: 'An address is not judged when it is sent to.',
    file: TARGET,
    find: 'refusal ?? ownPortRefusal(host, port, ownPorts), reachable',
    replace: 'refusal, reachable',
    breaks: ['target.when-sent'],
  },
  {
    id: 'name-not-judged-when-sent',
    defect: 'What a name leads to is not judged.',
    file: 'server-reference/dist/platform/sender/target/guarded-lookup.js',
    find: 'if (refusal !== null)',
    replace: 'if (false)',
    breaks: ['target.when-sent'],
  },
  {
    id: 'refused-target-tried-again',
    defect: 'A target that is refused is tried again.',
    file: 'server-reference/dist/platform/sender/retry.js',
    find: "if (outcome.kind === 'refused')",
    replace: 'if (false)',
    breaks: ['target.when-sent'],
  },
  ...(['expect', 'host'] as const).map((name) => ({
    id: `custom-header-${name}`,
    defect: `A custom header may be ${name}.`,
    file: HEADERS,
    find: `    '${name}',\n`,
    replace: '',
    breaks: name === 'host' ? ['header.changed', 'header.reserved'] : ['header.reserved'],
  })),
  {
    id: 'custom-header-in-capitals',
    defect: 'A custom header may be one that the sender writes, in another case.',
    file: HEADERS,
    find: 'RESERVED.has(lower)',
    replace: 'RESERVED.has(name)',
    breaks: ['header.changed', 'header.reserved'],
  },
  {
    id: 'custom-header-any-name',
    defect: 'A custom header may have any name.',
    file: HEADERS,
    find: '!NAME.test(name)',
    replace: 'name === ""',
    breaks: ['header.name'],
  },
  {
    id: 'custom-header-smuggles-lines',
    defect: 'The value of a custom header may have a line feed.',
    file: HEADERS,
    find: '\\t]{0,4000}',
    replace: '\\t\\n]{0,4000}',
    breaks: ['header.value'],
  },
  {
    id: 'custom-headers-without-bound',
    defect: 'There may be 21 custom headers.',
    file: HEADERS,
    find: 'MOST_HEADERS = 20',
    replace: 'MOST_HEADERS = 21',
    breaks: ['header.number'],
  },
  {
    id: 'custom-header-twice',
    defect: 'A custom header may be given twice, in another case.',
    file: HEADERS,
    find: 'else if (seen.has(lower))',
    replace: 'else if (false)',
    breaks: ['header.twice'],
  },
];
