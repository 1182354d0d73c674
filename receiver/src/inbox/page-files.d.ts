/** The script and the style of the page, which `receiver/page/bundle.mjs` writes. */
export const SCRIPT: string;
export const STYLE: string;
