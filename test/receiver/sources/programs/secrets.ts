/** The secrets of the four senders. */
export const SECRETS = {
  runs: 'whsec_of_the_platform',
  stripe: 'whsec_a_secret_of_stripe',
  crm: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  code: "It's a Secret to Everybody",
} as const;
