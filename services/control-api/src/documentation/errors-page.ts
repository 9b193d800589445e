import { type ErrorCode, errorCodes } from '@glovebox/platform/errors/app-error';
import { statusOf } from '@glovebox/platform/errors/http';

import { errorHelp } from './error-help.ts';

/** The page to which the `doc_url` of each error links, with an anchor for each code. */
export const errorsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Glovebox errors</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <style>
      body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }
      section:target { background: #fff7d6; outline: 0.5rem solid #fff7d6; }
      dt { font-weight: bold; }
    </style>
  </head>
  <body>
    <h1>Errors</h1>
    <p>
      Every error has a <code>code</code>, a <code>trace_id</code> that identifies the request in the logs, and a
      <code>detail</code> that says what is wrong. <a href="/docs">API reference</a>
    </p>
${errorCodes.map(sectionOf).join('\n')}
  </body>
</html>
`;

function sectionOf(code: ErrorCode): string {
  const { meaning, retry, remedy } = errorHelp[code];
  return `    <section id="${code}">
      <h2><code>${code}</code> (${statusOf(code)})</h2>
      <p>${meaning}</p>
      <dl>
        <dt>What to do</dt>
        <dd>${remedy}</dd>
        <dt>Can you retry the same request?</dt>
        <dd>${retry}</dd>
      </dl>
    </section>`;
}
