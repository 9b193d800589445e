/** Fields of variable length begin with their length. */
const llvar = (text) => String(text.length).padStart(2, '0') + text;

/** The message of these fields, with a primary bitmap. */
function message(type, fields) {
  const numbers = Object.keys(fields)
    .map(Number)
    .sort((one, other) => one - other);
  const bits = Array.from({ length: 64 }, (_, at) => (numbers.includes(at + 1) ? '1' : '0')).join('');
  const bitmap = bits
    .match(/.{4}/g)
    .map((four) => parseInt(four, 2).toString(16))
    .join('')
    .toUpperCase();
  return type + bitmap + numbers.map((number) => fields[number]).join('');
}

module.exports = async (req) => {
  const { amount, currency, stan, card } = req.args.body;
  const expiry = String(card.expiration_year).slice(-2) + String(card.expiration_month).padStart(2, '0');
  return {
    headers: { 'Content-Type': 'text/plain' },
    body: message('0100', {
      2: llvar(card.number),
      3: '000000',
      4: String(amount).padStart(12, '0'),
      11: stan,
      14: expiry,
      49: currency,
    }),
  };
};
