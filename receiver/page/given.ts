const root = document.getElementById('app');
if (root === null) throw new Error('The page has no place for the app.');

/** The element that the app is in. */
export const container: HTMLElement = root;

/** What the server wrote into the page. */
export const given: {
  readonly token: string;
  readonly showsPayloads: boolean;
} = {
  token: root.dataset['token'] ?? '',
  showsPayloads: root.dataset['payloads'] === 'true',
};
