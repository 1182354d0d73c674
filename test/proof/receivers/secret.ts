/** The secret of every receiver of the proof. */
export const SECRET = 'whsec_N0hxT2tWd0p6UXh0R2ZMcEJuWXNSZA==';
