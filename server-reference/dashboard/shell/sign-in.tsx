import type { JSX } from 'preact';

import { isRefused, setToken } from '../session.ts';

/** Asks for the control token, when the address brought none. */
export function SignIn(): JSX.Element {
  return (
    <main class="sign-in">
      <h1>Hookproof</h1>
      <p>
        {isRefused.value
          ? 'The server refused the token. It may have started again with another one.'
          : 'This page needs the control token.'}{' '}
        Open the dashboard address that <code>hookproof serve</code> printed, or paste the token.
      </p>
      <form onSubmit={submit}>
        <label>
          Control token
          <input name="token" type="password" autocomplete="off" placeholder="hpc_…" required />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </main>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLFormElement)) return;
  const given = new FormData(event.currentTarget).get('token');
  // The user may paste the whole address.
  if (typeof given === 'string') setToken(given.trim().replace(/^.*#/, ''));
}
