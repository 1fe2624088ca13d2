/** Where the vendors and Google are asked, unless the operator has named another address. */
export const vendorUrls = {
  serpapi: 'https://serpapi.com',
  dataforseo: 'https://api.dataforseo.com',
  adyntel: 'https://api.adyntel.com',
  transparency: 'https://adstransparency.google.com',
  /** BigQuery's REST API. */
  bigquery: 'https://bigquery.googleapis.com/bigquery/v2',
} as const;
