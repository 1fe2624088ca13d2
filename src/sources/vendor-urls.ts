/** Default addresses of the vendors and of Google. */
export const vendorUrls = {
  serpapi: 'https://serpapi.com',
  dataforseo: 'https://api.dataforseo.com',
  adyntel: 'https://api.adyntel.com',
  transparency: 'https://adstransparency.google.com',
  /** BigQuery's REST API. */
  bigquery: 'https://bigquery.googleapis.com/bigquery/v2',
} as const;
