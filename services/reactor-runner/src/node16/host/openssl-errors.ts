/** What OpenSSL 1.1.1 says of encryption, and the newer one only of decryption. */
const notMultiple = 'data not multiple of block length';

const noStartLine = {
  code: 'ERR_OSSL_PEM_NO_START_LINE',
  number: '0909006C',
  library: 'PEM routines',
  function: 'get_name',
  reason: 'no start line',
};

/** Errors of OpenSSL 1.1.1 (Node.js 16), by the reason that OpenSSL 3 gives instead. */
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
  [notMultiple]: {
    code: 'ERR_OSSL_EVP_DATA_NOT_MULTIPLE_OF_BLOCK_LENGTH',
    number: '0607F08A',
    library: 'digital envelope routines',
    function: 'EVP_EncryptFinal_ex',
    reason: notMultiple,
  },
  'mismatching domain parameters': {
    code: 'ERR_OSSL_EVP_DIFFERENT_PARAMETERS',
    number: '0609B099',
    library: 'digital envelope routines',
    function: 'EVP_PKEY_derive_set_peer',
    reason: 'different parameters',
  },
  unsupported: noStartLine,
  'no start line': noStartLine,
};

export interface OlderError {
  readonly name?: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What Node.js 16 would have said, where user code is known to ask for it. */
export function asOlderOpenssl(error: Error): OlderError | undefined {
  const { reason, library }: { reason?: unknown; library?: unknown } = Object(error);
  if (reason === 'interrupted or cancelled') {
    const message = 'Passphrase required for encrypted key';
    return { name: 'TypeError', message, fields: { code: 'ERR_MISSING_PASSPHRASE' } };
  }
  if (typeof reason !== 'string' || !Object.hasOwn(older, reason)) return undefined;
  if (reason === 'unsupported' && library !== 'DECODER routines') return undefined;
  const found = older[reason];
  if (found === undefined) return undefined;
  const { number, ...fields } = found;
  return { message: `error:${number}:${fields.library}:${fields.function}:${fields.reason}`, fields };
}

/** What ends an encryption says what that version said of it. @throws what it throws */
export function endEncryption<Output>(end: () => Output): Output {
  try {
    return end();
  } catch (error) {
    const { reason }: { reason?: unknown } = Object(error);
    if (reason === 'wrong final block length') Object.assign(Object(error), { reason: notMultiple });
    throw error;
  }
}
