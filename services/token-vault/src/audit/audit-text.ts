const maxLength = 200;
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/g;

/** Text of a caller's choice as it goes into the audit log: bounded, and nothing that Postgres refuses. */
export function auditText(text: string): string | null {
  return text === '' ? null : text.slice(0, maxLength).replace(controls, '?');
}
