import type { JSX } from 'preact';

import { CopyButton } from '../../parts/command.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { FRAMEWORK_NAMES, snippetOf } from './frameworks.ts';

interface SnippetsProps {
  readonly secret: string;
  /** Whether the page shows the secret. A copy always contains it. */
  readonly isShown: boolean;
}

/** An app for each framework that receives the events of an endpoint. */
export function Snippets({ secret, isShown }: SnippetsProps): JSX.Element {
  const tabs = FRAMEWORK_NAMES.map((name) => ({
    name,
    view: () => (
      <div class="content">
        <div class="content-head">
          <h3>{`Receive its events with ${name}`}</h3>
          <CopyButton text={snippetOf(name, secret)} title="Copy the code with the secret" />
        </div>
        <pre tabIndex={0}>{snippetOf(name, isShown ? secret : 'whsec_…')}</pre>
      </div>
    ),
  }));
  return <Tabs label="Framework" tabs={tabs} />;
}
