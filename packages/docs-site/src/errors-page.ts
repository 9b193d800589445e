import { type ErrorCode, errorCodes } from '@glovebox/platform/errors/app-error';
import { statusOf } from '@glovebox/platform/errors/http';

import { errorHelp } from './error-help.ts';
import { escapeHtml } from './html.ts';
import type { RenderedPage } from './markdown.ts';

/** The page to which the `doc_url` of each error links, with an anchor for each code. */
export function errorsPage(): RenderedPage {
  const headings = errorCodes.map((code) => ({ level: 2, text: code, anchor: code }));
  const sections = errorCodes.map((code) => {
    const { meaning, remedy } = errorHelp[code];
    return { heading: `${code} (${statusOf(code)})`, anchor: code, text: `${meaning} ${remedy}` };
  });
  const html = `<h1>Errors</h1>
<p>Every error has a <code>code</code>, a <code>trace_id</code> that identifies the request in the logs, and a
<code>detail</code> that says what is wrong. The <a href="/docs/contract/errors">contract</a> has their shape.</p>
${errorCodes.map(sectionOf).join('\n')}`;
  return { title: 'Errors', html, headings, sections };
}

function sectionOf(code: ErrorCode): string {
  const { meaning, retry, remedy } = errorHelp[code];
  return `<section class="error"><h2 id="${code}"><code>${code}</code> (${statusOf(code)})</h2>
<p>${escapeHtml(meaning)}</p>
<dl><dt>What to do</dt><dd>${escapeHtml(remedy)}</dd>
<dt>Can you retry the same request?</dt><dd>${escapeHtml(retry)}</dd></dl></section>`;
}
