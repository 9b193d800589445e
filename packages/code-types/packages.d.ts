// Made by `npm run reference` from packages/user-packages/src/allow-list.ts.

/** 10.3.0: payments with Adyen. */
declare module '@adyen/api-library';

/** 1.79.3: code that brings its own client of the API. */
declare module '@basis-theory/basis-theory-js';

/** Ours: the client of this service; `req.bt` is an instance of it. */
declare module '@glovebox/sdk';

/** 2.1693.0: AWS. */
declare module 'aws-sdk';

/** 2.1693.0: AWS. */
declare module 'aws-sdk/clients/*';

/** 2.1693.0: AWS. */
declare module 'aws-sdk/global';

/** 0.27.2: HTTP client. */
declare module 'axios';

/** 3.40.0: payments with Braintree. */
declare module 'braintree';

/** 4.2.0: ciphers and hashes of code written for browsers. */
declare module 'crypto-js';

/** 4.2.0: ciphers and hashes of code written for browsers. */
declare module 'crypto-js/*';

/** 5.6.0: CSV in. */
declare module 'csv-parse';

/** 5.6.0: CSV in. */
declare module 'csv-parse/sync';

/** 10.34.0: files at Dropbox. */
declare module 'dropbox';

/** 3.4.2: payments with Dwolla. */
declare module 'dwolla-v2';

/** 4.4.0: Excel in and out. */
declare module 'exceljs';

/** 4.5.7: XML in and out. */
declare module 'fast-xml-parser';

/** 4.15.9: JWS, JWE, JWK on Web Crypto. */
declare module 'jose';

/** 1.3.0: JSON whose text is always the same, for signatures. */
declare module 'json-stable-stringify';

/** 1.3.0: JSONPath. */
declare module 'jsonpath';

/** 9.0.3: JWT. */
declare module 'jsonwebtoken';

/** 3.10.2: ZIP in and out. */
declare module 'jszip';

/** 4.18.1: helpers. */
declare module 'lodash';

/** 4.18.1: helpers. */
declare module 'lodash/*';

/** 4.18.1: helpers. */
declare module 'lodash/fp/*';

/** 1.10.8: payloads encrypted for Mastercard. */
declare module 'mastercard-client-encryption';

/** 1.2.0: requests signed for Mastercard. */
declare module 'mastercard-oauth1-signer';

/** 2.7.0: HTTP client. */
declare module 'node-fetch';

/** 1.4.3: TLS, X.509, PKCS in JavaScript. */
declare module 'node-forge';

/** 2.2.0: JWS, JWE, JWK. */
declare module 'node-jose';

/** 5.9.0: OpenPGP. */
declare module 'openpgp';

/** 3.1.0: promises, so many at a time. */
declare module 'p-limit';

/** 1.17.1: PDF changed. */
declare module 'pdf-lib';

/** 0.20.2: PDF made. */
declare module 'pdfkit';

/** 5.5.0: keys in snake_case. */
declare module 'snakecase-keys';

/** 1.1.11: SOAP client. */
declare module 'soap';

/** 4.2.0: streams line by line. */
declare module 'split2';

/** 1.17.0: SSH and SFTP client. */
declare module 'ssh2';

/** 8.222.0: payments with Stripe. */
declare module 'stripe';

/** 2.1.5: text in images. */
declare module 'tesseract.js';

/** 4.23.0: messages with Twilio. */
declare module 'twilio';

/** 8.3.2: UUIDs. */
declare module 'uuid';

/** 3.1.1: XML out and in. */
declare module 'xmlbuilder2';

/** 1.7.1: schemas. */
declare module 'yup';
