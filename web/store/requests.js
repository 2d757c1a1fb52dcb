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

function writeQuery(fields) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined && each !== null) query.append(name, each);
  }
  return query;
}

export async function ask(path, fields = {}) {
  return readAnswer(await fetch(`${path}?${writeQuery(fields)}`));
}

export async function tell(path, body) {
  const headers = { "content-type": "application/json" };
  return readAnswer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

export function addressOf(project, path = "", fields = {}) {
  const query = writeQuery(fields).toString();
  return `/api/projects/${encodeURIComponent(project)}${path}${query ? `?${query}` : ""}`;
}
