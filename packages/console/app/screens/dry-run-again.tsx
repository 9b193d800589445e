import { useState } from 'react';
import { Link } from 'wouter';

import type { Invocation } from '../api/invocation-models.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { TextArea } from '../parts/fields.tsx';
import { texts } from '../texts.ts';

const words = texts.dryRun;
const firstArgs = { number: '{{<token id>}}' };

/**
 * How to see what the same request would meet with now. What was sent is not kept, and people have no key of the data
 * plane: so it is a command, with the proxy or reactor filled in.
 */
export function DryRunAgain({ invocation: { subject } }: { readonly invocation: Invocation }) {
  const { type, id } = subject;
  const isProxy = type === 'proxy';
  const [body, setBody] = useState(() => JSON.stringify(isProxy ? firstArgs : { args: firstArgs }));
  if (id === undefined) return null;
  const request = isProxy ? 'POST /proxy' : `POST /reactors/${id}/react`;
  return (
    <section aria-labelledby="dry-run">
      <div className="head">
        <h2 id="dry-run">{words.title}</h2>
        <span className="grow" />
        <CopyAs
          request={request}
          withApiKey
          headers={[
            'SVC-Dry-Run: true',
            'Content-Type: application/json',
            ...(isProxy ? [`SVC-PROXY-ID: ${id}`] : []),
          ]}
          body={body}
          cli={['dry-run', type, id, '--body', 'body.json']}
        />
      </div>
      <p className="soft">{words.hint}</p>
      <TextArea label={words.body} rows={3} value={body} onChange={setBody} />
      <p>
        <Link href={`/${isProxy ? 'proxies' : 'reactors'}/${id}?tab=code`}>{words.tryCode}</Link>
      </p>
    </section>
  );
}
