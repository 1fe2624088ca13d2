/** Base URL of BigQuery at Google. */
export const googleUrl = 'https://bigquery.googleapis.com/bigquery/v2';
