/**
 * What to do when an app refuses a correct delivery with 401 or 403 and does not name a code of the receiver.
 *
 * @example
 * ```ts
 * import { REFUSAL_FIX } from '@hookproof/spec/control';
 *
 * console.log(REFUSAL_FIX); // Look for what answers before the webhook route: ...
 * ```
 */
export const REFUSAL_FIX: string =
  'Look for what answers before the webhook route: a login, CSRF protection or an address filter must let its POST pass. If the app itself refused, give it the secret of this endpoint, and verify the bytes as received, before a parser (express.raw(), request.arrayBuffer()).';

/** Why no connection to an app was made, and what to do. */
interface ConnectionProblem {
  readonly evidence: string;
  readonly fix: string;
}

const TRUST =
  'Use http for a local app, or set NODE_EXTRA_CA_CERTS to the certificate of its authority before you start the sender.';
const UNTRUSTED = {
  evidence: 'No authority that this machine trusts has signed the certificate of the app.',
  fix: TRUST,
};
const NO_TLS = {
  evidence: 'The port does not speak TLS.',
  fix: 'Use http in the URL, or the port that speaks TLS.',
};

/**
 * By the code of an error of Node.js while it connects to an app.
 *
 * @example
 * ```ts
 * import { CONNECTION_PROBLEMS } from '@hookproof/spec/control';
 *
 * console.log(CONNECTION_PROBLEMS.get('EPROTO')?.fix); // Use http in the URL, ...
 * ```
 */
export const CONNECTION_PROBLEMS: ReadonlyMap<string, ConnectionProblem> = new Map(
  Object.entries({
    ECONNREFUSED: {
      evidence: 'Nothing listens at the host and port of the URL.',
      fix: 'Start the app, or correct the URL.',
    },
    ENOTFOUND: { evidence: 'The host of the URL has no address.', fix: 'Correct the URL.' },
    EAI_AGAIN: {
      evidence: 'The host of the URL could not be looked up.',
      fix: 'Correct the URL, or look for the network of this machine.',
    },
    EHOSTUNREACH: {
      evidence: 'No route leads to the host of the URL.',
      fix: 'Correct the URL.',
    },
    ENETUNREACH: {
      evidence: 'No route leads to the network of the URL.',
      fix: 'Correct the URL.',
    },
    DEPTH_ZERO_SELF_SIGNED_CERT: {
      evidence: 'The certificate of the app is self-signed.',
      fix: 'Use http for a local app, or set NODE_EXTRA_CA_CERTS to the certificate before you start the sender.',
    },
    SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
    CERT_HAS_EXPIRED: {
      evidence: 'The certificate of the app has expired.',
      fix: 'Renew the certificate.',
    },
    ERR_TLS_CERT_ALTNAME_INVALID: {
      evidence: 'The certificate of the app is for another host.',
      fix: 'Use a host of the certificate in the URL.',
    },
    EPROTO: NO_TLS,
    ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
    ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
    HPE_INVALID_CONSTANT: {
      evidence: 'The response is not HTTP. The port may speak TLS.',
      fix: 'Use https in the URL, or the port that speaks HTTP.',
    },
  }),
);
