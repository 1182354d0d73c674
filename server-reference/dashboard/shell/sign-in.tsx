import type { JSX } from 'preact';

import { setToken, verdict } from '../session.ts';

/** Asks for the control token, when the address brought none. */
export function SignIn(): JSX.Element {
  return (
    <main class="sign-in">
      <h1>Hookproof</h1>
      {verdict.value === 'old' ? <Restarted /> : <NoToken />}
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

function Restarted(): JSX.Element {
  return (
    <>
      <h2>The server was restarted, and has a new token</h2>
      <p>
        Press <kbd>o</kbd> in the terminal of <code>hookproof serve</code>, which opens the new
        address. Or copy that address, and paste it here to stay on this page.
      </p>
      <p>
        With <code>--data FOLDER</code> the server keeps its token and everything else.
      </p>
    </>
  );
}

function NoToken(): JSX.Element {
  return (
    <p>
      {verdict.value === 'refused'
        ? 'The server refused the token.'
        : 'This page needs the control token.'}{' '}
      Open the dashboard address that <code>hookproof serve</code> printed, or paste the address or
      its token.
    </p>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  if (!(event.currentTarget instanceof HTMLFormElement)) return;
  const given = new FormData(event.currentTarget).get('token');
  // The user may paste the whole address.
  if (typeof given === 'string') setToken(given.trim().replace(/^.*#/, ''));
}
