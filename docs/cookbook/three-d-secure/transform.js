module.exports = async (req) => {
  const { card, authentication, ...payment } = req.args.body;
  const { eci, cryptogram, version, ds_transaction_id: xid } = authentication;
  if (!['02', '05'].includes(eci)) throw new Error('The cardholder is not authenticated.');
  return {
    headers: { Authorization: `Bearer ${req.configuration.SECRET_KEY}`, 'Content-Type': 'application/json' },
    body: {
      ...payment,
      source: {
        type: 'card',
        number: card.number,
        expiry_month: card.expiration_month,
        expiry_year: card.expiration_year,
      },
      '3ds': { enabled: true, eci, cryptogram, xid, version },
    },
  };
};
