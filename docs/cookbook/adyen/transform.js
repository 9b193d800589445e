module.exports = async (req) => {
  const { card, ...payment } = req.args.body;
  return {
    headers: { 'X-API-Key': req.configuration.ADYEN_KEY, 'Content-Type': 'application/json' },
    body: {
      ...payment,
      merchantAccount: req.configuration.MERCHANT,
      paymentMethod: {
        type: 'scheme',
        number: card.number,
        expiryMonth: String(card.expiration_month).padStart(2, '0'),
        expiryYear: String(card.expiration_year),
      },
    },
  };
};
