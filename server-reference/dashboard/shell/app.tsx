import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';

import { address, followLink, pathOf, WORLD } from '../address.ts';
import { PAGES } from '../pages/pages.ts';
import { Empty } from '../parts/command.tsx';
import { valueOf } from '../parts/loaded.tsx';
import { Notices } from '../parts/notice.tsx';
import { StartRun } from '../parts/start-run.tsx';
import { useCounts } from '../rows/counts.ts';
import { token } from '../session.ts';
import { Help } from './help.tsx';
import { SignIn } from './sign-in.tsx';
import { TopBar } from './top-bar.tsx';

/** The whole page. */
export function App(): JSX.Element {
  const name = address.value.page;
  const page = PAGES.find((one) => one.name === name);
  const title = page?.title ?? 'Not found';
  useEffect(() => {
    document.title = `${title} · Hookproof`;
  }, [title]);
  if (token.value === null) return <SignIn />;
  return (
    <div class="app" onClick={followLink}>
      <TopBar />
      <Rail />
      <main>
        <h1 class="visually-hidden">{title}</h1>
        {page?.view() ?? <Empty title="There is no such page" />}
      </main>
      <Notices />
      <Help />
      <StartRun />
    </div>
  );
}

/** The links to the pages, with what went wrong there. */
function Rail(): JSX.Element {
  const { page, filters } = address.value;
  const failed = valueOf(useCounts({ worldId: filters[WORLD] }))?.ended ?? 0;
  return (
    <nav class="rail" aria-label="Pages">
      {PAGES.map(({ name, title, key }) => (
        <a
          key={name}
          href={pathOf({ page: name })}
          aria-current={name === page ? 'page' : undefined}
          title={`g ${key}`}
        >
          {title}
          {name === 'deliveries' && failed > 0 && (
            <span class="count failed" title={`${failed} failed`}>
              {failed}
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}
