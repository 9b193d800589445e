import { texts } from '../texts.ts';

const freshMs = 5 * 60_000;

/** Whether a sign-in is recent enough to see values. */
export const isFresh = (signedInAt: string) => Date.now() - Date.parse(signedInAt) <= freshMs;

/** Leads to the identity provider, and back to this page. */
export function Stale() {
  const page = location.pathname + location.search;
  return (
    <>
      <p>{texts.tokens.stale}</p>
      <p>
        <a className="button primary" href={`/console/session/login?return_to=${encodeURIComponent(page)}`}>
          {texts.tokens.signInAgain}
        </a>
      </p>
    </>
  );
}
