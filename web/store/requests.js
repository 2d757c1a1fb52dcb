// What is asked of the server, and how its answers come back.

export class RefusedError extends Error {
  constructor(status, content) {
    super(content.error ?? `status ${status}`);
    this.status = status;
    this.ids = content.ids ?? [];
  }
}

async function readAnswer(answer) {
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new RefusedError(answer.status, content);
  return content;
}

// An answer of the server, whatever it says; an error that says what to do where there is none.
async function reach(address, options) {
  try {
    return await fetch(address, options);
  } catch {
    throw new Error("The server does not answer: is corefeval serve still running? Every edit that it has confirmed is kept.");
  }
}

function writeQuery(fields) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined && each !== null) query.append(name, each);
  }
  return query;
}

export async function ask(path, fields = {}) {
  return readAnswer(await reach(`${path}?${writeQuery(fields)}`));
}

export async function tell(path, body) {
  const headers = { "content-type": "application/json" };
  return readAnswer(await reach(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

export function addressOf(project, path = "", fields = {}) {
  const query = writeQuery(fields).toString();
  return `/api/projects/${encodeURIComponent(project)}${path}${query ? `?${query}` : ""}`;
}
