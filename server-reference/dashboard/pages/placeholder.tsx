import { Empty } from '../parts/command.tsx';
import type { Page } from '../parts/page.tsx';

/** A page that is not written yet. */
export function placeholder(name: string, title: string, key: string): Page {
  return { name, title, key, view: () => <Empty title={title} /> };
}
