/** An issue of a response of the control interface. */
interface Issue {
  readonly field: string;
  readonly message: string;
}

/** Calls an operation of a control interface and returns its body. */
export type ControlCall = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Returns the calls of a control interface. They reject with what `explain` returns for an error response. */
export function controlCalls(
  { controlUrl, controlToken }: { readonly controlUrl: string; readonly controlToken: string },
  explain: (issue: Issue, status: number) => Error,
): ControlCall {
  return async (method, path, body) => {
    const response = await fetch(controlUrl + path, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    const { issues }: { issues: Issue[] } = JSON.parse(text);
    const [issue = { field: path, message: 'was refused' }] = issues;
    throw explain(issue, response.status);
  };
}
