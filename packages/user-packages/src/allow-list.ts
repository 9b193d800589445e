/**
 * The packages that user code may require beside Node's own modules. To add an npm package, install its exact version in
 * this workspace and add a line to the list below.
 */
export interface AllowedPackage {
  /** The name that user code requires. */
  readonly name: string;
  /** As in package.json. Absent for this project's own modules. */
  readonly version?: string;
  readonly why: string;
  /** Paths below the package that may be required too; `*` matches any file there. */
  readonly paths?: readonly string[];
  /** Aliases. */
  readonly aliases?: readonly string[];
  /**
   * Bundled instead of the package's main file, if that reads files beside it. `./` means a module of this folder.
   */
  readonly main?: string;
}

/** Sorted by name. */
export const allowList: readonly AllowedPackage[] = [
  { name: '@adyen/api-library', version: '10.3.0', why: 'payments with Adyen' },
  {
    name: '@basis-theory/basis-theory-js',
    version: '1.79.3',
    why: 'code that brings its own client of the API',
  },
  {
    name: '@basis-theory/basis-theory-reactor-formulas-sdk-js',
    why: 'errors that say what the caller is answered; made from their documentation',
    main: './reactor-errors.ts',
    aliases: ['@glovebox/reactor-errors'],
  },
  {
    name: '@glovebox/sdk',
    why: 'the client of this service; `req.bt` is an instance of it',
    main: './sdk.ts',
  },
  { name: 'aws-sdk', version: '2.1693.0', why: 'AWS', paths: ['clients/*', 'global'] },
  { name: 'axios', version: '0.27.2', why: 'HTTP client' },
  { name: 'braintree', version: '3.40.0', why: 'payments with Braintree' },
  {
    name: 'crypto-js',
    version: '4.2.0',
    why: 'ciphers and hashes of code written for browsers',
    paths: ['*'],
  },
  { name: 'csv-parse', version: '5.6.0', why: 'CSV in', paths: ['sync'] },
  { name: 'dropbox', version: '10.34.0', why: 'files at Dropbox' },
  { name: 'dwolla-v2', version: '3.4.2', why: 'payments with Dwolla' },
  { name: 'exceljs', version: '4.4.0', why: 'Excel in and out' },
  { name: 'fast-xml-parser', version: '4.5.7', why: 'XML in and out' },
  { name: 'jose', version: '4.15.9', why: 'JWS, JWE, JWK on Web Crypto' },
  {
    name: 'json-stable-stringify',
    version: '1.3.0',
    why: 'JSON whose text is always the same, for signatures',
  },
  { name: 'jsonpath', version: '1.3.0', why: 'JSONPath', main: 'jsonpath/jsonpath.js' },
  { name: 'jsonwebtoken', version: '9.0.3', why: 'JWT' },
  { name: 'jszip', version: '3.10.2', why: 'ZIP in and out' },
  { name: 'lodash', version: '4.18.1', why: 'helpers', paths: ['*', 'fp/*'] },
  { name: 'mastercard-client-encryption', version: '1.10.8', why: 'payloads encrypted for Mastercard' },
  { name: 'mastercard-oauth1-signer', version: '1.2.0', why: 'requests signed for Mastercard' },
  { name: 'node-fetch', version: '2.7.0', why: 'HTTP client' },
  { name: 'node-forge', version: '1.4.3', why: 'TLS, X.509, PKCS in JavaScript' },
  { name: 'node-jose', version: '2.2.0', why: 'JWS, JWE, JWK' },
  { name: 'openpgp', version: '5.9.0', why: 'OpenPGP' },
  { name: 'p-limit', version: '3.1.0', why: 'promises, so many at a time' },
  { name: 'pdf-lib', version: '1.17.1', why: 'PDF changed' },
  { name: 'pdfkit', version: '0.20.2', why: 'PDF made' },
  { name: 'snakecase-keys', version: '5.5.0', why: 'keys in snake_case' },
  { name: 'soap', version: '1.1.11', why: 'SOAP client' },
  { name: 'split2', version: '4.2.0', why: 'streams line by line' },
  { name: 'ssh2', version: '1.17.0', why: 'SSH and SFTP client' },
  { name: 'stripe', version: '8.222.0', why: 'payments with Stripe' },
  { name: 'tesseract.js', version: '2.1.5', why: 'text in images' },
  { name: 'twilio', version: '4.23.0', why: 'messages with Twilio' },
  { name: 'uuid', version: '8.3.2', why: 'UUIDs' },
  { name: 'xmlbuilder2', version: '3.1.1', why: 'XML out and in' },
  { name: 'yup', version: '1.7.1', why: 'schemas' },
];
