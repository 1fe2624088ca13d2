/** A list of companies that the bundled sample has ads of, but for two. */
const rows = `Company,Website,Country
Nike,nike.com,US
adidas AG,https://www.adidas.de/,DE
Spotify,spotify.com,SE
IKEA,,SE
Volkswagen,volkswagen.de,DE
Zalando,zalando.de,DE
Airbnb,https://www.airbnb.com/,US
Booking.com,booking.com,NL
A company without ads,no-ads.example.com,FR
Another company,,IT
`;

/** Creates the list as a file, to try a batch with sample data. */
export function sampleCompanies(): File {
  return new File([rows], 'sample-companies.csv', { type: 'text/csv' });
}
