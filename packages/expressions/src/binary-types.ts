/** Top-level types of which every subtype is binary, but for those with a textual suffix. */
const topLevels = new Set(['audio', 'font', 'image', 'model', 'video']);

/** Subtypes of `application`, without a leading `x-`. */
const subtypes = new Set(
  [
    'binary octet-stream wasm java-serialized-object pkcs12 pkcs7-mime pkcs7-signature pkcs8',
    '7z-compressed bzip bzip2 gtar gzip java-archive rar tar vnd.rar xz zip zip-compressed zstd',
    'avro bson cbor messagepack msgpack protobuf protobuffer thrift vnd.google.protobuf vnd.msgpack',
    'vnd.apache.arrow.file vnd.apache.arrow.stream vnd.apache.parquet vnd.sqlite3',
    'msword pdf',
  ].flatMap((line) => line.split(' ')),
);

const subtypePrefixes = ['vnd.ms-', 'vnd.openxmlformats-', 'vnd.oasis.opendocument.'];

const suffixes = ['+ber', '+cbor', '+der', '+gzip', '+protobuf', '+sqlite3', '+wasm', '+zip', '+zstd'];

/** gRPC and gRPC-web frame their messages in binary, whatever is in them; only `-text` is base64. */
const grpc = /^application\/grpc(?!-web-text)/;

/**
 * Whether a media type says that its bytes are not text. A type that is not known here is text.
 *
 * @param essence type and subtype, in lower case, without parameters
 */
export function isBinaryType(essence: string): boolean {
  if (grpc.test(essence)) return true;
  if (essence.endsWith('+json') || essence.endsWith('+xml')) return false;
  const slash = essence.indexOf('/');
  const type = essence.slice(0, Math.max(slash, 0));
  if (topLevels.has(type) || suffixes.some((suffix) => essence.endsWith(suffix))) return true;
  const subtype = essence.slice(slash + 1);
  return (
    type === 'application' &&
    (subtypes.has(subtype.replace(/^x-/, '')) || subtypePrefixes.some((prefix) => subtype.startsWith(prefix)))
  );
}
