import type { JSX } from 'preact';

import { isOld, isRefused, setToken } from '../session.ts';

/** Asks for the control token, when the address brought none. */
export function SignIn(): JSX.Element {
  return (
    <main class="sign-in">
      <h1>Hookproof</h1>
      <p>
        {reason()} Open the dashboard address that <code>hookproof serve</code> printed, or paste
        the token.
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

function reason(): string {
  if (!isRefused.value) return 'This page needs the control token.';
  return isOld.value
    ? 'The token is old: the server was started again, and has another one.'
    : 'The server refused the token.';
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLFormElement)) return;
  const given = new FormData(event.currentTarget).get('token');
  // The user may paste the whole address.
  if (typeof given === 'string') setToken(given.trim().replace(/^.*#/, ''));
}
