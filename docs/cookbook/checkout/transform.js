module.exports = async (req) => {
  const { card, ...payment } = req.args.body;
  const { SECRET_KEY, CHANNEL } = req.configuration;
  return {
    headers: { Authorization: `Bearer ${SECRET_KEY}`, 'Content-Type': 'application/json' },
    body: {
      ...payment,
      processing_channel_id: CHANNEL,
      source: {
        type: 'card',
        number: card.number,
        expiry_month: card.expiration_month,
        expiry_year: card.expiration_year,
      },
    },
  };
};
