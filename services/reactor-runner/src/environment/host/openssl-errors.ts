/** How OpenSSL 1.1.1, which Node.js 16 has, tells what OpenSSL 3 tells otherwise. By the newer one's reason. */
const older: Readonly<
  Record<
    string,
    {
      readonly code: string;
      readonly number: string;
      readonly library: string;
      readonly function: string;
      readonly reason: string;
    }
  >
> = {
  'bad decrypt': {
    code: 'ERR_OSSL_EVP_BAD_DECRYPT',
    number: '06065064',
    library: 'digital envelope routines',
    function: 'EVP_DecryptFinal_ex',
    reason: 'bad decrypt',
  },
  'wrong final block length': {
    code: 'ERR_OSSL_EVP_WRONG_FINAL_BLOCK_LENGTH',
    number: '0606506D',
    library: 'digital envelope routines',
    function: 'EVP_DecryptFinal_ex',
    reason: 'wrong final block length',
  },
  unsupported: {
    code: 'ERR_OSSL_PEM_NO_START_LINE',
    number: '0909006C',
    library: 'PEM routines',
    function: 'get_name',
    reason: 'no start line',
  },
};

export interface OlderError {
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What Node.js 16 would have said, where user code is known to ask for it. */
export function asOlderOpenssl(error: Error): OlderError | undefined {
  const { reason, library } = error as { reason?: unknown; library?: unknown };
  if (typeof reason !== 'string' || !Object.hasOwn(older, reason)) return undefined;
  if (reason === 'unsupported' && library !== 'DECODER routines') return undefined;
  const found = older[reason];
  if (found === undefined) return undefined;
  const { number, ...fields } = found;
  return { message: `error:${number}:${fields.library}:${fields.function}:${fields.reason}`, fields };
}
